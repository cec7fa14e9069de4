//! The results of a study, computed from all of its parts.

use super::choices::Findings;
use super::explain::Explained;
use super::fans;
use super::figures::{self, NamedFigure};
use super::findings::{Judged, Report};
use super::mix::{Counts, Coverage};
use super::restricted::Cost;
use super::seen::ObservedGame;
use super::skill::Step;
use super::streams::Stream;
use super::treated::Treated;
use sim::stats::calibration::Figure;
use sim::stats::clustered::ClusteredRatio;
use sim::win_model::WinModel;
use sim::win_model::probes::Trace;
use sim::win_model::surrogate::saving;

/// Returns the audit of a model by these games.
pub(super) fn judged(
    model: WinModel,
    treated: Option<Treated>,
    traces: &[Trace],
    fortunes: &[Vec<f64>],
) -> Judged {
    let audit = model.audit(traces);
    let points: Vec<Vec<f64>> = traces.iter().map(|trace| trace.points.clone()).collect();
    let judged = Judged { model, audit, treated, saving: None };
    let saving = saving(fortunes, &points).filter(|_| judged.refusal().is_none());
    Judged { saving, ..judged }
}

/// The results that need no model.
pub(super) struct Others {
    pub(super) luck: Option<Vec<Stream>>,
    pub(super) ladder: Vec<Step>,
    pub(super) restrictions: Vec<Cost>,
    pub(super) explained: Option<Explained>,
}

/// Returns the report of the held-out games and the other parts.
pub(super) fn report(
    model: WinModel,
    watched: Vec<ObservedGame>,
    treated: Option<Treated>,
    others: Others,
) -> Report {
    let Others { luck, ladder, restrictions, explained } = others;
    let (mut traces, mut fortunes, mut findings) = (Vec::new(), Vec::new(), Vec::new());
    let mut all = Counts::default();
    let mut options = ClusteredRatio::default();
    for (index, one) in (0..).zip(watched) {
        if let Some((found, counts)) = one.choices {
            options.add(index, counts.options as f64, counts.decisions as f64);
            all.merge(counts);
            findings.push(found);
        }
        traces.push(Trace { block: index, ..one.trace });
        fortunes.push(one.fortune);
    }
    let judged = judged(model, treated, &traces, &fortunes);
    let stages = judged.model.clock.n_stages();
    let dynamics = match judged.dynamics_refusal() {
        Some(why) => Err(why),
        None => Ok(figures::of(&traces).into_iter().chain(of_choices(&findings)).collect()),
    };
    Report {
        plain: plain(&traces, &options),
        stages: if dynamics.is_ok() { figures::by_stage(&traces, stages) } else { Vec::new() },
        fans: if dynamics.is_ok() { fans::of(&traces) } else { Vec::new() },
        leads: figures::leads(&traces, stages),
        coverage: Coverage::of(&all),
        judged,
        dynamics,
        luck,
        ladder,
        restrictions,
        explained,
    }
}

/// Returns the figures of length and choices.
fn plain(traces: &[Trace], options: &ClusteredRatio) -> Vec<NamedFigure> {
    let mean = |name: &str, of: &dyn Fn(&Trace) -> usize| {
        figures::mean(name, traces, &|trace| Some(of(trace) as f64))
    };
    [
        mean("choices", &|trace| trace.plies as usize),
        mean("rounds", &|trace| trace.rounds.len()),
        mean("turns", &|trace| trace.turns.looks as usize),
        Figure::of(options).map(|figure| NamedFigure::new("options of a choice", figure)),
        figures::score_lead(traces),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the figures of choices that matter and of kingmaking.
fn of_choices(findings: &[Findings]) -> Vec<NamedFigure> {
    let (mut matter, mut spread) = (ClusteredRatio::default(), ClusteredRatio::default());
    let (mut hopeless, mut king) = (ClusteredRatio::default(), ClusteredRatio::default());
    for (game, found) in (0..).zip(findings) {
        // The drawn decision of a game represents all of its decisions.
        let decisions = f64::from(found.decisions[0]);
        if let Some(any) = found.any {
            matter.add(game, decisions * f64::from(u8::from(any.matters)), decisions);
            spread.add(game, decisions * any.spread, decisions);
        }
        hopeless.add(game, f64::from(found.decisions[1]), decisions);
        if let Some(one) = found.hopeless {
            king.add(
                game,
                f64::from(found.decisions[1]) * one.kingmaking,
                f64::from(found.decisions[1]),
            );
        }
    }
    let share = |name: &str, ratio: &ClusteredRatio| {
        Figure::of_share(ratio).map(|f| NamedFigure::new(name, f))
    };
    [
        share("choices that matter", &matter),
        Figure::of(&spread).map(|figure| NamedFigure::new("best less worst option", figure)),
        share("choices without hope", &hopeless),
        share("kingmaking index", &king),
    ]
    .into_iter()
    .flatten()
    .collect()
}
