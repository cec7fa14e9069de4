//! Plan of a study of watched games: its games, the smallest effect it can find, and its duration.

use crate::cli::note;
use crate::report::table::{Cell, Column, Content, Note, Page, Scale, Table};
use lab::dynamics::probe::seconds_of_a_game;
use lab::dynamics::request::ValidatedDynamics;
use lab::dynamics::restricted;
use sim::error::Error;
use sim::units;

/// Quantiles of the normal distribution for 95 % and for 80 % power.
const POWERED: f64 = 1.96 + 0.842;

/// Part of a plan: its name, its number of games, and the number of independent observations of a share; 0 if it
/// compares nothing.
pub(super) struct Planned {
    name: &'static str,
    games: u64,
    observations: u64,
}

/// Returns the parts of a plan.
pub(super) fn planned(validated: &ValidatedDynamics) -> Vec<Planned> {
    let study = &validated.study;
    let steps = study.rungs.len().saturating_sub(1) as u64;
    let players = study.subject.players as u64;
    let climbed = steps * study.steps * players;
    let lines = study.restrictions.len();
    let restricted = study.restricted * restricted::games_per_block(lines, study.subject.players);
    let fitted = if validated.model.is_some() { 0 } else { study.fitted };
    let given = study.given().blocks * study.gifts.len() as u64 * players;
    let early = if study.explain.is_some() { study.games } else { 0 };
    vec![
        Planned { name: "early facts", games: early, observations: 0 },
        Planned { name: "fit", games: fitted, observations: 0 },
        Planned { name: "held out", games: study.games, observations: study.games },
        Planned { name: "treated", games: given, observations: study.treated * players },
        Planned { name: "luck", games: 9 * study.deals, observations: study.deals },
        Planned { name: "skill", games: climbed, observations: study.steps },
        Planned {
            name: "restrictions",
            games: restricted,
            observations: study.restricted * players,
        },
    ]
}

/// Returns the number of games of a plan.
pub(super) fn games_of(validated: &ValidatedDynamics) -> u64 {
    planned(validated).iter().map(|part| part.games).sum()
}

/// Returns the plan as a page. It holds no measurements and is therefore the same everywhere.
pub(super) fn plan_page(validated: &ValidatedDynamics, parts: &[Planned]) -> Page {
    let columns = vec![
        Column::plain("part", Content::Key),
        Column::plain("games", Content::Number(Scale::Count)),
        Column::new("smallest", "smallest effect", Content::Number(Scale::SHARE)),
    ];
    let even = 1.0 / validated.study.subject.players as f64;
    let smallest = |n: u64| POWERED * (even * (1.0 - even) / n as f64).sqrt();
    let rows = parts.iter().filter(|part| part.games > 0).map(|part| {
        let seen = match part.observations {
            0 => Cell::Nothing,
            n => Cell::Number(smallest(n)),
        };
        vec![Cell::text(part.name), Cell::Count(part.games), seen]
    });
    let table = Table::new("plan", "Planned games", columns).with(rows).noted(Note::new(
        "smallest effect: difference of a share from an equal share that is detected with 80 % power",
    ));
    Page::of(table)
}

/// Estimates the total seconds from a few games. The estimate depends on the machine and is no result.
pub(super) fn seconds(validated: &ValidatedDynamics, threads: usize) -> Result<f64, Error> {
    Ok(seconds_of_a_game(validated, threads)? * games_of(validated) as f64)
}

/// Prints the estimated duration on stderr.
pub(super) fn guess_time(validated: &ValidatedDynamics, threads: usize) -> Result<(), Error> {
    let seconds = seconds(validated, threads)?;
    note(&format!(
        "about {} on this machine, if all agents are equally fast",
        units::seconds(seconds)
    ));
    Ok(())
}
