//! Tables built from the configuration: points, connected groups of proconsuls, stacks.

use super::config::{Config, PLACES, Province};
use super::stacks::{Allowed, PROVINCES, Stack, Stacks};
use super::{Action, MOST_SEATS};
use crate::action_index::ActionBlock;
use crate::player::{Player, PlayerSet};

/// The board and the numbers of the rules, for one number of players.
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) stacks: Stacks,
    /// Points by province and place from 0; 0 where the place does not score.
    points: [[u8; PLACES + 1]; PROVINCES],
    /// Number of provinces of a set that are connected with a province, itself included: by set and province.
    groups: Vec<[u8; PROVINCES]>,
    /// Names in texts.
    pub(super) ids: [String; PROVINCES],
    pub(super) influence: u8,
    pub(super) win_score: u32,
    pub(super) max_rounds: u16,
    pub(super) per_round: u8,
    pub(super) provinces_per_round: u8,
    pub(super) provinces_per_ear: u8,
    pub(super) needs_influence: bool,
    pub(super) bonus: u32,
    pub(super) repeats_bonus: bool,
    pub(super) stays_if_tie: bool,
    pub(super) titles: [u32; 2],
    /// The seats that start with an Ear.
    pub(super) ears: PlayerSet,
    /// The seats that start with an Oracle.
    pub(super) oracles: PlayerSet,
    /// The legal stacks of each seat, where some are banned.
    pub(super) allowed: Option<Box<Allowed>>,
    /// Pieces that are laid at the start, by seat, a byte for each province.
    pub(super) laid: [u64; MOST_SEATS],
    /// The numbers of stacks and of the Oracle.
    pub(super) numbers: [ActionBlock; 2],
}

impl Board {
    pub(super) fn new(config: &Config, n_players: usize) -> Self {
        let provinces = &config.province;
        let n_scoring = n_players.saturating_sub(config.scoring.places_without_points as usize);
        let borders = borders(provinces);
        let stacks = Stacks::new(config.cards.bread_and_circuses as u64);
        let n_stacks = stacks.n_up_to(config.cards.per_round as usize);
        Self {
            numbers: ActionBlock::lay_out([("stack", &[n_stacks]), ("oracle", &[])]),
            stacks,
            points: std::array::from_fn(|p| points(&provinces[p], n_scoring)),
            groups: (0..=u8::MAX).map(|set| groups(set, &borders)).collect(),
            ids: std::array::from_fn(|p| provinces[p].id.replace('_', "-")),
            influence: config.players.influence_per_player as u8,
            win_score: config.players.win_score as u32,
            max_rounds: config.max_rounds as u16,
            per_round: config.cards.per_round as u8,
            provinces_per_round: config.cards.provinces_per_round as u8,
            provinces_per_ear: config.cards.provinces_per_ear as u8,
            needs_influence: config.scoring.needs_influence,
            bonus: config.scoring.proconsul_bonus as u32,
            repeats_bonus: config.scoring.proconsul_holder_repeats_bonus,
            stays_if_tie: config.scoring.proconsul_stays_if_tie,
            titles: [config.titles.senator as u32, config.titles.consul as u32],
            ears: all_but(&config.handicap.without_ear, n_players),
            oracles: all_but(&config.handicap.without_oracle, n_players),
            allowed: None,
            laid: [0; MOST_SEATS],
        }
    }

    /// Returns the points of `province` for a place, counted from 0; 0 where it does not score.
    #[inline]
    #[must_use]
    pub fn points(&self, province: usize, place: usize) -> u32 {
        self.points[province][place.min(PLACES)].into()
    }

    /// Returns the number of provinces in the set `held` (a bit for each) that are connected with `province`. The count
    /// includes `province` itself, in the set or not.
    #[inline]
    #[must_use]
    pub fn group(&self, held: u8, province: usize) -> u32 {
        self.groups[usize::from(held)][province].into()
    }

    /// Returns the points for each proconsul of the group.
    #[must_use]
    pub const fn proconsul_bonus(&self) -> u32 {
        self.bonus
    }

    /// Returns the number of pieces of each player.
    #[must_use]
    pub const fn influence(&self) -> u8 {
        self.influence
    }

    /// Returns the number of points that ends the game when a single player leads.
    #[must_use]
    pub const fn win_score(&self) -> u32 {
        self.win_score
    }

    /// Returns the number of provinces that are scored in a round in which `n_ears` Ears are played.
    #[must_use]
    pub const fn n_scored(&self, n_ears: usize) -> usize {
        self.provinces_per_round as usize + self.provinces_per_ear as usize * n_ears
    }

    /// Returns the stack that `action` plays.
    #[inline]
    #[must_use]
    pub const fn stack(&self, action: Action) -> &Stack {
        self.stacks.get(action)
    }

    /// Returns the title of a player with `points`.
    pub(super) fn title(&self, points: u32) -> &'static str {
        match points {
            _ if points >= self.titles[1] => "consul",
            _ if points >= self.titles[0] => "senator",
            _ => "patrician",
        }
    }
}

/// Returns the seats of a table, a bit for each, without some of them.
fn all_but(seats: &[i64], n_players: usize) -> PlayerSet {
    Player::all(n_players).filter(|player| !seats.contains(&i64::from(player.number()))).collect()
}

fn points(province: &Province, n_scoring: usize) -> [u8; PLACES + 1] {
    const { assert!(PLACES >= MOST_SEATS) };
    let mut points = [0; PLACES + 1];
    let printed = points.iter_mut().zip(&province.points).take(n_scoring);
    printed.for_each(|(place, &value)| *place = value as u8);
    points
}

/// Returns the set of neighbours of each province.
fn borders(provinces: &[Province]) -> [u8; PROVINCES] {
    std::array::from_fn(|p| {
        let adjacent = |id: &String| provinces[p].adjacent.contains(id);
        let neighbours = (0..PROVINCES).filter(|&q| adjacent(&provinces[q].id));
        neighbours.fold(0, |set, q| set | 1 << q)
    })
}

/// Returns for each province the number of provinces of `set` that are connected with it, itself included.
fn groups(set: u8, borders: &[u8; PROVINCES]) -> [u8; PROVINCES] {
    std::array::from_fn(|province| {
        let mut group = 1u8 << province;
        loop {
            let members = (0..PROVINCES).filter(|p| group >> p & 1 == 1);
            let grown = members.fold(group, |grown, p| grown | borders[p] & set);
            if grown == group {
                return group.count_ones() as u8;
            }
            group = grown;
        }
    })
}
