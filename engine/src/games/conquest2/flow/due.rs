//! Tables by phase: the options of its decision, and the function that carries out the decision or event of chance.
//!
//! They are two tables of functions, so that no phase pays for the registers of another, and one jump leads to each.

use crate::games::conquest2::Conquest2;
use crate::games::conquest2::flow::auction::proposals;
use crate::games::conquest2::model::action::Action;
use crate::games::conquest2::model::cards::Card;
use crate::games::conquest2::model::options::Options;
use crate::games::conquest2::model::phase::{COURSE, N_PHASES, Phase};
use crate::games::conquest2::model::place::{Key, Place, Zone};
use crate::games::conquest2::model::state::State;
use crate::player::Player;

/// A function that finds the options of a decision.
type FindOptions = fn(&Conquest2, &State) -> Options;

/// A function that carries out a decision or an event of chance.
type Step = fn(&Conquest2, &mut State, Action);

static LOOKS: [FindOptions; N_PHASES] = {
    let mut looks = [no_options as FindOptions; N_PHASES];
    let mut i = 0;
    while i < N_PHASES {
        looks[i] = look(COURSE[i].0);
        i += 1;
    }
    looks
};

static STEPS: [Step; N_PHASES] = {
    let mut steps = [no_step as Step; N_PHASES];
    let mut i = 0;
    while i < N_PHASES {
        steps[i] = step(COURSE[i].0);
        i += 1;
    }
    steps
};

impl Conquest2 {
    /// Returns the options of the decision that is due.
    #[inline]
    pub(crate) fn options(&self, s: &State) -> Options {
        LOOKS[s.phase() as usize](self, s)
    }

    /// Carries out one decision or event of chance, and stops there.
    #[inline]
    pub(crate) fn step(&self, s: &mut State, action: Action) {
        STEPS[s.phase() as usize](self, s, action);
    }
}

const fn look(phase: Phase) -> FindOptions {
    match phase {
        Phase::Bid => Conquest2::bid_options,
        Phase::Propose => |_, s| Options::of(proposals(s.unallied)),
        Phase::Amount => Conquest2::amount_options,
        Phase::PlaceCaesar | Phase::PlaceGeneral | Phase::PlaceGalley | Phase::PlaceCount => {
            Conquest2::placement_options
        }
        Phase::Top => Conquest2::top_options,
        Phase::TakeCard => |game, s| Options::of(game.takeable(s)),
        Phase::RecruitIn => |game, s| Options::of(game.recruiting_grounds(s)),
        Phase::RecruitCount => Conquest2::recruit_options,
        Phase::BuyIn => |game, s| Options::of(game.markets(s)),
        Phase::BuySource | Phase::BuyMore => Conquest2::source_options,
        Phase::Tax => |game, _| Options::range(1, game.board.config.tax.special_steps as u16),
        Phase::MoveFrom => |game, s| Options::of(game.departures(s)),
        Phase::MoveTo => Conquest2::destination_options,
        Phase::MoveCount => |_, s| Conquest2::move_options(s),
        Phase::BattleIn => |game, s| Options::of(game.battlefields(s)),
        Phase::BattleAgainst => |game, s| Options::of(game.defenders(s)),
        Phase::SailTo => |game, s| Options::of(game.ports(s)),
        Phase::SailCount => |_, s| Conquest2::sail_options(s),
        Phase::SailAttack => Conquest2::attack_options,
        Phase::Use => Conquest2::use_options,
        Phase::FleetFrom
        | Phase::CityIn
        | Phase::BarbariansFrom
        | Phase::BribeTarget
        | Phase::RevoltIn => Conquest2::immediate_options,
        Phase::BarbariansCount => |_, s| Conquest2::expedition_options(s),
        Phase::RevoltTarget => |game, s| Options::of(game.revolt_targets(s)),
        Phase::Commit | Phase::Lend | Phase::NavalLend => Conquest2::force_options,
        Phase::Losses => Conquest2::loss_options,
        Phase::Retreat => Conquest2::retreat_options,
        Phase::Withdraw => Conquest2::withdraw_options,
        Phase::Wind => |_, _| Options::of(0b11u64),
        Phase::Vote => |_, s| Conquest2::vote_options(s),
        Phase::LegionsIn => |game, _| Options::of(game.board.legions_in),
        Phase::FirstPlayer
        | Phase::SetupToken
        | Phase::SeasonToken
        | Phase::SeasonCard
        | Phase::Dice
        | Phase::SenatorDraw
        | Phase::NullDraw
        | Phase::Over => no_options,
    }
}

const fn step(phase: Phase) -> Step {
    match phase {
        Phase::Bid | Phase::Propose | Phase::Amount => Conquest2::bid,
        Phase::PlaceCaesar | Phase::PlaceGeneral | Phase::PlaceGalley | Phase::PlaceCount => {
            Conquest2::place
        }
        Phase::Top => Conquest2::top,
        Phase::TakeCard => |game, s, action| game.take(s, Card::new(action.args[0])),
        Phase::RecruitIn => |game, s, action| game.recruit_in(s, Place::new(action.args[0])),
        Phase::RecruitCount => |game, s, action| game.recruit(s, action.args[0]),
        Phase::BuyIn => |_, s, action| Conquest2::buy_in(s, Place::new(action.args[0])),
        Phase::BuySource | Phase::BuyMore => Conquest2::buy,
        Phase::Tax => |game, s, action| game.tax(s, action.args[0]),
        Phase::MoveFrom => |game, s, action| game.move_from(s, Place::new(action.args[0])),
        Phase::MoveTo => Conquest2::move_to,
        Phase::MoveCount => |game, s, action| game.move_count(s, action.args[0]),
        Phase::BattleIn => |_, s, action| Conquest2::battle_in(s, Place::new(action.args[0])),
        Phase::BattleAgainst => |game, s, action| game.battle_against(s, action.player()),
        Phase::SailTo => |game, s, action| game.sail_to(s, Zone::new(action.args[0])),
        Phase::SailCount => |game, s, action| game.sail(s, action.args[0]),
        Phase::SailAttack => Conquest2::attack,
        Phase::Use => Conquest2::use_card,
        Phase::FleetFrom => |game, s, action| game.commandeer(s, Zone::new(action.args[0])),
        Phase::CityIn => |game, s, action| game.build_city(s, Place::new(action.args[0])),
        Phase::BarbariansFrom => {
            |game, s, action| game.start_expedition(s, Place::new(action.args[0]))
        }
        Phase::BarbariansCount => |game, s, action| game.expedition_count(s, action.args[0]),
        Phase::BribeTarget => |game, s, action| game.bribe(s, action.player()),
        Phase::RevoltIn => |game, s, action| game.revolt_in(s, Place::new(action.args[0])),
        Phase::RevoltTarget => |game, s, action| game.revolt_against(s, action.player()),
        Phase::Commit => |game, s, action| game.commit(s, action.args[0]),
        Phase::Lend => |game, s, action| game.lend(s, action.args[0]),
        Phase::NavalLend => |game, s, action| game.naval_lend(s, action.args[0]),
        Phase::Losses => |game, s, action| game.lose(s, action.args[0]),
        Phase::Retreat => Conquest2::retreat,
        Phase::Withdraw => |game, s, action| game.withdraw(s, Place::new(action.args[0])),
        Phase::Wind => Conquest2::wind,
        Phase::Vote => Conquest2::vote,
        Phase::LegionsIn => |game, s, action| game.raise_legions(s, Place::new(action.args[0])),
        Phase::FirstPlayer => {
            |game, s, event| game.first_player_drawn(s, Player::of(event.args[0]))
        }
        Phase::SetupToken => |game, s, event| game.setup_token_drawn(s, Key::new(event.args[0])),
        Phase::SeasonToken => |game, s, event| game.season_token_drawn(s, Key::new(event.args[0])),
        Phase::SeasonCard => |game, s, event| game.season_card_drawn(s, Card::new(event.args[0])),
        Phase::SenatorDraw => |game, s, event| game.senator_drawn(s, event.args[0]),
        Phase::NullDraw => |game, s, _| game.null_drawn(s),
        Phase::Dice => |game, s, event| game.rolled(s, event.args),
        Phase::Over => no_step,
    }
}

fn no_options(_: &Conquest2, _: &State) -> Options {
    Options::NONE
}

fn no_step(_: &Conquest2, _: &mut State, _: Action) {
    unreachable!("the game is over")
}
