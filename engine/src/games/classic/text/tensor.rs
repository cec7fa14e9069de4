//! Numbers of actions, and observations as numbers.

use crate::action_index::{ActionBlock, ActionIndex, Values, beside, not_beside};
use crate::bits::{each, nth};
use crate::games::classic::Classic;
use crate::games::classic::model::action::{Action, Verb};
use crate::games::classic::model::board::Board;
use crate::games::classic::model::detail::{Detail, N_KINDS};
use crate::games::classic::model::phase::Phase;
use crate::games::classic::model::place::{
    N_PLACES, N_PROVINCES, N_ZONES, PROVINCES, Place, PlaceSet,
};
use crate::games::classic::model::state::{State, counts};
use crate::games::shared::units::{N_MILITARY, Troops};
use crate::observation::{Fields, ObservationTensor, flag, seat_from, seats_from};
use crate::player::{Player, PlayerSet};
use crate::view::View;

/// The words, each in the place of its block.
const WORDS: [Verb; 23] = [
    Verb::Claim,
    Verb::PlacePair,
    Verb::PlaceOne,
    Verb::Sail,
    Verb::Convoy,
    Verb::Board,
    Verb::March,
    Verb::Done,
    Verb::To,
    Verb::Count,
    Verb::Attack,
    Verb::Retreat,
    Verb::Stay,
    Verb::Crown,
    Verb::Ransom,
    Verb::Exchange,
    Verb::Accept,
    Verb::Refuse,
    Verb::Raze,
    Verb::BuyCity,
    Verb::BuyFort,
    Verb::BuyRoad,
    Verb::BuyUnit,
];

/// Pairs of a start and a goal, numbered by start and then by goal.
#[derive(Clone, Debug)]
struct Ways {
    goals: [PlaceSet; N_PLACES],
    /// Number of pairs with an earlier start.
    before: [u32; N_PLACES],
}

impl Ways {
    fn new(goals: &[PlaceSet; N_PLACES]) -> Self {
        let mut before = [0; N_PLACES];
        for place in 1..N_PLACES {
            before[place] = before[place - 1] + goals[place - 1].len();
        }
        Self { goals: *goals, before }
    }

    fn len(&self) -> u32 {
        self.before[N_PLACES - 1] + self.goals[N_PLACES - 1].len()
    }

    fn number(&self, from: u8, to: u8) -> u32 {
        let earlier = self.goals[usize::from(from)].bits() & ((1 << to) - 1);
        self.before[usize::from(from)] + earlier.count_ones()
    }

    fn pair(&self, number: u32) -> [u8; 2] {
        // Starts without a goal have as many pairs before them as the next start.
        let from = self.before.partition_point(|&before| before <= number) - 1;
        [from as u8, nth(self.goals[from].bits(), number - self.before[from])]
    }
}

/// The numbers of actions.
#[derive(Clone, Debug)]
pub(crate) struct Numbers {
    blocks: [ActionBlock; WORDS.len()],
    sail: Ways,
    convoy: Ways,
    board: Ways,
}

impl Numbers {
    pub(crate) fn new(board: &Board, n_players: usize) -> Self {
        let from = |starts: PlaceSet, goals: &[PlaceSet; N_PLACES]| {
            let goals = |p: usize| {
                if starts.contains(Place::new(p as u8)) { goals[p] } else { PlaceSet::EMPTY }
            };
            Ways::new(&std::array::from_fn(goals))
        };
        let everywhere = PlaceSet::from_bits((1 << N_PLACES) - 1);
        let sail = from(everywhere, &board.reach);
        let convoy = from(everywhere - PROVINCES, &board.reach);
        let boarding = from(board.coastal, &board.near);
        let (provinces, places, seats) = (N_PROVINCES as u32, N_PLACES as u32, n_players as u32);
        let pieces = if board.in_pairs { 2 * provinces } else { 0 };
        let generals = board.config.pools.general as u32;
        let most = board.pool.into_iter().map(u32::from).max().unwrap_or(0).max(generals);
        let offers = board.config.income.ransom_offers.len() as u32;
        let blocks = ActionBlock::lay_out([
            ("claim", &[provinces]),
            ("place two", &[pieces * (pieces + 1) / 2]),
            ("place", &[pieces]),
            ("sail", &[sail.len()]),
            ("convoy", &[convoy.len()]),
            ("board", &[boarding.len()]),
            ("march", &[provinces, provinces - 1]),
            ("done", &[]),
            ("to", &[places]),
            ("count", &[1 + most]),
            ("attack", &[N_ZONES as u32, seats]),
            ("retreat", &[provinces]),
            ("stay", &[]),
            ("crown", &[places]),
            ("ransom", &[seats, offers]),
            ("exchange", &[seats]),
            ("accept", &[]),
            ("refuse", &[]),
            ("raze", &[provinces]),
            ("buy city", &[provinces]),
            ("buy fort", &[provinces]),
            ("buy road", &[board.borders.len() as u32]),
            ("buy", &[N_MILITARY as u32, provinces]),
        ]);
        Self { blocks, sail, convoy, board: boarding }
    }
}

/// Returns the number of a piece to place: its kind and its province.
const fn piece(kind: u8, province: u8) -> u32 {
    kind as u32 * N_PROVINCES as u32 + province as u32
}

/// Returns the kind and the province of a piece; the inverse of [`piece`].
const fn kind_and_province(piece: u32) -> [u8; 2] {
    [(piece / N_PROVINCES as u32) as u8, (piece % N_PROVINCES as u32) as u8]
}

/// Returns how many pairs of pieces, the second not before the first, have a second piece before this one.
const fn pairs_below(second: u32) -> u32 {
    second * (second + 1) / 2
}

impl ActionIndex for Classic {
    fn action_blocks(&self) -> &[ActionBlock] {
        &self.numbers.blocks
    }

    fn split(&self, action: Action) -> (usize, Values) {
        let ([a, b, c, d, _], numbers) = (action.args, &self.numbers);
        let [first, second] = match action.verb {
            Verb::PlacePair => [pairs_below(piece(c, d)) + piece(a, b), 0],
            Verb::PlaceOne => [piece(a, b), 0],
            Verb::Sail => [numbers.sail.number(a, b), 0],
            Verb::Convoy => [numbers.convoy.number(a, b), 0],
            Verb::Board => [numbers.board.number(a, b), 0],
            Verb::March => [a.into(), beside(a.into(), b.into())],
            Verb::Attack => [u32::from(a) - N_PROVINCES as u32, b.into()],
            Verb::BuyRoad => {
                let border = self.board.borders.binary_search(&(Place::new(a), Place::new(b)));
                [border.expect("a road lies on a border") as u32, 0]
            }
            _ => [a.into(), b.into()],
        };
        let block = WORDS.iter().position(|&verb| verb == action.verb);
        (block.expect("chance rolls dice"), [first, second, 0, 0])
    }

    fn join(&self, block: usize, [first, second, ..]: Values) -> Action {
        let (verb, numbers) = (WORDS[block], &self.numbers);
        let [a, b] = match verb {
            Verb::PlacePair => {
                let later = (0..).find(|&later| pairs_below(later + 1) > first).unwrap_or(0);
                let [kind, province] = kind_and_province(first - pairs_below(later));
                let [kind2, province2] = kind_and_province(later);
                return Action { verb, args: [kind, province, kind2, province2, 0] };
            }
            Verb::PlaceOne => kind_and_province(first),
            Verb::Sail => numbers.sail.pair(first),
            Verb::Convoy => numbers.convoy.pair(first),
            Verb::Board => numbers.board.pair(first),
            Verb::March => [first as u8, not_beside(first, second) as u8],
            Verb::Attack => [first as u8 + N_PROVINCES as u8, second as u8],
            Verb::BuyRoad => {
                let (from, to) = self.board.borders[first as usize];
                [from.number(), to.number()]
            }
            _ => [first as u8, second as u8],
        };
        Action::pair(verb, a, b)
    }
}

/// Number of phases.
const N_PHASES: usize = Phase::Over as usize + 1;
/// Length of an axis of places.
const PLACES: (&str, usize) = ("place", N_PLACES);
/// Length of an axis of provinces.
const LAND: (&str, usize) = ("province", N_PROVINCES);

impl ObservationTensor for Classic {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let (game, s, observer) = (view.game(), view.state(), view.observer());
        let n = game.n_players;
        let seats = seats_from(observer, n);
        fields.field(
            "units",
            &[("seat", n), ("infantry, cavalry, catapults, generals", 4), PLACES],
            "units",
            |out| {
                for (out, q) in out.chunks_mut(4 * N_PLACES).zip(seats.clone()) {
                    for place in (s.army[q] | s.leaders[q]).iter() {
                        write_troops(out, place, s.troops(q, place));
                    }
                }
            },
        );
        fields.field("caesar", &[("seat", n), PLACES], "0/1", |out| {
            for (out, q) in out.chunks_mut(N_PLACES).zip(seats.clone()) {
                mark(out, s.caesar[q].map_or(PlaceSet::EMPTY, PlaceSet::of));
            }
        });
        fields.field("galleys", &[("seat", n), PLACES], "galleys", |out| {
            for (out, q) in out.chunks_mut(N_PLACES).zip(seats.clone()) {
                s.fleets(q).iter().for_each(|place| out[place.idx()] = s.galleys(q, place).into());
            }
        });
        fields.field("owned", &[("seat", n), LAND], "0/1", |out| {
            for (out, q) in out.chunks_mut(N_PROVINCES).zip(seats.clone()) {
                mark(out, s.owned[q]);
            }
        });
        fields.field("guard", &[LAND], "infantry", |out| {
            s.guards.iter().for_each(|p| out[p.idx()] = game.guard_strength(s, p).into());
        });
        fields.field("cities", &[LAND], "0/1", |out| mark(out, s.cities));
        fields.field("forts", &[LAND], "0/1", |out| mark(out, s.forts));
        fields.field("new_cities", &[LAND], "0/1", |out| mark(out, s.new_cities));
        fields.field("roads", &[("border", game.board.borders.len())], "0/1", |out| {
            let roads = s.road_bits();
            out.iter_mut().enumerate().for_each(|(i, out)| *out = flag(roads >> i & 1 == 1));
        });
        fields.field("homes", &[("seat", n), LAND], "0/1", |out| {
            for (out, q) in out.chunks_mut(N_PROVINCES).zip(seats.clone()) {
                out[game.home(q).idx()] = 1.0;
            }
        });
        observe_purses(s, observer, n, fields);
        observe_turn(game, s, observer, fields);
        observe_battle(s, observer, n, fields);
        observe_detail(s, observer, n, fields);
    }
}

/// Writes what players have beside the board.
fn observe_purses<F: Fields>(s: &State, observer: Player, n: usize, fields: &mut F) {
    let seats = seats_from(observer, n);
    fields.field("talents", &[("seat", n)], "talents", |out| {
        out.iter_mut().zip(seats.clone()).for_each(|(out, q)| *out = s.talents[q].into());
    });
    fields.field("pool", &[("seat", n), ("unit", N_MILITARY)], "units", |out| {
        let left = seats.clone().flat_map(|q| s.pool[q]);
        out.iter_mut().zip(left).for_each(|(out, n)| *out = n.into());
    });
    fields.field("to_place", &[("seat", n), ("infantry, generals", 2)], "units", |out| {
        let left = seats.clone().flat_map(|q| s.to_place[q]);
        out.iter_mut().zip(left).for_each(|(out, n)| *out = n.into());
    });
    fields.field("captives", &[("seat", n), ("owner", n)], "generals", |out| {
        let pairs = seats.clone().flat_map(|q| seats.clone().map(move |owner| (q, owner)));
        for (out, (captor, owner)) in out.iter_mut().zip(pairs) {
            *out = s.captives[captor].of(owner).into();
        }
    });
}

/// Writes the time, and the pieces of the player in turn that have moved.
fn observe_turn<F: Fields>(game: &Classic, s: &State, observer: Player, fields: &mut F) {
    let n = game.n_players;
    let mut players = |name, set: PlayerSet| {
        fields.field(name, &[("seat", n)], "0/1", |out| {
            set.iter().for_each(|q| out[seat_from(observer, q, n)] = 1.0);
        });
    };
    players("in_turn", PlayerSet::of(s.turn));
    players("out", s.out);
    let mut number =
        |name, unit, value: u8| fields.field(name, &[], unit, |out| out[0] = value.into());
    number("round", "rounds", s.round);
    number("wave", "waves", s.wave);
    number("price_level", "price rises", s.level);
    number("cursor", "provinces or claims", s.cursor);
    number("caesar_mobility", "0 now, 1 in the next wave, 2 spent", s.mobility as u8);
    fields.field("phase", &[("phase", N_PHASES)], "0/1", |out| out[s.phase as usize] = 1.0);
    fields.field(
        "spent",
        &[("infantry, cavalry, catapults, generals", 4), PLACES],
        "units",
        |out| {
            for (place, &troops) in Place::first(N_PLACES).zip(&s.spent) {
                write_troops(out, place, troops);
            }
        },
    );
    fields.field(
        "half_moved",
        &[("infantry, cavalry, catapults, generals", 4), PLACES],
        "units",
        |out| {
            for (place, &troops) in Place::first(N_PROVINCES).zip(&s.half) {
                write_troops(out, place, troops);
            }
        },
    );
    fields.field("galleys_moved", &[("not, halfway", 2), PLACES], "galleys", |out| {
        for (i, galleys) in s.galleys.iter().enumerate() {
            out[i] = galleys.fresh().into();
            out[N_PLACES + i] = galleys.half().into();
        }
    });
    // A menu offers nothing before the last choice.
    fields.field("last_choice", &[("word, values", 4)], "numbers", |out| {
        let last = [s.last.verb as u8, s.last.a, s.last.b, s.last.c];
        out.iter_mut().zip(last).for_each(|(out, value)| *out = value.into());
    });
}

/// Writes the battle under way; nothing where there is none.
fn observe_battle<F: Fields>(s: &State, observer: Player, n: usize, fields: &mut F) {
    let b = &s.battle;
    let is_fought = b.round > 0;
    fields.field("battle_place", &[PLACES], "0/1", |out| {
        out[b.place.idx()] = flag(is_fought);
    });
    fields.field("battle_defender", &[("seat", n)], "0/1", |out| {
        if let (true, Some(q)) = (is_fought, b.defender) {
            out[seat_from(observer, q, n)] = 1.0;
        }
    });
    let sides = [("attacker, defender", 2)];
    fields.field(
        "battle_legions",
        &[sides[0], ("infantry, cavalry, catapults", 3)],
        "units",
        |out| {
            out.iter_mut().zip(b.legion.as_flattened()).for_each(|(out, &n)| *out = n.into());
        },
    );
    fields.field("battle_hits", &sides, "hits", |out| {
        out.iter_mut().zip(b.hits).for_each(|(out, n)| *out = n.into());
    });
    fields.field("battle_fallen", &[sides[0], ("generals, caesar", 2)], "leaders", |out| {
        let fallen = b.fallen.map(|fallen| [fallen.generals, fallen.has_caesar.into()]);
        out.iter_mut().zip(fallen.as_flattened()).for_each(|(out, &n)| *out = n.into());
    });
    fields.field(
        "battle_now",
        &[("round, guard, kind that is counted, side", 4)],
        "numbers",
        |out| {
            let now = [b.round, b.guard, b.due, b.side.idx() as u8];
            out.iter_mut().zip(now).for_each(|(out, n)| *out = n.into());
        },
    );
    let fall = b.fall;
    fields.field("fall", &[("owner, captor", 2), ("seat", n)], "0/1", |out| {
        for (i, q) in [fall.map(|f| f.owner), fall.and_then(|f| f.captor)].into_iter().enumerate() {
            if let Some(q) = q {
                out[n * i + seat_from(observer, q, n)] = 1.0;
            }
        }
    });
    fields.field("fall_of", &[("generals, caesar", 2)], "leaders", |out| {
        let fallen = fall.map_or([0; 2], |f| [f.fallen.generals, f.fallen.has_caesar.into()]);
        out.iter_mut().zip(fallen).for_each(|(out, n)| *out = n.into());
    });
    fields.field("pursuit_goal", &[PLACES], "0/1", |out| {
        mark(out, b.goal.map_or(PlaceSet::EMPTY, PlaceSet::of));
    });
}

/// Writes the choices of the action under way.
fn observe_detail<F: Fields>(s: &State, observer: Player, n: usize, fields: &mut F) {
    let mut places = [None; 3];
    let (mut kind, mut group_counts, mut captor, mut number) = (None, [0; N_KINDS], None, 0);
    match s.detail {
        Detail::Nothing => {}
        Detail::Sail { from, to } => places = [Some(from), None, Some(to)],
        Detail::Board { from, zone } => places = [Some(from), Some(zone), None],
        Detail::Group(group) => {
            places = [Some(group.from), Some(group.zone), Some(group.to)];
            (kind, group_counts) = (Some(group.due), group.counts);
        }
        Detail::Deal { captor: q, offer } => (captor, number) = (Some(q), offer),
        Detail::Units { unit, place } => {
            (places, number) = ([None, None, Some(place)], unit as u8);
        }
    }
    fields.field("under_way", &[("from, over, to", 3), PLACES], "0/1", |out| {
        for (out, place) in out.chunks_mut(N_PLACES).zip(places) {
            mark(out, place.map_or(PlaceSet::EMPTY, PlaceSet::of));
        }
    });
    fields.field("counted_kind", &[("kind", N_KINDS)], "0/1", |out| {
        if let Some(kind) = kind {
            out[usize::from(kind)] = 1.0;
        }
    });
    fields.field("counted", &[("kind", N_KINDS)], "units", |out| {
        out.iter_mut().zip(group_counts).for_each(|(out, n)| *out = n.into());
    });
    fields.field("deal_with", &[("seat", n)], "0/1", |out| {
        if let Some(q) = captor {
            out[seat_from(observer, q, n)] = 1.0;
        }
    });
    fields.field("offer_or_unit", &[], "number", |out| out[0] = number.into());
}

/// Writes troops and generals into an array by kind and place.
fn write_troops(out: &mut [f32], place: Place, troops: Troops) {
    let [infantry, cavalry, catapults] = counts(troops);
    for (kind, n) in [infantry, cavalry, catapults, troops.generals()].into_iter().enumerate() {
        out[N_PLACES * kind + place.idx()] = n.into();
    }
}

fn mark(out: &mut [f32], set: PlaceSet) {
    each(set.bits()).for_each(|place| out[usize::from(place)] = 1.0);
}
