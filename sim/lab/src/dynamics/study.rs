//! A study of a game's dynamics: a model is fitted, and held-out games are observed and reported.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use agents::{AgentSpec, Observable, Playable};
use engine::{Game, Rules};

use super::choices::Sampler;
use super::explain::{self, EarlyGame, Explained, Outcome, Watch};
use super::findings::{Judged, Report};
use super::mix::Mix;
use super::restricted::{self, Restricted, Restriction, Tables};
use super::results::{Others, judged, report};
use super::rows::{self, Keep, Nowhere, Part};
use super::seen::{ObservedGame, columns_of_fit, columns_of_watched};
use super::skill::{self, Climbed};
use super::streams::{self, Block};
use super::treated::{self, Gift, Given, Treated};
use sim::catalogue::Overrides;
use sim::error::Error;
use sim::game_loop::Address;
use sim::observed_play::{self, SeatedAgents, seed_of_part};
use sim::win_model::fit::{Seen, fit_to, see};
use sim::win_model::probes::{Trace, Tracer};
use sim::win_model::surrogate::Fortune;
use sim::win_model::{Subject, WinModel, features_of};

/// The parts of a study, which share no games.
const FIT: u64 = 1;
const HELD_OUT: u64 = 2;
const TRIALS: u64 = 3;
const LUCK: u64 = 4;
const SKILL: u64 = 5;
const RESTRICTED: u64 = 6;
const TREATED: u64 = 7;
const EARLY: u64 = 8;

/// A validated study.
#[derive(Clone, Debug)]
pub struct DynamicsStudy {
    /// The subject: game, rules and version.
    pub subject: Subject,
    /// The agent in all seats.
    pub spec: AgentSpec,
    /// The seed.
    pub seed: u64,
    /// The number of games that a model is fitted to.
    pub fitted: u64,
    /// The number of held-out games, which are reported.
    pub games: u64,
    /// The number of deals with variants; 0 for none.
    pub deals: u64,
    /// The rungs of the ladder, the weakest first; fewer than two for none.
    pub rungs: Vec<AgentSpec>,
    /// The number of blocks of each step of the ladder.
    pub steps: u64,
    /// The bans on one seat for the whole game, one at a time.
    pub restrictions: Vec<Restriction>,
    /// The number of blocks in which every seat is restricted in turn; 0 for none.
    pub restricted: u64,
    /// The gifts to seats, for the audit of chances after them.
    pub gifts: Vec<Gift>,
    /// The number of blocks in which every gift is given to every seat in turn; 0 for none.
    pub treated: u64,
    /// The outcome to explain, by as many games as are reported; `None` for none.
    pub explain: Option<Outcome>,
}

/// The files of the parts, by part.
pub const FILES: [&str; 7] = [
    "watched.csv",
    "fit.csv",
    "deals.csv",
    "climbs.csv",
    "restricted.csv",
    "gifts.csv",
    "early.csv",
];

impl DynamicsStudy {
    /// Creates a study of a model fitted to `fitted` games and audited on `games` others, without further parts.
    #[must_use]
    pub const fn new(
        subject: Subject,
        spec: AgentSpec,
        seed: u64,
        [fitted, games]: [u64; 2],
    ) -> Self {
        Self {
            subject,
            spec,
            seed,
            fitted,
            games,
            deals: 0,
            rungs: Vec::new(),
            steps: 0,
            restrictions: Vec::new(),
            restricted: 0,
            gifts: Vec::new(),
            treated: 0,
            explain: None,
        }
    }

    /// Returns the part with the games that a model is fitted to.
    #[must_use]
    pub fn fit(&self) -> Part {
        Part { file: FILES[1], columns: columns_of_fit(), blocks: self.fitted }
    }

    /// Returns the part with the held-out games, with their choices unless only a model is audited.
    #[must_use]
    pub fn held_out(&self, with_choices: bool) -> Part {
        Part { file: FILES[0], columns: columns_of_watched(with_choices), blocks: self.games }
    }

    /// Returns the part with the treated games.
    #[must_use]
    pub fn given(&self) -> Part {
        let blocks = if self.gifts.is_empty() { 0 } else { self.treated };
        Part { file: FILES[5], columns: treated::columns(&self.gifts), blocks }
    }

    /// Returns the parts that need no model: varied deals, the ladder, restricted play, and the early facts of games.
    #[must_use]
    pub fn others(&self) -> [Part; 4] {
        let steps = self.rungs.len().saturating_sub(1);
        let blocks = if steps == 0 { 0 } else { self.steps };
        [
            Part { file: FILES[2], columns: streams::columns(), blocks: self.deals },
            Part { file: FILES[3], columns: skill::columns(steps), blocks },
            Part {
                file: FILES[4],
                columns: restricted::columns(&self.restrictions),
                blocks: self.restricted,
            },
            Part {
                file: FILES[6],
                columns: explain::columns(),
                blocks: if self.explain.is_some() { self.games } else { 0 },
            },
        ]
    }

    /// Returns `model`, or fits one if there is none.
    ///
    /// # Errors
    /// If an agent fails.
    ///
    /// # Panics
    /// Never: nothing can stop it.
    pub fn model<G: Playable + Observable>(
        &self,
        game: &G,
        model: Option<WinModel>,
    ) -> Result<WinModel, Error> {
        let model = self.kept_model(game, model, &mut Nowhere)?;
        Ok(model.expect("nothing has stopped it"))
    }

    /// Returns `model`, or fits one to stored rows; `None` if rows are missing.
    fn kept_model<G: Playable + Observable>(
        &self,
        game: &G,
        model: Option<WinModel>,
        keep: &mut dyn Keep,
    ) -> Result<Option<WinModel>, Error> {
        if model.is_some() {
            return Ok(model);
        }
        let seed = seed_of_part(self.seed, FIT);
        let play = |blocks: Range<u64>, stop: &AtomicBool| {
            observed_play::piece(game, &self.specs(game), blocks, stop, |table, index| {
                see(table, seed, index)
            })
        };
        let seen: Option<Vec<Seen>> = rows::all(keep, &self.fit(), &play)?;
        let fit = |seen: Vec<Seen>| fit_to(&seen, features_of::<G>(), self.subject.clone(), seed);
        Ok(seen.map(fit))
    }

    /// Returns `model`, or a fitted one, with its audit on held-out games. `None` if rows are missing that `keep`
    /// cannot play here.
    ///
    /// # Errors
    /// If an agent fails, or rows cannot be stored.
    pub fn judge<G: Playable + Observable>(
        &self,
        game: &G,
        model: Option<WinModel>,
        keep: &mut dyn Keep,
    ) -> Result<Option<Judged>, Error> {
        let Some(model) = self.kept_model(game, model, keep)? else { return Ok(None) };
        let seed = seed_of_part(self.seed, HELD_OUT);
        let play = |blocks: Range<u64>, stop: &AtomicBool| {
            observed_play::piece(game, &self.specs(game), blocks, stop, |seats, index| {
                let mut watch = (Tracer::new(&model), Fortune::new(&model, seed, index));
                let points = seats.play(Address::of_game(seed, index), &mut watch)?;
                let (Tracer { mut trace, .. }, fortune) = watch;
                trace.points = points.first(game.n_players()).to_vec();
                Ok(ObservedGame { trace, fortune: fortune.sum, choices: None })
            })
        };
        let played: Option<Vec<ObservedGame>> = rows::all(keep, &self.held_out(false), &play)?;
        let given = self.played_treated(game, &model, keep)?;
        let (Some(played), Some(given)) = (played, given) else { return Ok(None) };
        let treated = Treated::of(&self.gifts, &given);
        let numbered =
            |(block, one): (u64, ObservedGame)| (Trace { block, ..one.trace }, one.fortune);
        let (traces, fortunes): (Vec<Trace>, Vec<Vec<f64>>) =
            (0..).zip(played).map(numbered).unzip();
        Ok(Some(judged(model, treated, &traces, &fortunes)))
    }

    fn specs<G: Game>(&self, game: &G) -> Vec<AgentSpec> {
        vec![self.spec.clone(); game.n_players()]
    }

    /// Runs the whole study without a store; `model` replaces the fitted model.
    ///
    /// # Errors
    /// If an agent fails.
    ///
    /// # Panics
    /// Never: nothing can stop it.
    pub fn run<G: Playable + Observable>(
        &self,
        game: &G,
        model: Option<WinModel>,
    ) -> Result<Report, Error> {
        let report = self.run_kept(game, model, &mut Nowhere)?;
        Ok(report.expect("nothing has stopped it"))
    }

    /// Runs the whole study. Returns `None` if rows are missing that `keep` cannot play here; the parts that need no
    /// model are played in any case.
    ///
    /// # Errors
    /// If an agent fails, or rows cannot be stored.
    pub fn run_kept<G: Playable + Observable>(
        &self,
        game: &G,
        model: Option<WinModel>,
        keep: &mut dyn Keep,
    ) -> Result<Option<Report>, Error> {
        let model = self.kept_model(game, model, keep)?;
        let watched = match &model {
            Some(model) => {
                let watched = self.watched(game, model, keep)?;
                watched.zip(self.played_treated(game, model, keep)?)
            }
            None => None,
        };
        let others = self.played_others(game, keep)?;
        Ok(model.zip(watched).zip(others).map(|((model, (watched, given)), others)| {
            report(model, watched, Treated::of(&self.gifts, &given), others)
        }))
    }

    /// Plays the parts that need no model.
    fn played_others<G: Playable + Observable>(
        &self,
        game: &G,
        keep: &mut dyn Keep,
    ) -> Result<Option<Others>, Error> {
        let [deals, climbs, bans, early] = self.others();
        let seed = seed_of_part(self.seed, LUCK);
        let play = |blocks: Range<u64>, stop: &AtomicBool| {
            observed_play::piece(game, &self.specs(game), blocks, stop, |seats, index| {
                streams::block(game, seats, seed, index)
            })
        };
        let dealt: Option<Vec<Block>> = rows::all(keep, &deals, &play)?;
        let seed = seed_of_part(self.seed, SKILL);
        let play = |blocks: Range<u64>, stop: &AtomicBool| {
            skill::climb(game, &self.rungs, seed, blocks, stop)
        };
        let climbed: Option<Vec<Climbed>> = rows::all(keep, &climbs, &play)?;
        let restricted = self.played_restricted(game, &bans, keep)?;
        let seed = seed_of_part(self.seed, EARLY);
        let play = |blocks: Range<u64>, stop: &AtomicBool| {
            observed_play::piece(game, &self.specs(game), blocks, stop, |seats, index| {
                let mut watch = Watch::default();
                let points = seats.play(Address::of_game(seed, index), &mut watch)?;
                Ok(watch.game(points.first(game.n_players())))
            })
        };
        let early: Option<Vec<EarlyGame>> = rows::all(keep, &early, &play)?;
        let (Some(dealt), Some(climbed), Some(restricted), Some(early)) =
            (dealt, climbed, restricted, early)
        else {
            return Ok(None);
        };
        let ladder = match climbed.is_empty() {
            true => Vec::new(),
            false => skill::ladder(&self.rungs, &climbed),
        };
        let restrictions = restricted::costs(&self.restrictions, &restricted);
        let explained = self.explain.map(|outcome| Explained::of(&early, outcome));
        Ok(Some(Others { luck: streams::shares(&dealt), ladder, restrictions, explained }))
    }

    /// Returns the rules of the study.
    fn rules<G: Playable>(&self) -> Result<Rules, Error> {
        let recorded = Some(self.subject.rules.clone());
        Overrides { recorded, ..Overrides::default() }.rules::<G>()
    }

    /// Plays the blocks with gifts.
    fn played_treated<G: Playable + Observable>(
        &self,
        game: &G,
        model: &WinModel,
        keep: &mut dyn Keep,
    ) -> Result<Option<Vec<Given>>, Error> {
        let part = self.given();
        let gifts = if part.blocks == 0 { &[] } else { &self.gifts[..] };
        let tables = treated::Tables::<G>::new(&self.rules::<G>()?, game.n_players(), gifts)?;
        let seed = seed_of_part(self.seed, TREATED);
        let play = |blocks: Range<u64>, stop: &AtomicBool| {
            tables.play(&self.spec, model, seed, blocks, stop)
        };
        rows::all(keep, &part, &play)
    }

    /// Plays the blocks with restrictions.
    fn played_restricted<G: Playable>(
        &self,
        game: &G,
        part: &Part,
        keep: &mut dyn Keep,
    ) -> Result<Option<Vec<Restricted>>, Error> {
        let restrictions = if part.blocks == 0 { &[] } else { &self.restrictions[..] };
        let tables = Tables::new(game, &self.rules::<G>()?, restrictions)?;
        let seed = seed_of_part(self.seed, RESTRICTED);
        let play =
            |blocks: Range<u64>, stop: &AtomicBool| tables.play(&self.spec, seed, blocks, stop);
        rows::all(keep, part, &play)
    }

    /// Plays the held-out games.
    fn watched<G: Playable + Observable>(
        &self,
        game: &G,
        model: &WinModel,
        keep: &mut dyn Keep,
    ) -> Result<Option<Vec<ObservedGame>>, Error> {
        let seed = seed_of_part(self.seed, HELD_OUT);
        let play = |blocks: Range<u64>, stop: &AtomicBool| {
            observed_play::piece(game, &self.specs(game), blocks, stop, |seats, index| {
                self.watch(game, model, seats, [seed, index])
            })
        };
        rows::all(keep, &self.held_out(true), &play)
    }

    fn watch<G: Playable + Observable>(
        &self,
        game: &G,
        model: &WinModel,
        seats: &mut SeatedAgents<'_, G>,
        [seed, index]: [u64; 2],
    ) -> Result<ObservedGame, Error> {
        let trials = seed_of_part(self.seed, TRIALS);
        let of_chances = (Tracer::new(model), Fortune::new(model, seed, index));
        let mut watch = (of_chances, (Sampler::new(model, trials, index), Mix::default()));
        let points = seats.play(Address::of_game(seed, index), &mut watch)?;
        let ((tracer, fortune), (mut sampler, mix)) = watch;
        let mut trace = tracer.trace;
        trace.points = points.first(game.n_players()).to_vec();
        let findings = sampler.examine(game, seats, trials, index)?;
        let choices = Some((findings, mix.counts(game)));
        Ok(ObservedGame { trace, fortune: fortune.sum, choices })
    }
}
