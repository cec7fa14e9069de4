//! Means over a watched game, by seat: the spectator's features, the mix of choices, and the auction of alliances.

use std::collections::BTreeMap;

use agents::Observable;
use engine::{ByPlayer, Player, Treatable, Turn};

use sim::game_loop::Run;

/// The kind of means of the spectator's features, sampled at each milestone of the game and at its end.
pub(super) const FEATURES: &str = "features";
/// The kind of shares of a seat's choices, by the first word of the action.
pub(super) const CHOICES: &str = "choices";
/// The kind of means over the auctions of turn order and alliances.
pub(super) const AUCTION: &str = "auction";

/// The numbers of an auction, as means over the auctions of a game.
const OF_AUCTION: [&str; 3] = ["place", "paid", "allies"];

/// A mean of each seat, with its kind and name.
pub(super) type NamedMean = (&'static str, String, ByPlayer<f64>);

/// Sums over a game.
#[derive(Default)]
pub(super) struct Means {
    milestone: Option<u32>,
    /// The sum of each feature over the samples.
    features: Vec<ByPlayer<f64>>,
    samples: u32,
    /// The choices of each seat, by word.
    choices: BTreeMap<String, ByPlayer<f64>>,
    /// The money of each seat before the auction under way.
    purse: Option<ByPlayer<i32>>,
    /// The sums of [`OF_AUCTION`].
    auction: [ByPlayer<f64>; OF_AUCTION.len()],
    auctions: u32,
}

impl Means {
    /// Notes a position of the game.
    pub(super) fn at<G: Observable + Treatable>(&mut self, game: &G, run: &Run<G::State>) {
        let state = &run.state;
        self.note_auction(game, state);
        let milestone = Some(game.milestone(state));
        let is_over = game.turn(state) == Turn::Over;
        if self.milestone == milestone && !is_over {
            return;
        }
        self.milestone = milestone;
        let mut counts = Vec::new();
        game.features(state, &mut counts);
        self.features.resize(counts.len(), ByPlayer::default());
        for (sum, count) in self.features.iter_mut().zip(&counts) {
            sum.0.iter_mut().zip(count.0).for_each(|(sum, x)| *sum += x);
        }
        self.samples += 1;
    }

    /// Notes the places, payments and alliances of an auction as it ends.
    fn note_auction<G: Treatable>(&mut self, game: &G, state: &G::State) {
        let n = game.n_players();
        let Some(now) = game.placings(state) else { return };
        if now.settled == 0 {
            self.purse = Some(now.money);
        }
        if usize::from(now.settled) < n {
            return;
        }
        let Some(purse) = self.purse.take() else { return };
        let [place, paid, allies] = &mut self.auction;
        for (at, &seat) in now.order[..n].iter().enumerate() {
            let is_second = now.second.contains(seat);
            let side = Player::all(n).filter(|&other| now.second.contains(other) == is_second);
            place[seat] += (at + 1) as f64;
            paid[seat] += f64::from(purse[seat] - now.money[seat]);
            allies[seat] += (side.count() - 1) as f64;
        }
        self.auctions += 1;
    }

    /// Notes a choice.
    pub(super) fn chosen(&mut self, player: Player, action: &str) {
        let word = action.split_whitespace().next().unwrap_or(action);
        match self.choices.get_mut(word) {
            Some(known) => known[player] += 1.0,
            None => self.choices.entry(word.to_owned()).or_default()[player] += 1.0,
        }
    }

    /// Returns all means of the game; `features` are the names of its features.
    pub(super) fn all<'a>(&self, features: impl Iterator<Item = &'a str>) -> Vec<NamedMean> {
        let over = |sum: &ByPlayer<f64>, n: u32| ByPlayer(sum.0.map(|x| x / f64::from(n)));
        let features = features.zip(&self.features);
        let mut all: Vec<NamedMean> = features
            .map(|(name, sum)| (FEATURES, name.to_owned(), over(sum, self.samples)))
            .collect();
        let mut chosen = ByPlayer::<f64>::default();
        for own in self.choices.values() {
            chosen.0.iter_mut().zip(own.0).for_each(|(sum, x)| *sum += x);
        }
        for (word, own) in &self.choices {
            let mut shares = *own;
            shares.0.iter_mut().zip(chosen.0).for_each(|(x, all)| *x /= all.max(1.0));
            all.push((CHOICES, word.clone(), shares));
        }
        if self.auctions > 0 {
            let auction = OF_AUCTION.iter().zip(&self.auction);
            all.extend(
                auction.map(|(&name, sum)| (AUCTION, name.to_owned(), over(sum, self.auctions))),
            );
        }
        all
    }
}
