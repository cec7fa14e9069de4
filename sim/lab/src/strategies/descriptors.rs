//! Descriptors: numbers of a watched game that say how a strategy plays, by name.

use std::collections::BTreeSet;

use super::seats::WatchedGame;
use super::watch::PLACES;
use sim::error::Error;

/// The smallest and the largest number of descriptors of an archive.
const NUMBERS: [usize; 2] = [2, 4];
/// Things of a kind that a refusal lists.
const LISTED: usize = 12;

/// A number of a seat in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Descriptor {
    name: String,
    meaning: Meaning,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Meaning {
    /// A number at the end of the game.
    End,
    /// The number of different things of a kind that the seat takes or holds.
    Kind,
    /// One if the seat takes or holds the thing of this kind, else zero.
    Thing { kind: String, name: String },
}

impl Descriptor {
    /// Reads a list of names, as in `turns,cards:raid`. `games` show the names that there are.
    ///
    /// # Errors
    /// If a name is unknown or named twice, or there are not two to four.
    pub fn list(text: &str, games: &[WatchedGame]) -> Result<Vec<Self>, Error> {
        let refused = |message: String| Error::value("niche", text, message);
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        let all = names.iter().map(|name| Self::named(name, games).map_err(refused));
        let all: Vec<Self> = all.collect::<Result<_, _>>()?;
        if !(NUMBERS[0]..=NUMBERS[1]).contains(&all.len()) {
            return Err(refused("an archive has two to four descriptors".to_owned()));
        }
        match (0..all.len()).find(|&i| all[..i].contains(&all[i])) {
            Some(twice) => Err(refused(format!("{} is named twice", all[twice].name))),
            None => Ok(all),
        }
    }

    fn named(name: &str, games: &[WatchedGame]) -> Result<Self, String> {
        let of = |meaning| Ok(Self { name: name.to_owned(), meaning });
        let mut ends: Vec<&str> = Vec::new();
        if let Some(game) = games.first() {
            ends.extend(game.ends.iter().map(|(end, _)| *end));
        }
        let things: BTreeSet<(&str, &str)> = games
            .iter()
            .flat_map(|game| game.things.keys().map(|thing| (thing.kind, &thing.name[..])))
            .collect();
        let kinds: BTreeSet<&str> = things.iter().map(|(kind, _)| *kind).collect();
        if ends.contains(&name) {
            return of(Meaning::End);
        }
        if kinds.contains(name) {
            return of(Meaning::Kind);
        }
        let Some((kind, thing)) = name.split_once(':').filter(|(kind, _)| kinds.contains(kind))
        else {
            let all: Vec<String> = ends
                .into_iter()
                .map(str::to_owned)
                .chain(kinds.into_iter().flat_map(|kind| [kind.to_owned(), format!("{kind}:NAME")]))
                .collect();
            return Err(match all.is_empty() {
                true => "games of these seats have no descriptors".to_owned(),
                false => format!("{name} is no descriptor of this game: it has {}", all.join(", ")),
            });
        };
        if things.contains(&(kind, thing)) {
            return of(Meaning::Thing { kind: kind.to_owned(), name: thing.to_owned() });
        }
        let names: Vec<&str> =
            things.iter().filter(|(one, _)| *one == kind).map(|(_, name)| *name).collect();
        let rest = names.len().saturating_sub(LISTED);
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let listed = names[..names.len() - rest].join(", ");
        Err(format!("{thing} is none of the {kind}: {listed}{more}"))
    }

    /// Returns the name, as it was given.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the meaning in words, of a mean over games.
    #[must_use]
    pub fn words(&self) -> String {
        let name = &self.name;
        match &self.meaning {
            Meaning::End => format!("{name} at the end"),
            Meaning::Kind => format!("different {name} in a game"),
            Meaning::Thing { kind, name } => {
                let verb = if kind == PLACES { "hold" } else { "take" };
                format!("share of games that {verb} {name}")
            }
        }
    }

    /// Returns the number of the seat at `place` in a game.
    pub(super) fn of(&self, game: &WatchedGame, place: usize) -> f64 {
        let of_kind = |kind: &str| {
            let own =
                game.things.iter().filter(|(thing, by)| thing.kind == kind && by.contains(&place));
            own.count()
        };
        match &self.meaning {
            Meaning::End => {
                let found = game.ends.iter().find(|(name, _)| *name == self.name);
                found.map_or(0.0, |(_, numbers)| numbers[place])
            }
            Meaning::Kind => of_kind(&self.name) as f64,
            Meaning::Thing { kind, name } => {
                let mut all = game.things.iter();
                let has = all.any(|(thing, by)| {
                    thing.kind == kind && thing.name == *name && by.contains(&place)
                });
                f64::from(u8::from(has))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::seats::Thing;
    use super::*;

    fn game() -> WatchedGame {
        let thing = |kind, name: &str| Thing { kind, name: name.to_owned() };
        let things = [
            (thing("cards", "raid"), [0, 1].into()),
            (thing("cards", "tax"), [1].into()),
            (thing(PLACES, "north"), [0].into()),
        ];
        let ends = vec![("gold", vec![3.0, 5.0])];
        WatchedGame { block: 0, turn: 0, points: vec![1.0, 0.0], things: things.into(), ends }
    }

    #[test]
    fn a_descriptor_is_an_end_a_kind_or_a_thing() {
        let all = Descriptor::list("gold,cards,cards:tax,places:north", &[game()]).unwrap();
        let of = |place| all.iter().map(|one| one.of(&game(), place)).collect::<Vec<f64>>();
        assert_eq!((of(0), of(1)), (vec![3.0, 1.0, 0.0, 1.0], vec![5.0, 2.0, 1.0, 0.0]));
        let words: Vec<String> = all.iter().map(Descriptor::words).collect();
        let end = "gold at the end";
        let [tax, north] =
            ["take tax", "hold north"].map(|verb| format!("share of games that {verb}"));
        assert_eq!(words, [end, "different cards in a game", &tax, &north]);
    }

    #[test]
    fn a_refusal_lists_what_the_game_has() {
        let refusal = |text: &str| Descriptor::list(text, &[game()]).unwrap_err().to_string();
        let unknown = refusal("gold,silver");
        assert!(unknown.contains("silver is no descriptor of this game"), "{unknown}");
        assert!(unknown.contains("gold, cards, cards:NAME, places, places:NAME"), "{unknown}");
        assert!(refusal("gold,cards:war").contains("war is none of the cards: raid, tax"));
        assert!(refusal("gold").contains("two to four"));
        assert!(refusal("gold,gold").contains("gold is named twice"));
        let nothing = Descriptor::list("a,b", &[]).unwrap_err().to_string();
        assert!(nothing.contains("have no descriptors"), "{nothing}");
    }
}
