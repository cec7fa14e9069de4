//! The battle die: checks, rolls, lists and texts of its faces.

use serde_json::Value;

use crate::games::shared::units::{N_MILITARY, Unit};
use crate::rng::Randomness;
use crate::rules::{BadRules, Rules};

/// Faces of the battle die that matter: the four military units, then blank.
pub(crate) const N_FACES: usize = N_MILITARY + 1;

const BLANK: usize = N_MILITARY;

/// Largest number of faces of a die.
const MOST_FACES: usize = 100;

/// Number of dice that show each face.
pub(crate) type Roll = [u8; N_FACES];

/// Returns the name of a face.
pub(crate) fn face_name(face: usize) -> &'static str {
    if face == BLANK { "blank" } else { Unit::MILITARY[face].name() }
}

/// Returns the face with this name.
pub(crate) fn face(name: &str) -> Option<usize> {
    (0..N_FACES).find(|&face| face_name(face) == name)
}

/// Refuses a list of faces that no die can have.
pub(crate) fn check_faces(rules: &Rules, key: &str, faces: &[String]) -> Result<(), BadRules> {
    if !(1..=MOST_FACES).contains(&faces.len()) {
        let message = format!("{} elements, expected 1 to {MOST_FACES}", faces.len());
        return Err(rules.bad(key, message));
    }
    known_faces(rules, key, faces)
}

/// Refuses a name that is no face.
pub(crate) fn known_faces(rules: &Rules, key: &str, faces: &[String]) -> Result<(), BadRules> {
    let Some(unknown) = faces.iter().find(|name| face(name).is_none()) else { return Ok(()) };
    let known: Vec<&str> = (0..N_FACES).map(face_name).collect();
    Err(rules.bad(key, format!("unknown face \"{unknown}\" (known: {})", known.join(", "))))
}

/// A die, by its faces.
#[derive(Clone, Debug)]
pub(crate) struct Die {
    faces: Vec<u8>,
    /// Number of its faces that show each unit, then of blanks.
    pub(crate) weights: Roll,
}

impl Die {
    /// Returns the die with these faces, which must be checked.
    pub(crate) fn new(names: &[String]) -> Self {
        let faces: Vec<u8> =
            names.iter().map(|name| face(name).expect("faces were checked") as u8).collect();
        let mut weights = [0; N_FACES];
        faces.iter().for_each(|&face| weights[usize::from(face)] += 1);
        Self { faces, weights }
    }

    /// Returns the face of one rolled die.
    #[inline]
    pub(crate) fn throw<R: Randomness + ?Sized>(&self, rng: &mut R) -> u8 {
        self.faces[rng.below(self.faces.len() as u32) as usize]
    }

    /// Returns a roll of `n_dice`.
    pub(crate) fn roll<R: Randomness + ?Sized>(&self, n_dice: u8, rng: &mut R) -> Roll {
        // The bytes of a word: an array that is written byte by byte and read at once causes a stall.
        let counts = (0..n_dice).fold(0, |counts, _| counts + (1 << (8 * self.throw(rng))));
        u64::to_le_bytes(counts)[..N_FACES].try_into().expect("a word has more bytes than faces")
    }

    /// Returns the probability of each face.
    pub(crate) fn chances(&self) -> [f64; N_FACES] {
        let total: f64 = self.faces.len() as f64;
        self.weights.map(|w| f64::from(w) / total)
    }

    /// Returns all rolls of `n_dice` as counts of faces, with multinomial probabilities.
    pub(crate) fn rolls(&self, n_dice: u8) -> Vec<(Roll, f64)> {
        let mut rolls = vec![([0; N_FACES], 1.0)];
        for (face, p) in self.chances().into_iter().enumerate() {
            let is_last = face + 1 == N_FACES;
            let mut next = Vec::new();
            for (roll, probability) in rolls {
                let used: u8 = roll.iter().sum();
                let mut chance = probability;
                for count in 0..=n_dice - used {
                    if count > 0 {
                        // One more of this face: choose(n - used, count) p^count, built up step by step.
                        chance *= p * f64::from(n_dice - used - count + 1) / f64::from(count);
                    }
                    if chance > 0.0 && (!is_last || used + count == n_dice) {
                        let mut roll = roll;
                        roll[face] = count;
                        next.push((roll, chance));
                    }
                }
            }
            rolls = next;
        }
        rolls
    }

    /// Returns the roll of `n_dice` that `value` lists face by face, in any order, or `None` if the dice cannot fall
    /// so.
    pub(crate) fn read(&self, value: &Value, n_dice: u8) -> Option<Roll> {
        let mut counts: Roll = [0; N_FACES];
        for name in value.as_array()? {
            let face = face(name.as_str()?)?;
            counts[face] = counts[face].checked_add(1)?;
        }
        let possible = (0..N_FACES).all(|i| counts[i] == 0 || self.weights[i] > 0);
        let total: u32 = counts.iter().map(|&n| u32::from(n)).sum();
        (possible && total == u32::from(n_dice)).then_some(counts)
    }
}

/// Returns the faces of a roll, by kind.
pub(crate) fn faces_of(roll: Roll) -> impl Iterator<Item = &'static str> {
    (0..N_FACES).flat_map(move |face| std::iter::repeat_n(face_name(face), roll[face].into()))
}
