//! A round of purchases as a macro-action: all purchases of a market are composed and evaluated as a whole, and then
//! played line by line.

use engine::Game;
use engine::games::classic::{Action, Classic, Phase, State, Verb};

use super::purchase_values::{Market, PurchaseValues};

/// Maximum number of lines in a round. A market of greedy players has five on average.
const MOST_LOTS: usize = 24;

/// Minimum supply of a line with which a bundle may begin. It exceeds the limited grounds of a province, so such a line
/// is unlimited.
const MANY: u8 = 4;

/// A menu line and the number of units bought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Lot {
    line: Action,
    number: u8,
}

/// The purchases of a market, in the order of its menu.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bundle {
    lots: [Lot; MOST_LOTS],
    n: usize,
}

impl Bundle {
    fn new(any: Action) -> Self {
        Self { lots: [Lot { line: any, number: 0 }; MOST_LOTS], n: 0 }
    }

    fn lots(&self) -> &[Lot] {
        &self.lots[..self.n]
    }

    /// Adds units of a line in menu order. Returns whether there was room.
    fn add(&mut self, line: Action, number: u8) -> bool {
        let at = self.lots().partition_point(|lot| lot.line < line);
        if let Some(lot) = self.lots[..self.n].get_mut(at).filter(|lot| lot.line == line) {
            lot.number += number;
            return true;
        }
        if self.n == MOST_LOTS {
            return false;
        }
        self.lots.copy_within(at..self.n, at + 1);
        self.lots[at] = Lot { line, number };
        self.n += 1;
        true
    }
}

/// A bundle under composition, with its result.
#[derive(Clone, Copy, Debug)]
struct Draft {
    bundle: Bundle,
    state: State,
    value: f32,
}

/// A line that may be added, with the gain of one more unit.
#[derive(Clone, Copy, Debug)]
struct Offer {
    line: Action,
    price: f32,
    /// The gain of one unit alone.
    alone: f32,
    gain: f32,
    /// The step of composition in which the gain was computed.
    step: u32,
}

/// The order in which offers are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// The gain per talent.
    Rate,
    /// The gain.
    Gain,
}

/// A composer of purchases with reusable memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Composer {
    offers: Vec<Offer>,
    lines: Vec<Action>,
}

impl Composer {
    /// Returns the best bundle among several candidates for this menu. Some take offers one after the other, by gain
    /// per talent or by gain. Others start with the maximum or half the maximum of a line and continue by gain per
    /// talent.
    pub(super) fn compose(
        &mut self,
        purchase_values: &PurchaseValues,
        game: &Classic,
        s: &State,
        menu: &[Action],
    ) -> Bundle {
        let market = &Market::new(purchase_values, game, s);
        let nothing = Draft { bundle: Bundle::new(menu[0]), state: *s, value: market.value(s) };
        self.offer(market, game, &nothing, menu);
        let mut best = nothing;
        for order in [Order::Rate, Order::Gain] {
            let draft = self.fill(market, game, nothing, order);
            if draft.value > best.value {
                best = draft;
            }
        }
        for k in 0..self.offers.len() {
            let line = self.offers[k].line;
            let most = game.most_of(s, line);
            if most < MANY {
                continue;
            }
            for number in [most, most / 2] {
                let mut draft = nothing;
                draft.bundle.add(line, number);
                game.purchase(&mut draft.state, line, number);
                draft.value = market.value(&draft.state);
                let draft = self.fill(market, game, draft, Order::Rate);
                if draft.value > best.value {
                    best = draft;
                }
            }
        }
        best.bundle
    }

    /// Returns the bundle by gain per talent. It is nearly as good and several times as fast.
    pub(super) fn sketch(
        &mut self,
        purchase_values: &PurchaseValues,
        game: &Classic,
        s: &State,
        menu: &[Action],
    ) -> Bundle {
        let market = &Market::new(purchase_values, game, s);
        let nothing = Draft { bundle: Bundle::new(menu[0]), state: *s, value: market.value(s) };
        self.offer(market, game, &nothing, menu);
        self.fill(market, game, nothing, Order::Rate).bundle
    }

    /// Lists the purchases that are possible at the start, each with its gain alone.
    fn offer(&mut self, market: &Market<'_>, game: &Classic, nothing: &Draft, menu: &[Action]) {
        self.offers.clear();
        for &line in menu.iter().filter(|line| line.verb() > Verb::Raze) {
            self.consider(market, game, nothing, line);
        }
    }

    /// Adds an offer with its gain after `draft`.
    fn consider(&mut self, market: &Market<'_>, game: &Classic, draft: &Draft, line: Action) {
        let (gain, price) = Self::gain(market, game, draft, line);
        self.offers.push(Offer { line, price, alone: gain, gain, step: 0 });
    }

    /// Returns the gain of one more unit of a line, and its price.
    fn gain(market: &Market<'_>, game: &Classic, draft: &Draft, line: Action) -> (f32, f32) {
        let player = draft.state.turn();
        let mut after = draft.state;
        game.purchase(&mut after, line, 1);
        let price = draft.state.talents(player).saturating_sub(after.talents(player));
        (market.value(&after) - draft.value, f32::from(price).max(1.0))
    }

    /// Adds the offers with the largest gain to a draft, one after the other, until no offer gains.
    ///
    /// The gain of one more unit mostly falls as others are bought. So only the apparently best offers are evaluated
    /// again (lazy greedy composition).
    fn fill(
        &mut self,
        market: &Market<'_>,
        game: &Classic,
        mut draft: Draft,
        order: Order,
    ) -> Draft {
        for offer in &mut self.offers {
            (offer.gain, offer.step) = (offer.alone, 0);
        }
        let mut step = u32::from(draft.bundle.n == 0) ^ 1;
        loop {
            let score = |offer: &Offer| match order {
                Order::Rate => offer.gain / offer.price,
                Order::Gain => offer.gain,
            };
            let mut best: Option<(usize, f32)> = None;
            for (k, offer) in self.offers.iter().enumerate().filter(|(_, offer)| offer.gain > 0.0) {
                if best.is_none_or(|(_, most)| score(offer) > most) {
                    best = Some((k, score(offer)));
                }
            }
            let Some((k, _)) = best else { return draft };
            let line = self.offers[k].line;
            if game.most_of(&draft.state, line) == 0 {
                self.offers[k].gain = f32::MIN;
                continue;
            }
            if self.offers[k].step != step {
                let (gain, _) = Self::gain(market, game, &draft, line);
                (self.offers[k].gain, self.offers[k].step) = (gain, step);
                continue;
            }
            if !draft.bundle.add(line, 1) {
                return draft;
            }
            game.purchase(&mut draft.state, line, 1);
            draft.value = market.value(&draft.state);
            step += 1;
            if line.verb() == Verb::BuyCity {
                self.offer_at_city(market, game, &draft);
            }
        }
    }

    /// Lists the purchases that a new city makes possible: its fort and roads to it.
    fn offer_at_city(&mut self, market: &Market<'_>, game: &Classic, draft: &Draft) {
        self.lines.clear();
        game.actions(&draft.state, draft.state.turn(), &mut self.lines);
        for k in 0..self.lines.len() {
            let line = self.lines[k];
            let is_building = matches!(line.verb(), Verb::BuyFort | Verb::BuyRoad);
            if is_building && self.offers.iter().all(|offer| offer.line != line) {
                self.consider(market, game, draft, line);
            }
        }
    }
}

/// A bundle in play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    bundle: Bundle,
    /// The number of finished lots. The count of the last one may still be due.
    next: usize,
    /// The only position at which the plan continues.
    expected: State,
}

impl Plan {
    pub(super) const fn new(bundle: Bundle, s: &State) -> Self {
        Self { bundle, next: 0, expected: *s }
    }

    /// Returns the next ply and the plan after it; `None` if the position differs from the expected one.
    pub(super) fn go_on(mut self, game: &Classic, s: &State) -> Option<(Action, Option<Self>)> {
        if self.expected != *s {
            return None;
        }
        let action = if s.phase() == Phase::Buy {
            game.nth_option(s, u16::from(self.bundle.lots[self.next - 1].number) - 1)
        } else if let Some(lot) = self.bundle.lots().get(self.next) {
            self.next += 1;
            lot.line
        } else {
            menu_end(game, s)
        };
        game.apply(&mut self.expected, action);
        let next = &self.expected;
        let goes_on = matches!(next.phase(), Phase::Market | Phase::Buy)
            && (next.turn(), next.round()) == (s.turn(), s.round());
        Some((action, goes_on.then_some(self)))
    }
}

/// Returns the action that ends a menu.
fn menu_end(game: &Classic, s: &State) -> Action {
    game.nth_option(s, game.n_options(s) - 1)
}

#[cfg(test)]
mod tests {
    use engine::rng::{self, stream};
    use engine::{Configure, Player, Purpose, Rules, Turn, View};

    use super::super::buyer::Buyer;
    use super::super::evaluation::Evaluation;
    use super::super::greedy::GreedyClassic;
    use super::super::lookahead::Lookahead;
    use super::super::weights::Weights;
    use super::*;
    use crate::agent::Agent;

    fn configured(n_players: usize, settings: &[&str]) -> Classic {
        let mut rules = Rules::of::<Classic>();
        settings.iter().for_each(|setting| rules.set(setting).expect("a good setting"));
        Classic::configure(n_players, &rules).expect("good rules")
    }

    fn purchase_values(game: &Classic) -> PurchaseValues {
        PurchaseValues::new(game, Evaluation::new(Weights::default()))
    }

    fn greedy(game: &Classic) -> GreedyClassic {
        let lookahead = Lookahead::new(Evaluation::new(Weights::default()), false);
        GreedyClassic::new(0.0, lookahead, Some(Buyer::new(purchase_values(game))))
    }

    fn menu(game: &Classic, s: &State) -> Vec<Action> {
        let mut lines = Vec::new();
        game.actions(s, s.turn(), &mut lines);
        lines
    }

    fn composed(game: &Classic, s: &State) -> Bundle {
        Composer::default().compose(&purchase_values(game), game, s, &menu(game, s))
    }

    /// Returns the position after a bundle, before the turn ends.
    fn after(game: &Classic, s: &State, bundle: &Bundle) -> State {
        let mut after = *s;
        bundle.lots().iter().for_each(|lot| game.purchase(&mut after, lot.line, lot.number));
        after
    }

    /// Plays a game of greedy players. `look` receives every decision of a market and its answer.
    fn play(game: &Classic, index: u64, look: &mut dyn FnMut(&State, Action)) {
        let mut agents: Vec<_> = (0..game.n_players()).map(|_| greedy(game)).collect();
        let mut rng = stream(17, index, Purpose::Analysis);
        let mut s = game.start();
        loop {
            let action = match game.turn(&s) {
                Turn::Player(player) => {
                    let action = agents[player.idx()].choose(View::new(game, &s, player), &mut rng);
                    assert!(game.is_legal(&s, player, action, &mut Vec::new()), "{action:?}");
                    if matches!(s.phase(), Phase::Market | Phase::Buy) {
                        look(&s, action);
                    }
                    action
                }
                Turn::Chance => game.draw(&s, &mut rng),
                _ => return,
            };
            game.apply(&mut s, action);
        }
    }

    /// Plays by simple rules to the first market.
    fn first_market(game: &Classic) -> State {
        let mut rng = rng::fast(&mut stream(1, 0, Purpose::Analysis));
        let mut s = game.start();
        while s.phase() != Phase::Market {
            let action = match game.turn(&s) {
                Turn::Chance => game.draw(&s, &mut rng),
                _ => game.plain_reply(&s, true),
            };
            game.apply(&mut s, action);
        }
        s
    }

    #[test]
    fn a_bundle_is_legal_and_played_to_its_end() {
        for n_players in [2, 4, 6] {
            let game = configured(n_players, &["options.final_round=5"]);
            let (mut whole, mut planned): (u32, Option<(State, u8, Player)>) = (0, None);
            play(&game, n_players as u64, &mut |s, action| {
                let is_open =
                    planned.is_some_and(|(_, round, q)| (round, q) == (s.round(), s.turn()));
                let is_deal = matches!(action.verb(), Verb::Ransom | Verb::Exchange);
                if s.phase() == Phase::Market && !is_open && !is_deal {
                    planned = Some((after(&game, s, &composed(&game, s)), s.round(), s.turn()));
                }
                let mut next = *s;
                game.apply(&mut next, action);
                let is_market = matches!(next.phase(), Phase::Market | Phase::Buy | Phase::Answer);
                if let Some((end, _, q)) = planned.filter(|_| !is_market) {
                    // The market is over, by choice or because no purchase is left.
                    let bought = |s: &State| {
                        (s.talents(q), s.cities(), s.forts(), s.armies(q), game.on_board(s, q))
                    };
                    assert_eq!(bought(&next), bought(&end), "round {}", s.round());
                    (whole, planned) = (whole + 1, None);
                }
            });
            assert!(whole > 4, "{whole} rounds");
        }
    }

    /// With 200 talents and the caesar at home, the best round is an army of several kinds with galleys to ship it. It
    /// beats the maximum of any single line, and also the lines with the best separate gains.
    #[test]
    fn a_mixed_round_is_found_where_no_single_line_is_as_good() {
        let game = configured(4, &["gift.s1.seat0.talents=200"]);
        let s = first_market(&game);
        let purchase_values = purchase_values(&game);
        let market = Market::new(&purchase_values, &game, &s);
        let bundle = composed(&game, &s);
        let found = market.value(&after(&game, &s, &bundle));
        for line in menu(&game, &s).into_iter().filter(|line| game.most_of(&s, *line) > 0) {
            for number in 1..=game.most_of(&s, line) {
                let mut one = s;
                game.purchase(&mut one, line, number);
                assert!(market.value(&one) < found, "{number} of {line:?}");
            }
        }
        let lookahead = Lookahead::new(Evaluation::new(Weights::default()), false);
        let mut by_line = GreedyClassic::new(0.0, lookahead, None);
        let (mut singly, mut rng) = (s, stream(1, 0, Purpose::Analysis));
        let mut last = s;
        while (singly.turn(), singly.round()) == (s.turn(), s.round()) {
            last = singly;
            let action = by_line.choose(View::new(&game, &singly, s.turn()), &mut rng);
            game.apply(&mut singly, action);
        }
        assert!(market.value(&last) < found);
        let units: std::collections::BTreeSet<_> =
            bundle.lots().iter().filter_map(|lot| Some(lot.line.unit_bought()?.0)).collect();
        assert!(units.len() >= 2, "{:?}", bundle.lots());
    }

    #[test]
    fn a_plan_goes_on_only_where_it_expects() {
        let game = configured(4, &["gift.s1.seat0.talents=100", "gift.s1.seat1.talents=50"]);
        let s = first_market(&game);
        let bundle = composed(&game, &s);
        assert!(bundle.lots().len() > 1);
        let (action, plan) = Plan::new(bundle, &s).go_on(&game, &s).expect("it begins here");
        assert_eq!(action, bundle.lots()[0].line);
        let plan = plan.expect("more is to come");
        assert!(plan.go_on(&game, &s).is_none());
        let mut next = s;
        game.apply(&mut next, action);
        assert!(plan.go_on(&game, &next).is_some());
    }

    /// A plan for one position is dropped at another position, and a new game begins without a plan.
    #[test]
    fn decisions_are_the_same_whether_reused_or_fresh() {
        let game = configured(4, &["options.final_round=4"]);
        let mut reused = greedy(&game);
        let mut n = 0;
        let mut market = None;
        play(&game, 3, &mut |s, action| {
            let is_begin = s.phase() == Phase::Market && market != Some((s.round(), s.turn()));
            if is_begin {
                market = Some((s.round(), s.turn()));
                let rng = || stream(17, 3, Purpose::Agent(0));
                let view = || View::new(&game, s, s.turn());
                let fresh = greedy(&game).choose(view(), &mut rng());
                assert_eq!(reused.choose(view(), &mut rng()), fresh);
                assert_eq!(action, fresh);
                n += 1;
            }
        });
        assert!(n > 10, "{n} markets");
    }
}
