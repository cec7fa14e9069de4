//! Tournaments in rounds for large pools at tables of two: Swiss and knock-out.
//!
//! A pairing is played in the same number of blocks each, with the seats exchanged within a block. Its result is the
//! share of its games that an agent won, ties half.
//!
//! **Swiss.** In each round agents with nearly equal points meet, never the same two twice ([`neighbours`]). A pairing
//! gives its share as points. In an odd pool the lowest without a bye gets one, which counts one half. Equal points are
//! ordered by the points of the opponents, then by a lot that is drawn once.
//!
//! **Knock-out.** The bracket is drawn. Whoever wins less than half of a pairing is out; equal shares are decided by
//! lot. In a pool that is no power of two, the first of the draw have a bye in the first round.

use engine::{MAX_PLAYERS, Purpose, Randomness, rng};

use crate::config::Plan;
use crate::dealt::{Dealer, Dealt, DealtRun};
use crate::event::GameResult;
use crate::schedule::Schedule;
use crate::schedule::rounds::{RoundPlan, neighbours};
use crate::stats::{Outcome, Outcomes};

/// The number of blocks that are dealt at once.
const BATCH: u64 = crate::adaptive::BATCH;
/// The points of a bye: those of a pairing of equal agents.
const BYE: f64 = 0.5;
/// The share of a pairing of equal agents.
const EQUAL: f64 = 0.5;

/// The state of a run of a plan with a schedule in rounds.
pub type RoundsRun<'a> = DealtRun<'a, Rounds>;

/// A pairing of a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pairing {
    /// The round, from 0.
    pub round: u64,
    /// The agents, as places in the line-up.
    pub agents: [usize; 2],
    /// The number of recorded blocks.
    pub blocks: u64,
    /// The sum over its blocks of the share of the first agent.
    sum: f64,
    /// The place of the agent that goes on if the shares are equal: 0 or 1.
    lot: usize,
}

impl Pairing {
    /// Returns the share of its games that the first agent won, ties half; `None` before the first block.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.blocks > 0).then(|| self.sum / self.blocks as f64)
    }

    /// Returns the agent that goes on in a knock-out.
    fn winner(&self) -> usize {
        match self.share() {
            Some(share) if share > EQUAL => self.agents[0],
            Some(share) if share < EQUAL => self.agents[1],
            _ => self.agents[self.lot],
        }
    }
}

/// A round in which an agent had no opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bye {
    /// The round, from 0.
    pub round: u64,
    /// The agent, as a place in the line-up.
    pub agent: usize,
}

/// The place of an agent in the standings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placed {
    /// The agent, as a place in the line-up.
    pub agent: usize,
    /// The rank, from 1; equal agents share the best.
    pub rank: usize,
    /// The sum of its shares over complete pairings, and one half for each bye.
    pub points: f64,
    /// The sum of the points of its opponents.
    pub opposition: f64,
    /// The number of complete pairings.
    pub played: u64,
    /// The pairing that it lost, in a knock-out.
    pub lost: Option<Pairing>,
}

/// A dealer in rounds: the pairings so far and what follows from them.
#[derive(Clone, Debug)]
pub struct Rounds {
    schedule: Schedule,
    rounds: u64,
    blocks_each: u64,
    seed: u64,
    /// The agents in the order of the draw.
    draw: Vec<usize>,
    pairings: Vec<Pairing>,
    byes: Vec<Bye>,
    /// The number of rounds that were paired.
    paired: u64,
    /// The first pairing of the current round and its first block.
    first_pairing: usize,
    first_block: u64,
    outcomes: Outcomes,
}

impl<'a> RoundsRun<'a> {
    /// Returns the run of `plan` before its first block.
    ///
    /// # Panics
    /// If the schedule of the plan is not in rounds.
    #[must_use]
    pub fn new(plan: &'a Plan) -> Self {
        let size = plan.rounds.expect("a schedule in rounds has a size");
        let (schedule, agents) = (plan.timetable.schedule(), plan.lineup.len());
        Self::start(
            plan,
            Rounds::new(schedule, agents, size, plan.blocks / size.pairings, plan.seed),
        )
    }
}

impl Rounds {
    /// Returns the rounds of `agents` agents before the first; each pairing has `blocks_each` blocks.
    #[must_use]
    pub fn new(
        schedule: Schedule,
        agents: usize,
        size: RoundPlan,
        blocks_each: u64,
        seed: u64,
    ) -> Self {
        let mut draw: Vec<usize> = (0..agents).collect();
        // Lots of ties have the numbers of blocks.
        rng::stream(seed, u64::MAX, Purpose::Analysis).shuffle(&mut draw);
        Self {
            schedule,
            rounds: size.rounds,
            blocks_each,
            seed,
            draw,
            pairings: Vec::new(),
            byes: Vec::new(),
            paired: 0,
            first_pairing: 0,
            first_block: 0,
            outcomes: Outcomes::default(),
        }
    }

    /// Returns the pairings so far, round by round.
    #[must_use]
    pub fn pairings(&self) -> &[Pairing] {
        &self.pairings
    }

    /// Returns the byes so far.
    #[must_use]
    pub fn byes(&self) -> &[Bye] {
        &self.byes
    }

    /// Returns the number of all rounds.
    #[must_use]
    pub const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Returns the number of rounds that are complete.
    #[must_use]
    pub fn complete_rounds(&self) -> u64 {
        let open = self.pairings.iter().find(|pairing| !self.is_complete(pairing));
        open.map_or(self.paired, |pairing| pairing.round)
    }

    /// Returns the number of blocks of each pairing.
    #[must_use]
    pub const fn blocks_each(&self) -> u64 {
        self.blocks_each
    }

    /// Returns the outcomes of the recorded games.
    #[must_use]
    pub const fn outcomes(&self) -> &Outcomes {
        &self.outcomes
    }

    /// Counts the outcome of a game of block `block` for [`Self::outcomes`].
    pub fn count(&mut self, block: u64, outcome: Outcome) {
        self.outcomes.add(block, outcome);
    }

    /// Returns the pairs of the next blocks, from block `first` on; none after the last round.
    pub fn next(&mut self, first: u64) -> Vec<[usize; 2]> {
        let mut end = self.end();
        if first == end && self.paired < self.rounds {
            self.pair(first);
            end = self.end();
        }
        let place = |block| ((block - self.first_block) / self.blocks_each) as usize;
        let pair = |block| self.pairings[self.first_pairing + place(block)].agents;
        (first..end.min(first + BATCH)).map(pair).collect()
    }

    /// Returns the first block after the current round.
    fn end(&self) -> u64 {
        self.first_block + (self.pairings.len() - self.first_pairing) as u64 * self.blocks_each
    }

    /// Makes the pairings of the next round, which begins with block `first`.
    fn pair(&mut self, first: u64) {
        let pairs = if self.is_knock_out() { self.bracket() } else { self.swiss() };
        (self.first_pairing, self.first_block) = (self.pairings.len(), first);
        for (agents, i) in pairs.into_iter().zip(0..) {
            let first = first + i * self.blocks_each;
            let lot = rng::stream(self.seed, first, Purpose::Analysis).below(2) as usize;
            let round = self.paired;
            self.pairings.push(Pairing { round, agents, blocks: 0, sum: 0.0, lot });
        }
        self.paired += 1;
    }

    /// Returns the pairs of the next round of a knock-out.
    fn bracket(&mut self) -> Vec<[usize; 2]> {
        let is_out = |agent: &usize| self.lost(*agent).is_some();
        let left: Vec<usize> = self.draw.iter().copied().filter(|agent| !is_out(agent)).collect();
        // After the first round their number is a power of two.
        let n_byes = left.len().next_power_of_two() - left.len();
        let (resting, playing) = left.split_at(n_byes);
        let round = self.paired;
        self.byes.extend(resting.iter().map(|&agent| Bye { round, agent }));
        playing.chunks_exact(2).map(|two| [two[0], two[1]]).collect()
    }

    /// Returns the pairs of the next Swiss round.
    fn swiss(&mut self) -> Vec<[usize; 2]> {
        let mut standing: Vec<usize> = self.standings().iter().map(|placed| placed.agent).collect();
        // A bye is an opponent below all others.
        let bye = self.draw.len();
        standing.extend((bye % 2 == 1).then_some(bye));
        let has_met = |a: usize, b: usize| {
            let met =
                |pairing: &Pairing| pairing.agents.contains(&a) && pairing.agents.contains(&b);
            let rested = |rest: &Bye| b == bye && rest.agent == a || a == bye && rest.agent == b;
            self.pairings.iter().any(met) || self.byes.iter().any(rested)
        };
        let mut pairs = neighbours(&standing, has_met);
        let round = self.paired;
        if let Some(place) = pairs.iter().position(|pair| pair.contains(&bye)) {
            let [a, b] = pairs.remove(place);
            self.byes.push(Bye { round, agent: a.min(b) });
        }
        pairs
    }

    const fn is_complete(&self, pairing: &Pairing) -> bool {
        pairing.blocks == self.blocks_each
    }

    /// Returns the complete pairing of a knock-out that `agent` lost.
    fn lost(&self, agent: usize) -> Option<Pairing> {
        let is_lost = |pairing: &&Pairing| {
            pairing.agents.contains(&agent)
                && self.is_complete(pairing)
                && pairing.winner() != agent
        };
        self.pairings.iter().find(is_lost).copied().filter(|_| self.is_knock_out())
    }

    /// Returns whether a lot decided who goes on after this complete pairing.
    #[must_use]
    pub fn is_by_lot(&self, pairing: &Pairing) -> bool {
        self.is_complete(pairing) && pairing.share() == Some(EQUAL)
    }

    /// Returns whether an agent that loses a pairing is out.
    #[must_use]
    pub fn is_knock_out(&self) -> bool {
        self.schedule == Schedule::KnockOut
    }

    /// Returns the sums of the shares of all blocks of complete pairings by agent, which are exact; a bye counts as a
    /// pairing of equal agents.
    fn sums(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.draw.len()];
        for pairing in self.pairings.iter().filter(|pairing| self.is_complete(pairing)) {
            let [a, b] = pairing.agents;
            sums[a] += pairing.sum;
            sums[b] += pairing.blocks as f64 - pairing.sum;
        }
        self.byes.iter().for_each(|bye| sums[bye.agent] += BYE * self.blocks_each as f64);
        sums
    }

    /// Returns the agents from best to worst, by complete pairings; those of equal rank in the order of the draw.
    #[must_use]
    pub fn standings(&self) -> Vec<Placed> {
        let sums = self.sums();
        let each = self.blocks_each as f64;
        let placed = |&agent: &usize| {
            let own =
                |pairing: &&Pairing| self.is_complete(pairing) && pairing.agents.contains(&agent);
            let met: Vec<usize> = self
                .pairings
                .iter()
                .filter(own)
                .map(|pairing| pairing.agents[usize::from(pairing.agents[0] == agent)])
                .collect();
            let opposition = met.iter().map(|&other| sums[other]).sum::<f64>() / each;
            let (points, played) = (sums[agent] / each, met.len() as u64);
            Placed { agent, rank: 0, points, opposition, played, lost: self.lost(agent) }
        };
        let mut all: Vec<Placed> = self.draw.iter().map(placed).collect();
        let lasted = |placed: &Placed| placed.lost.map_or(u64::MAX, |lost| lost.round);
        let ahead = |a: &Placed, b: &Placed| match self.is_knock_out() {
            true => lasted(b).cmp(&lasted(a)),
            false => {
                let by_points = b.points.total_cmp(&a.points);
                by_points.then(b.opposition.total_cmp(&a.opposition))
            }
        };
        all.sort_by(ahead);
        for place in 0..all.len() {
            let is_level = place > 0 && ahead(&all[place - 1], &all[place]).is_eq();
            all[place].rank = if is_level { all[place - 1].rank } else { place + 1 };
        }
        all
    }
}

impl Dealer for Rounds {
    fn deal(&mut self, _plan: &Plan, first: u64) -> Vec<Dealt> {
        let dealt = |pair: [usize; 2]| {
            let mut table = [0; MAX_PLAYERS];
            table.iter_mut().zip(pair).for_each(|(seat, agent)| *seat = agent as u8);
            Dealt { pair, table }
        };
        self.next(first).into_iter().map(dealt).collect()
    }

    fn see(&mut self, plan: &Plan, game: &GameResult) {
        let seated: Vec<usize> =
            game.seating[..plan.players].iter().map(|&agent| usize::from(agent)).collect();
        self.count(game.block, Outcome::new(&seated, &game.ranks(plan.players)[..plan.players]));
    }

    fn add(&mut self, pair: [usize; 2], value: f64) {
        let place = self.pairings.iter().rposition(|pairing| pairing.agents == pair);
        let pairing = &mut self.pairings[place.expect("only pairings of the round are dealt")];
        pairing.sum += value;
        pairing.blocks += 1;
    }
}
