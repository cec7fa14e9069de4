//! Auctions and battles of conquest2 as rows of their sides.

use serde_json::Value as Json;

use super::super::super::drawn_game::Asked;
use super::super::super::standing::{Row, Standing};
use super::super::battle::battle;
use super::super::text;
use crate::story::and;

/// Phases in which the dice of the round lie on the table.
const ROLLED: [&str; 3] = ["losses", "retreat", "withdraw"];

/// Returns the auction or the battle under way.
pub(in super::super) fn contest(asked: &Asked<'_>) -> Option<Standing> {
    let now = &asked.view["now"];
    let has_dice = ROLLED.contains(&text(asked.view, "/now/phase"));
    let fought = || battle(asked, &now["battle"], "slaves", has_dice);
    auction(asked, &now["auction"]).or_else(fought)
}

/// Returns the seat that a value names.
fn seat(value: &Json) -> Option<usize> {
    value.as_u64().map(|seat| seat as usize)
}

/// Returns the auction: bid, alliance and money of each seat.
fn auction(asked: &Asked<'_>, auction: &Json) -> Option<Standing> {
    let number = auction["number"].as_u64()?;
    let bid = &auction["bid"];
    let (bidder, actor) = (seat(&bid["seat"]), seat(&asked.view["now"]["actor"]));
    let pair = |boxes: &Json| {
        let named =
            |i: usize| Some(format!("{} in {}", asked.name(seat(&boxes[i])?), ["A", "B"][i]));
        and(&[0, 1].into_iter().filter_map(named).collect::<Vec<_>>())
    };
    let row = |who: usize| {
        let money = asked.view["players"][who]["money"].as_i64().unwrap_or_default();
        let alliance = alliance(asked, who);
        let talents = bid["talents"].as_i64().unwrap_or_default();
        let offer = match &auction["proposed"] {
            _ if bidder == Some(who) => format!("bids {talents} for {}", pair(&bid["boxes"])),
            proposed if actor == Some(who) && proposed.is_array() => {
                format!("proposes {}", pair(proposed))
            }
            _ if actor == Some(who) => "is to bid".to_owned(),
            _ if !may_bid(asked, who) => "may not bid".to_owned(),
            _ if has_passed(asked, who, bidder, actor) => "passed".to_owned(),
            _ => String::new(),
        };
        let left = match bidder == Some(who) {
            true => format!("{money} talents, {} after paying", money - talents),
            false => format!("{money} talents"),
        };
        Row {
            seat: Some(who),
            name: asked.name(who),
            cells: vec![offer, alliance.unwrap_or_default(), left],
            ..Row::default()
        }
    };
    Some(Standing {
        title: format!("Auction {} of alliances", number + 1),
        rows: (0..asked.names.len()).map(row).collect(),
    })
}

/// Returns the alliance of a seat with its place in the turn order, if it has one.
fn alliance(asked: &Asked<'_>, who: usize) -> Option<String> {
    let order = asked.view["order"].as_array()?;
    let place = order.iter().position(|other| seat(other) == Some(who))?;
    Some(format!("alliance {}, place {}", asked.view["alliance"][place].as_str()?, place + 1))
}

/// Returns whether a seat may bid: with some rules only those without an alliance, as long as they are two.
fn may_bid(asked: &Asked<'_>, who: usize) -> bool {
    let is_open = |&other: &usize| alliance(asked, other).is_none();
    let open = (0..asked.names.len()).filter(is_open).count();
    asked.game.rules["auction"]["allied_may_bid"] != false || open < 2 || is_open(&who)
}

/// Returns whether a seat sits between the bidder and the seat that is to bid: it has passed.
fn has_passed(asked: &Asked<'_>, who: usize, bidder: Option<usize>, actor: Option<usize>) -> bool {
    let (Some(bidder), Some(actor)) = (bidder, actor) else { return false };
    let after = |seat: usize| (seat + asked.names.len() - bidder) % asked.names.len();
    after(who) < after(actor)
}
