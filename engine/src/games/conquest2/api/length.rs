//! The largest number of choices in a game, from the rules.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::model::board::{MAX_COAST, N_PROVINCES, N_ZONES};
use crate::games::conquest2::model::cards::{Card, CardKind, Family};
use crate::games::conquest2::model::counts::{N_MOVERS, Recruits};
use crate::games::conquest2::model::state::MOST_TALENTS;
use crate::games::conquest2::model::units::{N_LAND_MILITARY, N_MILITARY};

/// The sides of a battle.
const SIDES: i64 = 2;

impl Conquest2 {
    /// Returns a number that the choices of no game exceed; `None` with treatments, which can give actions and cards, or
    /// above 32 bits.
    pub(crate) fn most_choices(&self) -> Option<u32> {
        if self.board.treated.is_some() {
            return None;
        }
        let (n, options) = (self.n_players as i64, &self.board.config.options);
        // A turn has its actions and a choice to end it.
        let turn = options.actions * self.most_in_action() + 1;
        let season = options.rounds * n * turn + self.most_in_uses();
        let auctions: i64 = (0..options.seasons).map(|season| self.most_in_auctions(season)).sum();
        let revolts = self.copies(CardKind::Revolt) * self.most_in_revolt();
        let all = self.most_in_placement() + options.seasons * season + auctions + revolts;
        u32::try_from(all).ok()
    }

    /// Bounds the choices at the start: leaders and galleys are placed one by one, troops of a kind home by home (7).
    fn most_in_placement(&self) -> i64 {
        let start = &self.board.config.start;
        let counts = N_LAND_MILITARY as i64 * start.influence;
        self.n_players as i64 * (start.caesar + start.general + start.galley + counts)
    }

    /// Bounds the choices in the auctions of a season, counted from 0 (6).
    ///
    /// An auction gives an alliance to two players, or to the last one. A bid takes three choices and is above the one
    /// before. Between two bids all others pass at most once.
    fn most_in_auctions(&self, season: i64) -> i64 {
        let n = self.n_players as i64;
        let money = self.board.config.options.money + season * self.most_income();
        let bids = 1 + money.min(MOST_TALENTS.into()) / self.board.config.auction.step;
        (n + 1) / 2 * bids * (3 + n - 1)
    }

    /// Bounds the talents that a player gets in a season: by cards, by special taxes, and by the taxes at its end.
    fn most_income(&self) -> i64 {
        let rules = &self.board.config;
        let of_card = |card: Card| match card.kind() {
            CardKind::Merchant(i) => {
                rules.pools.influence * i64::from(self.board.merchant_talents[usize::from(i)])
            }
            CardKind::Loot => rules.loot.talents,
            CardKind::Vote(_) => rules.vote.emergency_tax,
            CardKind::Barbarians(i) => self.board.barbarian_reward[usize::from(i)].talents.into(),
            _ => 0,
        };
        let cards: i64 = Card::all().map(|card| self.copies(card.kind()) * of_card(card)).sum();
        let actions = rules.options.rounds * rules.options.actions;
        let special = actions * rules.tax.special_steps * rules.tax.special_talents;
        cards + special + rules.pools.influence * (rules.tax.influence + rules.tax.city)
    }

    /// Bounds the choices in a season by multi-use cards, each copy of which is used once (16).
    ///
    /// In a vote each show is worth more than the one before, between two of them all others pass at most once, and the
    /// winner may place legions.
    fn most_in_uses(&self) -> i64 {
        let start = &self.board.config.start;
        let hands = |value: usize| self.n_players as i64 * start.senators[value];
        let senators = |card: Card| match card.kind() {
            CardKind::Senator(value) => {
                let all = self.copies(card.kind()) + hands(value.into());
                (1 + i64::from(value)) * all
            }
            _ => 0,
        };
        let worth: i64 = Card::all().map(senators).sum();
        let use_of = |card: Card| match card.kind() {
            CardKind::Vote(_) => 2 + (1 + worth) * self.n_players as i64 + 1,
            _ => 2,
        };
        let cards = Card::all().filter(|card| card.family() == Family::MultiUse);
        cards.map(|card| self.copies(card.kind()) * use_of(card)).sum()
    }

    /// Bounds the choices of an action and its place in the turn: the largest number of any kind of action.
    ///
    /// A move goes to each province at most once (13). Galleys sail from each other zone, and their enemies may call off
    /// the battle (15N).
    fn most_in_action(&self) -> i64 {
        let buy = &self.board.config.buy;
        let kinds = [
            // A card, a place, and counts of those who go there.
            2 + N_MOVERS,
            1 + Recruits::LAND.len() + MAX_COAST,
            1 + buy.with_general.max(buy.with_caesar) as usize,
            1 + N_PROVINCES * (1 + N_MOVERS) + 1,
            2 + self.most_in_battle() as usize,
            1 + N_ZONES + 2 + self.most_in_battle() as usize,
        ];
        1 + kinds.into_iter().max().map_or(0, |most| most as i64)
    }

    /// Bounds the choices of a battle on land or at sea (15, 15N).
    ///
    /// Galleys are committed and units lent zone by zone and kind by kind. In a round each owner and each side without
    /// an owner loses units kind by kind, and each side may retreat. In the end leaders withdraw.
    fn most_in_battle(&self) -> i64 {
        let (n, battle) = (self.n_players as i64, &self.board.config.battle);
        let joining = SIDES * MAX_COAST as i64 + n * (N_LAND_MILITARY + MAX_COAST) as i64;
        let round = (n + SIDES) * N_MILITARY as i64 + SIDES;
        joining + battle.max_rounds.max(battle.naval_rounds) * round + SIDES
    }

    /// Bounds the choices of a slave revolt, a card that leaves the game: a battle against each player (14.6).
    fn most_in_revolt(&self) -> i64 {
        1 + self.n_players as i64 * (1 + self.most_in_battle())
    }

    /// Returns the number of copies of a card in the game.
    fn copies(&self, kind: CardKind) -> i64 {
        let card = Card::all().find(|card| card.kind() == kind);
        card.map_or(0, |card| self.board.card_count[card.idx()].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Purpose;
    use crate::game::{Game, Turn};
    use crate::games::conquest2::model::action::Verb;
    use crate::games::conquest2::model::phase::Phase;
    use crate::games::conquest2::model::state::State;
    use crate::rng::{Randomness, stream};
    use crate::rules::{Configure, Rules};

    /// The choices of the part of a game that is under way.
    #[derive(Default)]
    struct Part {
        season: u8,
        placed: i64,
        bid: i64,
        /// The word that began the last act of a turn, and the choices since.
        act: Option<Verb>,
        choices: i64,
    }

    impl Part {
        /// Counts a choice in `s`, and returns the number so far in its part and the bound of that part.
        fn count(&mut self, game: &Conquest2, s: &State, verb: Verb) -> [i64; 2] {
            if s.season != self.season {
                (self.season, self.bid) = (s.season, 0);
            }
            match s.phase() {
                Phase::Bid | Phase::Propose | Phase::Amount => {
                    self.bid += 1;
                    return [self.bid, game.most_in_auctions(s.season.into())];
                }
                Phase::PlaceCaesar
                | Phase::PlaceGeneral
                | Phase::PlaceGalley
                | Phase::PlaceCount => {
                    self.placed += 1;
                    return [self.placed, game.most_in_placement()];
                }
                Phase::Top => (self.act, self.choices) = (Some(verb), 0),
                _ => {}
            }
            self.choices += 1;
            let most = match self.act {
                Some(Verb::Use) => game.most_in_uses(),
                Some(Verb::Take) => game.most_in_action() + game.most_in_revolt(),
                _ => game.most_in_action(),
            };
            [self.choices, most]
        }
    }

    /// Plays a game in which nobody retreats and votes and bids rise step by step, but for some choices at random, and
    /// returns the largest part of its bound that a part of it takes.
    fn fullest(game: &Conquest2, seed: u64) -> f64 {
        let mut rng = stream(seed, 0, Purpose::Dice);
        let (mut s, mut part, mut fullest) = (game.start(), Part::default(), 0.0);
        loop {
            let action = match game.turn(&s) {
                Turn::Over => return fullest,
                Turn::Player(_) => {
                    let n = s.options.n();
                    let index = match s.phase() {
                        Phase::Bid | Phase::Retreat => n - 1,
                        Phase::Amount => 0,
                        Phase::Vote => 1.min(n - 1),
                        _ => rng.below(n.into()) as u16,
                    };
                    let action = game.option(&s, index);
                    let [choices, most] = part.count(game, &s, action.verb);
                    assert!(choices <= most, "{:?}: {choices} of {most}", s.phase());
                    fullest = f64::max(fullest, choices as f64 / most as f64);
                    action
                }
                _ => game.draw(&s, &mut rng),
            };
            game.apply(&mut s, action);
        }
    }

    #[test]
    fn no_part_of_a_game_has_more_choices_than_its_bound() {
        for settings in [
            &["options.money=0"][..],
            &["auction.step=1", "cards.slave-revolt.count=15"],
            &["die.faces=[\"blank\"]", "battle.max_rounds=100", "battle.naval_rounds=100"],
            &["die.faces=[\"infantry\", \"blank\", \"blank\"]", "battle.max_rounds=1"],
            &["start.general=4", "start.galley=8", "start.influence=7", "options.cards=12"],
        ] {
            let mut rules = Rules::of::<Conquest2>();
            settings.iter().for_each(|setting| rules.set(setting).unwrap());
            for n_players in 2..=6 {
                let game = Conquest2::configure(n_players, &rules).unwrap();
                let all = (0..4).map(|seed| fullest(&game, seed)).fold(0.0, f64::max);
                assert!(all > 0.1, "{n_players}, {settings:?}: the fullest part has {all}");
            }
        }
    }
}
