//! The worth of a decision's options, by searches that visit all of them equally often, and the loss of a choice.

use agents::{SearchReport, SearchedOption};

/// The prior below which an option counts as buried.
pub const BURIED: f64 = 0.01;
/// The smallest difference of two priors by which a search prefers one.
const ALIKE: f64 = 1e-6;

/// An option with the values of both searches.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    text: String,
    is_macro: bool,
    /// The mover's value by the reference, which selects options.
    reference: f64,
    /// The mover's value by the judge, which measures gains and losses.
    judge: f64,
}

/// The options of a decision that both searches have visited.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    options: Vec<Judged>,
}

/// The evaluation of a choice.
#[derive(Clone, PartialEq, Debug)]
pub struct Choice {
    /// The value of the best option less that of the choice, in points of utility of the mover.
    pub loss: f64,
    /// The departure, if the choice is not the search prior's preference.
    pub departure: Option<Departure>,
}

/// A choice that is not the preference of the search's prior.
#[derive(Clone, PartialEq, Debug)]
pub struct Departure {
    /// The value of the choice less that of the prior's preference.
    pub gain: f64,
    /// Its kind ([`kind`]).
    pub kind: String,
    /// True if its prior is below [`BURIED`].
    pub is_buried: bool,
}

/// A single ply that is better than all macro-actions.
#[derive(Clone, PartialEq, Debug)]
pub struct BestPly {
    /// The value of the ply less that of the best macro-action.
    pub gain: f64,
    /// The text of the ply.
    pub text: String,
}

/// Returns the kind of an option: macro-action or single ply, and its first word.
#[must_use]
pub fn kind(text: &str, is_macro: bool) -> String {
    let is_of_word = |c: char| c.is_alphabetic() || c == '-';
    let word: String = text.chars().take_while(|&c| is_of_word(c)).collect();
    let what = if is_macro { "macro" } else { "ply" };
    if word.is_empty() { what.to_owned() } else { format!("{what} {word}") }
}

impl Judgement {
    /// Combines two searches with equal visits of a decision of player `mover`. `None` if fewer than two options were
    /// visited by both, for example if a result is proven at once.
    #[must_use]
    pub fn of(reference: &SearchReport, judge: &SearchReport, mover: usize) -> Option<Self> {
        let mut options = Vec::new();
        for option in reference.options.iter().filter(|option| option.visits > 0) {
            let other = judge.options.iter().find(|other| other.number == option.number);
            let Some(other) = other.filter(|other| other.visits > 0) else { continue };
            options.push(Judged {
                text: option.text.clone(),
                is_macro: option.is_macro,
                reference: option.values[mover],
                judge: other.values[mover],
            });
        }
        (options.len() > 1).then_some(Self { options })
    }

    /// Returns the number of options.
    #[must_use]
    pub const fn options(&self) -> usize {
        self.options.len()
    }

    /// Returns the best option for which `is_among` holds, by the reference; the first of equal ones.
    fn best(&self, is_among: impl Fn(&Judged) -> bool) -> Option<&Judged> {
        let among = self.options.iter().rev().filter(|&option| is_among(option));
        among.max_by(|a, b| a.reference.total_cmp(&b.reference))
    }

    fn find(&self, option: &SearchedOption) -> Option<&Judged> {
        let is_it = |one: &&Judged| one.is_macro == option.is_macro && one.text == option.text;
        self.options.iter().find(is_it)
    }

    /// Returns the texts of the two best options by the reference.
    ///
    /// # Panics
    /// Never: a judgement has two options.
    #[must_use]
    pub fn best_two(&self) -> [&str; 2] {
        let first = self.best(|_| true).expect("there are two");
        let second = self.best(|option| !std::ptr::eq(option, first)).expect("there are two");
        [&first.text, &second.text]
    }

    /// Evaluates the choice of the search with this `report`; `None` if its choice was not judged.
    #[must_use]
    pub fn choice(&self, report: &SearchReport) -> Option<Choice> {
        let chosen = report.options.iter().find(|option| option.is_chosen)?;
        let judged = self.find(chosen)?;
        let best = self.best(|_| true)?;
        Some(Choice { loss: best.judge - judged.judge, departure: self.departure(report, chosen) })
    }

    fn departure(&self, report: &SearchReport, chosen: &SearchedOption) -> Option<Departure> {
        // The first of equal priors.
        let all = report.options.iter();
        let preferred =
            all.max_by(|a, b| a.prior.total_cmp(&b.prior).then(b.number.cmp(&a.number)))?;
        if preferred.prior <= chosen.prior + ALIKE {
            return None;
        }
        Some(Departure {
            gain: self.find(chosen)?.judge - self.find(preferred)?.judge,
            kind: kind(&chosen.text, chosen.is_macro),
            is_buried: chosen.prior < BURIED,
        })
    }

    /// Returns the best option if it is a single ply although there are macro-actions.
    #[must_use]
    pub fn best_ply(&self) -> Option<BestPly> {
        let whole = self.best(|option| option.is_macro)?;
        let best = self.best(|_| true).filter(|best| !best.is_macro)?;
        Some(BestPly { gain: best.judge - whole.judge, text: best.text.clone() })
    }

    /// Returns true if macro-actions are among the options.
    #[must_use]
    pub fn has_macros(&self) -> bool {
        self.options.iter().any(|option| option.is_macro)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(number: u16, value: f64, prior: f64) -> SearchedOption {
        SearchedOption {
            number,
            text: format!("take {number}"),
            action: String::new(),
            is_macro: number < 2,
            visits: 10,
            probability: None,
            values: vec![0.0, value],
            prior,
            is_proven: false,
            is_chosen: false,
        }
    }

    fn report(values: [f64; 4], chosen: usize) -> SearchReport {
        let priors = [0.9, 0.08, 0.015, 0.005];
        let mut options: Vec<_> = (0..4).map(|i| option(i as u16, values[i], priors[i])).collect();
        options[chosen].is_chosen = true;
        // Most visits first, as in reports.
        options.reverse();
        SearchReport { options, ..SearchReport::default() }
    }

    #[test]
    fn the_reference_picks_and_the_judge_says_what_it_is_worth() {
        let judgement =
            Judgement::of(&report([0.5, 0.4, 0.2, 0.6], 0), &report([0.45, 0.5, 0.2, 0.55], 0), 1)
                .unwrap();
        assert_eq!((judgement.options(), judgement.best_two()), (4, ["take 3", "take 0"]));
        let of = |chosen| judgement.choice(&report([0.0; 4], chosen)).unwrap();
        assert!((of(0).loss - 0.10).abs() < 1e-12);
        assert_eq!(of(0).departure, None);
        // The reference selects the best option, not the judge, so that its choice may lose.
        assert!((of(1).loss - 0.05).abs() < 1e-12);
        let departure = of(3).departure.unwrap();
        assert!(of(3).loss.abs() < 1e-12 && (departure.gain - 0.10).abs() < 1e-12);
        assert!(departure.is_buried && departure.kind == "ply take");
        assert!(!of(2).departure.unwrap().is_buried);
        let ply = judgement.best_ply().unwrap();
        assert!((ply.gain - 0.10).abs() < 1e-12 && ply.text == "take 3");
    }

    #[test]
    fn what_was_not_visited_is_not_judged() {
        let mut reference = report([0.5, 0.4, 0.2, 0.6], 0);
        reference.options[0].visits = 0;
        let judgement = Judgement::of(&reference, &report([0.5; 4], 0), 1).unwrap();
        assert_eq!(judgement.options(), 3);
        assert_eq!(judgement.choice(&report([0.0; 4], 3)), None);
        assert_eq!(judgement.best_ply(), None);
        reference.options.truncate(2);
        assert_eq!(Judgement::of(&reference, &report([0.5; 4], 0), 1), None);
    }

    #[test]
    fn without_priors_nothing_departs_from_them() {
        let mut searched = report([0.5, 0.4, 0.2, 0.6], 2);
        searched.options.iter_mut().for_each(|option| option.prior = 0.0);
        let judgement = Judgement::of(&searched.clone(), &report([0.5; 4], 0), 1).unwrap();
        assert_eq!(judgement.choice(&searched).unwrap().departure, None);
    }
}
