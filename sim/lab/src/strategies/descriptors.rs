//! Descriptors: numbers of a watched game that say how a strategy plays, by name.

use std::collections::BTreeSet;

use super::means::{CHOICES, FEATURES};
use super::seats::{Thing, WatchedGame};
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
    Thing(Thing),
    /// A mean over the game.
    Mean(Thing),
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
        let ends: Vec<&str> = games
            .first()
            .map_or_else(Vec::new, |game| game.ends.iter().map(|(end, _)| *end).collect());
        let things: BTreeSet<&Thing> = games.iter().flat_map(|game| game.things.keys()).collect();
        let means: BTreeSet<&Thing> = games.iter().flat_map(|game| game.means.keys()).collect();
        let is_of = |all: &BTreeSet<&Thing>, kind: &str| all.iter().any(|one| one.kind == kind);
        if ends.contains(&name) {
            return of(Meaning::End);
        }
        if is_of(&things, name) {
            return of(Meaning::Kind);
        }
        let of_kind = name.split_once(':');
        let of_kind = of_kind.filter(|(kind, _)| is_of(&things, kind) || is_of(&means, kind));
        let Some((kind, thing)) = of_kind else {
            return Err(unknown(name, &ends, &things, &means));
        };
        let is_thing = |one: &&&Thing| one.kind == kind && one.name == thing;
        if let Some(&found) = things.iter().find(is_thing) {
            return of(Meaning::Thing(found.clone()));
        }
        if let Some(&found) = means.iter().find(is_thing) {
            return of(Meaning::Mean(found.clone()));
        }
        let names = things.iter().chain(&means).filter(|one| one.kind == kind);
        let names: Vec<&str> = names.map(|one| &one.name[..]).collect();
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
            Meaning::Thing(Thing { kind, name }) => {
                let verb = if *kind == PLACES { "hold" } else { "take" };
                format!("share of games that {verb} {name}")
            }
            Meaning::Mean(Thing { kind, name }) => match *kind {
                CHOICES => format!("share of choices that begin with {name}"),
                FEATURES => format!("mean {name} over the game"),
                kind => format!("mean {name} of the {kind}"),
            },
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
            Meaning::Thing(thing) => {
                let has = game.things.get(thing).is_some_and(|by| by.contains(&place));
                f64::from(u8::from(has))
            }
            Meaning::Mean(mean) => game.means.get(mean).map_or(0.0, |numbers| numbers[place]),
        }
    }
}

/// Returns the refusal of a name, with what the game has.
fn unknown(
    name: &str,
    ends: &[&str],
    things: &BTreeSet<&Thing>,
    means: &BTreeSet<&Thing>,
) -> String {
    let kinds = |all: &BTreeSet<&Thing>| -> BTreeSet<&'static str> {
        all.iter().map(|one| one.kind).collect()
    };
    let of_things =
        kinds(things).into_iter().flat_map(|kind| [kind.to_owned(), format!("{kind}:NAME")]);
    let of_means = kinds(means).into_iter().map(|kind| format!("{kind}:NAME"));
    let all: Vec<String> =
        ends.iter().map(|&end| end.to_owned()).chain(of_things).chain(of_means).collect();
    match all.is_empty() {
        true => "games of these seats have no descriptors".to_owned(),
        false => format!("{name} is no descriptor of this game: it has {}", all.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game() -> WatchedGame {
        let thing = |kind, name: &str| Thing { kind, name: name.to_owned() };
        let things = [
            (thing("cards", "raid"), [0, 1].into()),
            (thing("cards", "tax"), [1].into()),
            (thing(PLACES, "north"), [0].into()),
        ];
        let ends = vec![("gold", vec![3.0, 5.0])];
        let means = [
            (thing(CHOICES, "move"), vec![0.5, 0.25]),
            (thing(FEATURES, "army"), vec![2.0, 4.0]),
            (thing("auction", "paid"), vec![7.0, 0.0]),
        ];
        let (things, means) = (things.into(), means.into());
        WatchedGame { block: 0, turn: 0, points: vec![1.0, 0.0], things, ends, means }
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
        let means = Descriptor::list("choices:move,features:army,auction:paid", &[game()]).unwrap();
        let of: Vec<f64> = means.iter().map(|one| one.of(&game(), 1)).collect();
        assert_eq!(of, [0.25, 4.0, 0.0]);
        let words: Vec<String> = means.iter().map(Descriptor::words).collect();
        assert_eq!(words[0], "share of choices that begin with move");
        assert_eq!(words[1..], ["mean army over the game", "mean paid of the auction"]);
        assert!(refusal("gold,features:navy").contains("navy is none of the features: army"));
        let unknown = refusal("gold,silver");
        assert!(unknown.contains("silver is no descriptor of this game"), "{unknown}");
        assert!(
            unknown.contains(
                "gold, cards, cards:NAME, places, places:NAME, auction:NAME, choices:NAME"
            ),
            "{unknown}"
        );
        assert!(refusal("gold,cards:war").contains("war is none of the cards: raid, tax"));
        assert!(refusal("gold").contains("two to four"));
        assert!(refusal("gold,gold").contains("gold is named twice"));
        let nothing = Descriptor::list("a,b", &[]).unwrap_err().to_string();
        assert!(nothing.contains("have no descriptors"), "{nothing}");
    }
}
