//! Means of watched games that an archive can be described by.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use lab::strategies::game_seats::open_seats;
use lab::strategies::request::Request;
use lab::strategies::seats::{Strategy, WatchedGame};
use lab::strategies::study::StrategiesStudy;
use sim::config::Played;

/// Returns eight games of copies of `greedy`.
fn watched(game: &str, players: usize, open: &str) -> Vec<WatchedGame> {
    let request = Request {
        played: Played::new(game, players),
        agent: Some(format!("greedy({open}=?)")),
        personas: Some(0),
        ..Request::default()
    };
    let study = StrategiesStudy::new(&request, &|path| std::fs::read_to_string(path)).unwrap();
    let seats = open_seats(&study.setup, &study.entrants).unwrap();
    let start = vec![Strategy::Point(study.plan.space.start()); players];
    seats.watch(&start, 1, &[0, 1], false).unwrap()
}

/// Returns the means of a kind, with their names.
fn of<'a>(game: &'a WatchedGame, kind: &'a str) -> impl Iterator<Item = (&'a str, &'a [f64])> {
    let all = game.means.iter().filter(move |(mean, _)| mean.kind == kind);
    all.map(|(mean, numbers)| (&mean.name[..], &numbers[..]))
}

#[test]
fn choices_are_shares_and_an_auction_gives_each_place_once() {
    for game in watched("conquest2", 4, "weights.tax_rich") {
        for seat in 0..4 {
            let sum: f64 = of(&game, "choices").map(|(_, shares)| shares[seat]).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        }
        let auction = |wanted: &str| -> Vec<f64> {
            of(&game, "auction").find(|(name, _)| *name == wanted).unwrap().1.to_vec()
        };
        assert!((auction("place").iter().sum::<f64>() - 10.0).abs() < 1e-9, "{game:?}");
        assert!(auction("paid").iter().all(|&paid| (0.0..60.0).contains(&paid)), "{game:?}");
        assert!(auction("allies").iter().all(|allies| (0.0..=3.0).contains(allies)), "{game:?}");
        let features: Vec<&str> = of(&game, "features").map(|(name, _)| name).collect();
        assert!(features.contains(&"infantry") && features.contains(&"chaos"), "{features:?}");
    }
}

#[test]
fn a_game_without_auction_has_features_and_choices_alone() {
    for game in watched("hannibal", 2, "weights.group") {
        assert_eq!(of(&game, "auction").count(), 0);
        assert!(of(&game, "choices").count() > 1);
        // Both seats have legions in the mean of a game.
        let (_, legions) = of(&game, "features").find(|(name, _)| *name == "legions").unwrap();
        assert!(legions.iter().all(|n| (0.0..30.0).contains(n)), "{legions:?}");
    }
}
