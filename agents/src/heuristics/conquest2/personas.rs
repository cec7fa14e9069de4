//! Six characters as weights of the evaluation: three that the play tips of the rulebook describe, three others.
//!
//! A persona is a file in `agents/data/conquest2/personas` with the weights that differ from the defaults and why. It
//! changes what an agent wants, not how well it looks ahead. How the personas differ in play is tested in
//! `agents/tests/it/personas.rs`; how strong they are stands in `experiments/personas/README.md`.

use super::weights::Weights;

/// The persona of the default weights.
pub(super) const BALANCED: &str = "balanced";

/// Names of the personas and their weights as TOML, the balanced one (all defaults) first.
pub const PERSONAS: &[(&str, &str)] = &[
    (BALANCED, ""),
    ("central", include_str!("../../../data/conquest2/personas/central.toml")),
    ("provincial", include_str!("../../../data/conquest2/personas/provincial.toml")),
    ("senate", include_str!("../../../data/conquest2/personas/senate.toml")),
    ("raider", include_str!("../../../data/conquest2/personas/raider.toml")),
    ("turtle", include_str!("../../../data/conquest2/personas/turtle.toml")),
    ("merchant", include_str!("../../../data/conquest2/personas/merchant.toml")),
];

/// The names alone.
pub(super) const NAMES: &[&str] = &{
    let mut names = [""; PERSONAS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = PERSONAS[i].0;
        i += 1;
    }
    names
};

/// What a persona changes, as TOML; `None` if nobody is called so.
pub(super) fn text(name: &str) -> Option<&'static str> {
    PERSONAS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

impl Weights {
    /// The weights of a persona; `None` if nobody is called so.
    ///
    /// # Panics
    /// If an embedded file is faulty (a bug, which a test would show).
    #[must_use]
    pub fn persona(name: &str) -> Option<Self> {
        text(name).map(|text| Self::parse(text).expect("the weights of a persona are good"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_persona_differs_from_every_other() {
        for (i, (name, _)) in PERSONAS.iter().enumerate() {
            for (other, _) in &PERSONAS[..i] {
                assert_ne!(Weights::persona(name), Weights::persona(other), "{name} and {other}");
            }
        }
        assert_eq!(Weights::persona("balanced"), Some(Weights::default()));
        assert_eq!(Weights::persona("nero"), None);
    }

    #[test]
    fn a_persona_says_of_every_weight_why() {
        for (name, text) in &PERSONAS[1..] {
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(!lines.is_empty(), "{name} changes nothing");
            for line in lines {
                assert!(line.contains(" # "), "{name}: {line}");
                let alone = Weights::parse(line).unwrap();
                assert_ne!(alone, Weights::default(), "{name}: {line} is the default");
            }
        }
    }
}
