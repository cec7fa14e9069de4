//! The map and the numbers in the form that the rules use: sets as bits, and tables built once from the configuration.
//!
//! Every way from one area to another is a numbered *edge*, in the order of its start, then of its end. The moves of a
//! side's legions are the intersection of two sets of edges, both looked up. The first set leaves the areas with its
//! legions. The second set is open: by land, or over a route with an own fleet.

use super::config::Config;
use super::limits::{MAX_AREAS, MAX_ROUTES};
use crate::bits::each;
use crate::player::Player;

/// A set of areas as bits.
pub type Areas = u16;
/// A set of sea routes as bits.
pub type Routes = u8;
/// A set of edges as bits.
pub(super) type Edges = u64;
/// A set of cards by value: bit `v` stands for the card `v`.
pub type Hand = u16;

/// The start and the aims of one side.
#[derive(Clone, Debug)]
pub(super) struct Side {
    pub(super) capital: u8,
    pub(super) legions: u8,
    pub(super) has_hannibal: bool,
    pub(super) fleets: u8,
    pub(super) fleet_route: u8,
    /// Domination list: a legion in one area of each of these sets wins.
    pub(super) groups: Vec<Areas>,
}

/// The board and the numbers of one configuration.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) areas: Vec<String>,
    pub(super) routes: Vec<String>,
    /// Start and end of every edge.
    pub(super) edges: Vec<[u8; 2]>,
    /// Edges that lead to an area where Hannibal may not go.
    pub(super) barred_to_hannibal: Edges,
    /// Edges that leave a set of areas, by the lower and the upper half of the set.
    leaving: [[Edges; 256]; 2],
    /// Edges that are open to a side, by the routes where it has fleets.
    open: [Edges; 1 << MAX_ROUTES],
    /// Areas one step from each area, by those routes.
    reach: [[Areas; MAX_AREAS]; 1 << MAX_ROUTES],
    pub(super) sides: [Side; 2],
    pub(super) full_hand: Hand,
    pub(super) bonus: u8,
    pub(super) hannibal_lost_on_tie: bool,
    pub(super) capital_entry_wins: bool,
    pub(super) rebuild_without_fleets: bool,
    pub(super) hannibal_pays_for_fleet: bool,
    pub(super) first: Player,
    pub(super) max_turns: u16,
    pub(super) passes_to_draw: u8,
}

fn place(ids: &[&str], id: &str) -> u8 {
    ids.iter().position(|known| *known == id).expect("the configuration was checked") as u8
}

/// Returns the pairs of places that `ends` names.
fn pair(areas: &[&str], ends: &[String]) -> [u8; 2] {
    [place(areas, &ends[0]), place(areas, &ends[1])]
}

impl Board {
    pub(super) fn new(config: &Config) -> Self {
        let areas = config.areas();
        let land: Vec<[u8; 2]> = config.borders().iter().map(|ends| pair(&areas, ends)).collect();
        let sea: Vec<[u8; 2]> = config.route.iter().map(|r| pair(&areas, &r.ends)).collect();
        let there_and_back = land.iter().chain(&sea).flat_map(|&[a, b]| [[a, b], [b, a]]);
        let mut edges: Vec<[u8; 2]> = there_and_back.collect();
        edges.sort_unstable();
        edges.dedup();
        let islands: Vec<bool> = config.area.iter().map(|area| area.island).collect();
        let is_island = |area: u8| islands.get(usize::from(area)).copied().unwrap_or(false);
        let bars = !config.rules.hannibal_enters_islands;
        let open = open(&edges, &land, &sea);
        Self {
            barred_to_hannibal: edges_where(&edges, |[_, to]| bars && is_island(to)),
            leaving: [0, 8].map(|shift| leaving(&edges, shift)),
            reach: open.map(|open| reach(&edges, open)),
            open,
            edges,
            sides: config.sides().map(|side| Side::new(side, &areas, config)),
            full_hand: config.cards.values.iter().fold(0, |hand, value| hand | 1 << value),
            bonus: config.rules.hannibal_bonus as u8,
            hannibal_lost_on_tie: config.rules.hannibal_lost_on_tie,
            capital_entry_wins: config.rules.capital_entry_wins,
            rebuild_without_fleets: config.rules.rebuild_without_fleets,
            hannibal_pays_for_fleet: config.rules.hannibal_pays_for_fleet,
            first: Player::of(u8::from(config.rules.first_player == super::config::SIDES[1])),
            max_turns: config.max_turns as u16,
            passes_to_draw: config.passes_to_draw as u8,
            routes: config.route.iter().map(|route| route.id.clone()).collect(),
            areas: areas.iter().map(|&id| id.to_owned()).collect(),
        }
    }

    /// Returns the edges that leave `areas`.
    #[inline]
    pub(super) fn leaving(&self, areas: Areas) -> Edges {
        self.leaving[0][usize::from(areas & 0xff)] | self.leaving[1][usize::from(areas >> 8)]
    }

    /// Returns the edges that are open to a side with fleets on `routes`.
    #[inline]
    pub(super) fn open(&self, routes: Routes) -> Edges {
        self.open[usize::from(routes)]
    }

    /// Returns the areas one step from `area` for a side with fleets on `routes`.
    #[inline]
    pub(super) fn reach(&self, area: u8, routes: Routes) -> Areas {
        self.reach[usize::from(routes)][usize::from(area)]
    }

    /// Returns the edge from `from` to `to` as a set; empty if there is none.
    pub(super) fn edge(&self, from: u8, to: u8) -> Edges {
        self.edges.binary_search(&[from, to]).map_or(0, |edge| 1 << edge)
    }
}

impl Side {
    fn new(side: &super::config::Side, areas: &[&str], config: &Config) -> Self {
        let routes: Vec<&str> = config.route.iter().map(|route| route.id.as_str()).collect();
        let set = |ids: &Vec<String>| ids.iter().fold(0, |set, id| set | 1 << place(areas, id));
        Self {
            capital: place(areas, &side.capital),
            legions: side.legions as u8,
            has_hannibal: side.hannibal,
            fleets: side.fleets as u8,
            fleet_route: place(&routes, &side.fleet_route),
            groups: side.domination.iter().map(set).collect(),
        }
    }
}

fn edges_where(edges: &[[u8; 2]], is_in: impl Fn([u8; 2]) -> bool) -> Edges {
    let members = edges.iter().enumerate().filter(|(_, ends)| is_in(**ends));
    members.fold(0, |set, (edge, _)| set | 1 << edge)
}

/// Returns the edges that leave each set of the eight areas from `shift` on.
fn leaving(edges: &[[u8; 2]], shift: u8) -> [Edges; 256] {
    let leaves =
        |set: usize, from: u8| (shift..shift + 8).contains(&from) && set >> (from - shift) & 1 == 1;
    std::array::from_fn(|set| edges_where(edges, |[from, _]| leaves(set, from)))
}

/// Returns the edges that are open with fleets on each set of routes.
fn open(edges: &[[u8; 2]], land: &[[u8; 2]], sea: &[[u8; 2]]) -> [Edges; 1 << MAX_ROUTES] {
    let joins =
        |ways: &[[u8; 2]], [a, b]: [u8; 2]| ways.contains(&[a, b]) || ways.contains(&[b, a]);
    let by_land = edges_where(edges, |ends| joins(land, ends));
    let over = |route: usize| edges_where(edges, |ends| joins(&sea[route..=route], ends));
    let routes = |set: usize| (0..sea.len()).filter(move |route| set >> route & 1 == 1);
    std::array::from_fn(|set| routes(set).fold(by_land, |open, route| open | over(route)))
}

fn reach(edges: &[[u8; 2]], open: Edges) -> [Areas; MAX_AREAS] {
    let mut reach = [0; MAX_AREAS];
    for [from, to] in each(open).map(|edge| edges[usize::from(edge)]) {
        reach[usize::from(from)] |= 1 << to;
    }
    reach
}
