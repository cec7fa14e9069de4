//! The map of conquest2: armies, galleys, influence, cities and tokens, and the holdings of each seat.

use serde_json::Value as Json;

use super::cards;
use super::changes::{army, of_seat, units};
use crate::board::{Board, Kind};
use crate::chip::{Chip, ChipLook, symbols};
use crate::games::Drawing;
use crate::names::Names;
use crate::replay::{BoardView, Fight};
use crate::story::{Position, counted, seated};

/// Letters of the kinds of land units.
const LETTERS: [&str; 5] = ["i", "c", "k", "G", "C"];

/// Returns the alliance of a seat and its place in the turn order, if there is one.
fn alliance(position: &Position, seat: usize) -> Option<(&str, usize)> {
    let order = position.view["order"].as_array()?;
    let place = order.iter().position(|other| other.as_u64() == Some(seat as u64))?;
    Some((position.view["alliance"][place].as_str().unwrap_or_default(), place))
}

/// Returns what a seat chooses in a phase, by the first word of its name. It is no verb: a page calls a seat "you", too.
fn choice(phase: &str) -> &'static str {
    match phase.split(' ').next().unwrap_or_default() {
        "top" => "an action",
        "take" | "fleet" | "city" | "barbarians" | "bribe" | "revolt" => "a card to take",
        "recruit" => "recruits",
        "buy" => "influence",
        "tax" => "a special tax",
        "move" => "a move",
        "battle" | "commit" | "lend" | "losses" | "retreat" | "withdraw" | "dice" => "a battle",
        "sail" | "wind" | "naval" => "a move at sea",
        "use" | "vote" | "legions" => "a card to use",
        "bid" | "propose" | "amount" => "a bid for the alliances",
        "place" => "places for units",
        _ => "the next step",
    }
}

/// Returns the heading of a position, in words: its point in the game.
fn heading(position: &Position) -> String {
    let now = &position.view["now"];
    let season = position.number("/season") + 1;
    let phase = now["phase"].as_str().unwrap_or_default();
    let round = now["round"].as_i64().unwrap_or_default() + 1;
    let acts = now["actor"]
        .as_u64()
        .map_or_else(String::new, |seat| format!(": {}, {}", seated(seat as usize), choice(phase)));
    match phase {
        "over" => "The game is over".to_owned(),
        "first player" | "setup token" => "Set-up".to_owned(),
        "season token" | "season card" | "null draw" => format!("Season {season}: the draw"),
        "bid" | "propose" | "amount" => format!("Season {season}, before round 1{acts}"),
        phase if phase.starts_with("place") => format!("Set-up{acts}"),
        _ => format!("Season {season}, round {round}{acts}"),
    }
}

/// The drawing of conquest2.
#[derive(Clone, Debug)]
pub struct Map {
    board: Board,
    seats: usize,
    rules: Json,
    names: Names,
}

impl Map {
    /// Creates the map of these rules for `seats` seats; `None` if the rules have no map.
    #[must_use]
    pub fn new(rules: &Json, seats: usize) -> Option<Self> {
        let board = Board::of_rules(rules)?;
        let names = Names::of(Some(&board));
        Some(Self { board, seats, rules: rules.clone(), names })
    }

    /// Returns the mark of a seat's alliance; empty without one.
    fn side(position: &Position, seat: usize) -> &'static str {
        match alliance(position, seat).map(|(side, _)| side) {
            Some("A") => "A",
            Some("B") => "B",
            _ => "",
        }
    }

    /// Returns the chips in a province.
    fn land(&self, position: &Position, place: &str) -> Vec<Chip> {
        let state = &position.state;
        let mut chips = Vec::new();
        for seat in 0..self.seats {
            let here = units(position, seat, place);
            if here != [0; 5] {
                let title = format!("{}: {}", seated(seat), army(here));
                let text = symbols(LETTERS.iter().copied().zip(here));
                let chip = Chip::new(Some(seat), ChipLook::Units, text, title);
                chips.push(chip.on(Self::side(position, seat)));
            }
        }
        chips.extend(self.influence(position, place));
        if let Some(seat) = state["cities"][place].as_u64() {
            let title = format!("city of seat {}", seat + 1);
            chips.push(Chip::new(Some(seat as usize), ChipLook::Built, "w".to_owned(), title));
        }
        if let Some(n) = state["tokens"][place].as_i64() {
            let title = format!("{} for sale", counted(n, "token"));
            chips.push(Chip::new(None, ChipLook::Sale, n.to_string(), title));
        }
        chips
    }

    /// Returns the influence in a province, in descending order, with a mark on a sole leader.
    fn influence(&self, position: &Position, place: &str) -> Vec<Chip> {
        let count =
            |seat: usize| position.state["influence"][place][seat].as_i64().unwrap_or_default();
        let mut all: Vec<(i64, usize)> =
            (0..self.seats).map(|seat| (count(seat), seat)).filter(|(n, _)| *n > 0).collect();
        all.sort_by_key(|&(n, seat)| (-n, seat));
        let is_first =
            |n: i64| all[0].0 == n && all.iter().filter(|(other, _)| *other == n).count() == 1;
        let chip = |&(n, seat): &(i64, usize)| {
            let title = format!("{}: {n} influence", seated(seat));
            let chip = Chip::new(Some(seat), ChipLook::Token, n.to_string(), title);
            if is_first(n) { chip.on("1") } else { chip }
        };
        all.iter().map(chip).collect()
    }

    /// Returns the chips in a sea zone.
    fn sea(&self, position: &Position, zone: &str) -> Vec<Chip> {
        let galleys = |seat: usize| {
            let n = position.state["sea"][zone][seat].as_i64().filter(|&n| n > 0)?;
            let title = format!("{}: {}", seated(seat), counted(n, "galley"));
            let chip = Chip::new(Some(seat), ChipLook::Units, symbols([("g", n)]), title);
            Some(chip.on(Self::side(position, seat)))
        };
        (0..self.seats).filter_map(galleys).collect()
    }

    /// Returns the battle under way, with both sides and the odds.
    fn fights(&self, position: &Position) -> Vec<Fight> {
        let battle = &position.view["now"]["battle"];
        let place = battle["place"].as_str().and_then(|place| self.board.place(place));
        let Some(area) = place else { return Vec::new() };
        let side = |key: &str| {
            battle[key].as_u64().map_or_else(|| "slaves".to_owned(), |seat| seated(seat as usize))
        };
        let mut lines = vec![format!("{} against {}", side("attacker"), side("defender"))];
        let percent = |&(what, chance): &(&str, f64)| format!("{what}: {:.0} %", 100.0 * chance);
        lines.extend(position.odds.iter().map(percent));
        vec![Fight { area, text: lines.join("\n") }]
    }

    fn gauges_of(&self, position: &Position, seat: usize) -> Vec<String> {
        let player = &position.state["players"][seat];
        let alliance = alliance(position, seat)
            .map_or_else(String::new, |(side, place)| format!("{side} ({} in order)", place + 1));
        let influence: i64 = position.state["influence"]
            .as_object()
            .map_or(0, |all| all.values().filter_map(|counts| counts[seat].as_i64()).sum());
        let values = ["I", "II", "III", "IV"]
            .iter()
            .zip(player["senators"].as_array().into_iter().flatten());
        let known = values.filter(|(_, n)| n.as_i64() != Some(0)).map(|(value, n)| {
            if n.as_i64() == Some(1) { (*value).to_owned() } else { format!("{n} × {value}") }
        });
        let unseen = player["unseen"].as_i64().filter(|&n| n > 0);
        let unseen = unseen.map(|n| format!("{n} unseen"));
        let cards = player["cards"].as_array().into_iter().flatten();
        let cards: Vec<&str> = cards.filter_map(Json::as_str).collect();
        vec![
            of_seat(position, seat, "vp").to_string(),
            of_seat(position, seat, "money").to_string(),
            of_seat(position, seat, "chaos").to_string(),
            influence.to_string(),
            alliance,
            known.chain(unseen).collect::<Vec<_>>().join(", "),
            cards.join(", "),
        ]
    }
}

impl Drawing for Map {
    fn board(&self) -> Option<&Board> {
        Some(&self.board)
    }

    fn gauges(&self) -> Vec<String> {
        ["VP", "talents", "chaos", "influence", "alliance", "Senators", "cards"]
            .map(str::to_owned)
            .to_vec()
    }

    fn lists(&self) -> usize {
        3
    }

    fn note(&self, thing: &str) -> Option<String> {
        cards::note(&self.rules, &self.names, thing)
    }

    fn things(&self) -> Vec<(String, String)> {
        cards::names(&self.rules)
    }

    fn displays(&self) -> Vec<String> {
        vec!["cards on display".to_owned()]
    }

    fn score(&self) -> &'static str {
        "VP"
    }

    fn legend(&self) -> String {
        "Bars: units of a seat, by symbol and number (shield infantry, horse cavalry, ballista catapults, ship galleys, star \
         generals, crown the caesar), with a solid edge in alliance A and a broken one in B. Shapes: influence, most first, a \
         golden edge for who alone has most. Towers: cities. Coins: tokens for sale. Badges: what a province pays. Pieces \
         without room stand beside their area, with a line to it; arrows are open straits."
            .to_owned()
    }

    fn view(&self, position: &Position) -> BoardView {
        let area = |area: &crate::board::Area| match area.kind {
            Kind::Sea => self.sea(position, &area.id),
            _ => self.land(position, &area.id),
        };
        let heading = heading(position);
        BoardView {
            heading,
            areas: self.board.areas.iter().map(area).collect(),
            gauges: (0..self.seats).map(|seat| self.gauges_of(position, seat)).collect(),
            scores: (0..self.seats).map(|seat| of_seat(position, seat, "vp")).collect(),
            fights: self.fights(position),
            displays: vec![crate::story::words(&position.state["display"])],
            ..BoardView::default()
        }
    }
}
