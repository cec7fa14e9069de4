//! Five characters as weights of the evaluation: they want different things and look ahead alike.
//!
//! A persona is a file in `agents/data/rise/personas` with the weights that differ from the defaults and why.

/// The persona of the default weights.
pub(super) const BALANCED: &str = "balanced";

/// Names of the personas and their weights as TOML, the balanced one (all defaults) first.
pub const PERSONAS: &[(&str, &str)] = &[
    (BALANCED, ""),
    ("farmer", include_str!("../../../data/rise/personas/farmer.toml")),
    ("conqueror", include_str!("../../../data/rise/personas/conqueror.toml")),
    ("trader", include_str!("../../../data/rise/personas/trader.toml")),
    ("builder", include_str!("../../../data/rise/personas/builder.toml")),
    ("progress", include_str!("../../../data/rise/personas/progress.toml")),
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

#[cfg(test)]
mod tests {
    use super::super::Weights;
    use super::*;

    fn weights(name: &str) -> Option<Weights> {
        text(name).map(|text| Weights::parse(text).unwrap())
    }

    #[test]
    fn every_persona_differs_from_every_other() {
        for (i, (name, _)) in PERSONAS.iter().enumerate() {
            for (other, _) in &PERSONAS[..i] {
                assert_ne!(weights(name), weights(other), "{name} and {other}");
            }
        }
        assert_eq!((weights("balanced"), weights("nero")), (Some(Weights::default()), None));
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
