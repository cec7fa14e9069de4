//! Numbers of actions, and observations as numbers.

use super::board::Board;
use super::state::{Phase, State, Tiles};
use super::things::{
    City, Empire, Good, MAX_CIRCLES, N_BOXES, N_CITIES, N_EMPIRES, N_FREE, N_PROGRESS, N_REGIONS,
    N_TERRITORIES, N_TURNS, Progress, Region, Row, Territory, TradeBox,
};
use super::{Action, Rise};
use crate::action_index::{ActionBlock, ActionIndex, Values};
use crate::observation::{Fields, ObservationTensor, seats_from};
use crate::player::Player;
use crate::view::View;

/// Number of kinds of goods.
const GOODS: u32 = Good::ALL.len() as u32;

/// Lays out the numbers, word by word. Prices and goods are bounded by what the rules can demand or give.
pub(super) fn numbers(board: &Board) -> [ActionBlock; 22] {
    let circles = board.circles.into_iter().max().unwrap_or(1).into();
    let per_disc = board.config.action_display.b_turn_cost_per_disc_to_the_left as u32;
    let given = board.choices.iter().flatten().map(|source| {
        let tiles = u32::from(board.territories[source.tile.idx()].count);
        source.amount as u32 * (tiles + board.outside.territories(source.tile))
    });
    let most_given = given.max().unwrap_or(0).min(u8::MAX.into());
    let (regions, seats) = (N_REGIONS as u32, board.n_players as u32);
    ActionBlock::lay_out([
        ("place", &[Row::COUNT as u32]),
        ("remove", &[Row::COUNT as u32, circles]),
        ("use", &[N_FREE as u32, 1 + regions]),
        ("pay", &[GOODS, per_disc * (circles - 1)]),
        ("progress", &[N_PROGRESS as u32]),
        ("territory", &[N_TERRITORIES as u32]),
        ("city", &[N_CITIES as u32]),
        ("empire", &[N_EMPIRES as u32]),
        ("trade", &[N_BOXES as u32]),
        ("skip", &[]),
        ("abandon", &[]),
        ("to", &[regions]),
        ("count", &[board.config.stock.player_cubes_per_colour as u32]),
        ("done", &[]),
        ("battle", &[regions, seats]),
        ("no-battle", &[]),
        ("end", &[]),
        ("drop a tile", &[N_PROGRESS as u32]),
        ("drop a city", &[N_CITIES as u32]),
        ("keep", &[]),
        ("seat", &[seats]),
        ("take", &[GOODS, most_given]),
    ])
}

impl ActionIndex for Rise {
    fn action_blocks(&self) -> &[ActionBlock] {
        &self.numbers
    }

    fn split(&self, action: Action) -> (usize, Values) {
        let free = |tile: Progress| {
            let place = self.board.free.iter().position(|free| free.tile == tile);
            place.expect("a tile with a free action") as u32
        };
        let units = |n: u8| u32::from(n) - 1;
        let (block, first, second) = match action {
            Action::Place(row) => (0, row as u32, 0),
            Action::Remove(row, circle) => (1, row as u32, units(circle)),
            Action::Use(tile, region) => {
                (2, free(tile), region.map_or(0, |region| 1 + u32::from(region.number())))
            }
            Action::Pay(good, n) => (3, good as u32, units(n)),
            Action::Progress(tile) => (4, tile.number().into(), 0),
            Action::Territory(tile) => (5, tile.number().into(), 0),
            Action::City(city) => (6, city.number().into(), 0),
            Action::Empire(tile) => (7, tile.number().into(), 0),
            Action::Trade(number) => (8, number.number().into(), 0),
            Action::Skip => (9, 0, 0),
            Action::Abandon => (10, 0, 0),
            Action::To(region) => (11, region.number().into(), 0),
            Action::Count(n) => (12, units(n), 0),
            Action::Done => (13, 0, 0),
            Action::Battle(region, rival) => (14, region.number().into(), rival.number().into()),
            Action::NoBattle => (15, 0, 0),
            Action::End => (16, 0, 0),
            Action::DropProgress(tile) => (17, tile.number().into(), 0),
            Action::DropCity(city) => (18, city.number().into(), 0),
            Action::Keep => (19, 0, 0),
            Action::Take(good, n) => (21, good as u32, units(n)),
            Action::Seat(place) => (20, units(place), 0),
            Action::Order(_) | Action::DrawProgress(_) | Action::DrawTerritory(_) => {
                unreachable!("{action:?} is chance")
            }
        };
        (block, [first, second, 0, 0])
    }

    fn join(&self, block: usize, [first, second, ..]: Values) -> Action {
        let (number, n) = (first as u8, second as u8 + 1);
        match block {
            0 => Action::Place(Row::ALL[first as usize]),
            1 => Action::Remove(Row::ALL[first as usize], n),
            2 => {
                let region = second.checked_sub(1).map(|region| Region::new(region as u8));
                Action::Use(self.board.free[first as usize].tile, region)
            }
            3 => Action::Pay(Good::ALL[first as usize], n),
            4 => Action::Progress(Progress::new(number)),
            5 => Action::Territory(Territory::new(number)),
            6 => Action::City(City::new(number)),
            7 => Action::Empire(Empire::new(number)),
            8 => Action::Trade(TradeBox::new(number)),
            9 => Action::Skip,
            10 => Action::Abandon,
            11 => Action::To(Region::new(number)),
            12 => Action::Count(number + 1),
            13 => Action::Done,
            14 => Action::Battle(Region::new(number), Player::of(second as u8)),
            15 => Action::NoBattle,
            16 => Action::End,
            17 => Action::DropProgress(Progress::new(number)),
            18 => Action::DropCity(City::new(number)),
            19 => Action::Keep,
            20 => Action::Seat(number + 1),
            _ => Action::Take(Good::ALL[first as usize], n),
        }
    }
}

impl ObservationTensor for Rise {
    fn observe<F: Fields>(view: View<'_, Self>, fields: &mut F) {
        let (board, s, n) = (&view.game().board, view.state(), view.game().board.n_players);
        observe_players(s, view.observer(), n, fields);
        observe_pieces(s, view.observer(), n, fields);
        observe_table(s, fields);
        observe_detail(board, s, fields);
    }
}

/// Writes what each player has, and their places in the order.
fn observe_players<F: Fields>(s: &State, observer: Player, n: usize, fields: &mut F) {
    let seats = seats_from(observer, n);
    let axis = [("seat", n)];
    {
        let mut by_seat = |name, unit, value: &dyn Fn(usize) -> i32| {
            fields.field(name, &axis, unit, |out| {
                let values = seats.clone().map(|seat| value(seat.idx()) as f32);
                out.iter_mut().zip(values).for_each(|(out, value)| *out = value);
            });
        };
        by_seat("gold", "gold", &|seat| s.gold(seat));
        by_seat("vp", "points", &|seat| s.vp(seat));
        by_seat("food", "steps", &|seat| s.food(seat));
        by_seat("resource", "discs", &|seat| s.resource(seat));
        by_seat("pool", "cubes", &|seat| s.pool(seat));
        by_seat("stock", "cubes", &|seat| s.stock(seat));
    }
    let mut sets = |name, axis_name, len: usize, bits: &dyn Fn(usize) -> u64| {
        fields.field(name, &[("seat", n), (axis_name, len)], "0/1", |out| {
            for (out, seat) in out.chunks_mut(len).zip(seats.clone()) {
                mark(out, bits(seat.idx()));
            }
        });
    };
    sets("progress", "progress tile", N_PROGRESS, &|seat| s.progress[seat].bits());
    sets("cities", "city", N_CITIES, &|seat| s.cities[seat].bits());
    sets("free_used", "free action", N_FREE, &|seat| s.used[seat].into());
    sets("alliance", "region", N_REGIONS, &|seat| {
        s.alliance[seat].map_or(0, |region| 1 << region.number())
    });
    sets("order", "place", n, &|seat| place_in(&s.order, seat));
    sets("next_order", "place", n, &|seat| place_in(&s.next_order, seat));
    let to_choose = |seat| {
        u64::from(
            s.phase == Phase::Seat
                && s.choosers[usize::from(s.at)..].contains(&Some(Player::new(seat))),
        )
    };
    sets("chooses_place", "is still to choose", 1, &to_choose);
}

/// Writes cubes, territory tiles and discs of each player.
fn observe_pieces<F: Fields>(s: &State, observer: Player, n: usize, fields: &mut F) {
    let seats = seats_from(observer, n);
    fields.field("cubes", &[("seat", n), ("region", N_REGIONS)], "cubes", |out| {
        for (out, seat) in out.chunks_mut(N_REGIONS).zip(seats.clone()) {
            let cubes = s.map.iter().map(|region| region[seat.idx()]);
            out.iter_mut().zip(cubes).for_each(|(out, n)| *out = n.into());
        }
    });
    fields.field("territory", &[("seat", n), ("territory tile", N_TERRITORIES)], "tiles", |out| {
        for (out, seat) in out.chunks_mut(N_TERRITORIES).zip(seats.clone()) {
            count(out, &s.territory[seat.idx()]);
        }
    });
    let axes = [("seat", n), ("row", Row::COUNT), ("circle", MAX_CIRCLES)];
    fields.field("discs", &axes, "0/1", |out| {
        for (out, seat) in out.chunks_mut(Row::COUNT * MAX_CIRCLES).zip(seats.clone()) {
            for (row, out) in Row::ALL.into_iter().zip(out.chunks_mut(MAX_CIRCLES)) {
                let circles = s.circles_of(row, seat.idx());
                let circles = (0..MAX_CIRCLES).filter(|circle| circles >> (4 * circle) & 1 == 1);
                circles.for_each(|circle| out[circle] = 1.0);
            }
        }
    });
}

/// Writes what lies beside the players, and the time.
fn observe_table<F: Fields>(s: &State, fields: &mut F) {
    let mut tiles = |names: [&'static str; 2], tiles: &Tiles| {
        fields.field(names[0], &[("progress tile", N_PROGRESS)], "tiles", |out| {
            count(out, &tiles.progress);
        });
        fields.field(names[1], &[("territory tile", N_TERRITORIES)], "tiles", |out| {
            count(out, &tiles.territory);
        });
    };
    tiles(["progress_display", "territory_display"], &s.display);
    tiles(["progress_stack", "territory_stack"], &s.stacks);
    let mut set = |name, axis, len, bits| {
        fields.field(name, &[(axis, len)], "0/1", |out| mark(out, bits));
    };
    set("city_display", "city", N_CITIES, s.city_display.bits());
    set("empire_display", "empire tile", N_EMPIRES, s.empires.bits());
    set("boxes_taken", "box", N_BOXES, s.boxes.bits());
    set("turn", "turn", N_TURNS, 1 << s.turn);
    set("phase", "phase", N_PHASES, 1 << s.phase as u32);
}

/// Number of phases.
const N_PHASES: usize = Phase::Over as usize + 1;

/// Writes the progress of the action or the choice under way.
fn observe_detail<F: Fields>(board: &Board, s: &State, fields: &mut F) {
    let detail = &s.detail;
    let mut number = |name, unit, value: f32| fields.field(name, &[], unit, |out| out[0] = value);
    number("round", "rounds", s.round.into());
    number("resource_on_trade", "discs", s.on_trade.into());
    number("price_due", "units", detail.due.into());
    number("regions_left", "regions", detail.areas.into());
    number("goods_left", "units", detail.left.into());
    number("food_chosen", "steps", detail.food.into());
    number("battle_line", "lines", detail.line.into());
    number("next_kind", "place in the list", detail.next.into());
    number("free_window", "free actions", detail.window.into());
    let bit = |place: Option<u8>| place.map_or(0, |place| 1u64 << place);
    let mut set =
        |name, axis, len, bits| fields.field(name, &[(axis, len)], "0/1", |out| mark(out, bits));
    set("row", "row", Row::COUNT, bit(detail.row.map(|row| row as u8)));
    set("taken", "progress tile", N_PROGRESS, bit(detail.taken.map(Progress::number)));
    set("empire", "empire tile", N_EMPIRES, bit(detail.tile.map(Empire::number)));
    set("regions_open", "region", N_REGIONS, detail.may.bits());
    set("regions_chosen", "region", N_REGIONS, detail.chosen.bits());
    set("region", "region", N_REGIONS, bit(detail.region.map(Region::number)));
    set("fought", "region", N_REGIONS, bit(detail.fought.map(Region::number)));
    let flags = [detail.water, detail.is_newcomer, detail.has_abandoned, detail.may_abandon];
    let flags = flags.into_iter().rev().fold(0, |bits, flag| bits << 1 | u64::from(flag));
    set("flags", "water, newcomer, abandoned, may abandon", 4, flags);
    let choices = board.choices.iter().map(Vec::len).max().unwrap_or(0);
    let is_choosing = matches!(s.phase, Phase::ChooseFood | Phase::ChooseGoods);
    set("source", "source", choices, bit(is_choosing.then_some(detail.source)));
}

fn place_in(order: &[Option<Player>], seat: usize) -> u64 {
    let place = order.iter().position(|player| *player == Some(Player::new(seat)));
    place.map_or(0, |place| 1 << place)
}

fn mark(out: &mut [f32], bits: u64) {
    for (i, out) in out.iter_mut().enumerate() {
        *out = (bits >> i & 1) as f32;
    }
}

fn count(out: &mut [f32], counts: &[u8]) {
    out.iter_mut().zip(counts).for_each(|(out, &n)| *out = n.into());
}
