//! Tests of the promises of `Game`, for every game of the catalogue at every table.

use engine::games::circus::Circus;
use engine::games::classic::Classic;
use engine::games::goofspiel::Goofspiel;
use engine::games::hannibal::Hannibal;
use engine::games::kuhn_poker::KuhnPoker;
use engine::games::pig::Pig;
use engine::{Configure, Rules, conformance};

fn check_tables<G: Configure + engine::Notation>(name: &str, n_games: u32) {
    let about = G::about();
    assert_eq!(about.name, name, "the catalogue and about() name the game alike");
    assert!(about.players.contains(&about.default_players), "{name}: default table");
    for n_players in about.players.clone() {
        let game = G::configure(n_players, &Rules::of::<G>()).expect("the default rules are good");
        assert_eq!(game.n_players(), n_players, "{name}");
        conformance::check(&game, 1, n_games);
    }
    for n_players in [about.players.start() - 1, about.players.end() + 1] {
        let refusal = G::configure(n_players, &Rules::of::<G>()).err().expect(name).to_string();
        let range = [about.players.start(), about.players.end()].map(ToString::to_string);
        assert!(range.iter().all(|end| refusal.contains(end)), "{name}: {refusal}");
    }
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn every_game_keeps_its_promises() {
            $(check_tables::<$game>($name, 12);)*
        }
    };
}

engine::catalogue!(every_game);

/// Checks the promises at the smallest and the largest values of the parameters.
#[test]
fn the_ends_of_every_range_keep_the_promises() {
    fn check_with<G: Configure + engine::Notation>(n_players: usize, settings: &[&str]) {
        let mut rules = Rules::of::<G>();
        settings.iter().for_each(|s| rules.set(s).expect("a setting of the rules"));
        let game = G::configure(n_players, &rules).expect("a value in range");
        conformance::check(&game, 2, 10);
    }
    check_with::<Circus>(2, &["straight-only=true", "max-rounds=12"]);
    check_with::<Circus>(3, &["straight-only=true", "two-cards=true", "max-rounds=1"]);
    check_with::<Circus>(5, &["play-on=true", "max-rounds=6", "cards.values=[1,3,8]"]);
    check_with::<Classic>(4, &["options.variant=base"]);
    check_with::<Classic>(2, &["variant.friz.start_territories=40", "prices.galley=0"]);
    check_with::<Classic>(3, &["options.final_round=1", "start.talents=1000", "prices.road=0"]);
    check_with::<Classic>(3, &["movement.galley=1", "start.talents=300", "battle.naval_rounds=1"]);
    check_with::<Classic>(
        6,
        &["movement.general=0", "movement.infantry=0", "battle.land_rounds=1"],
    );
    check_with::<Goofspiel>(6, &["cards=2"]);
    check_with::<Hannibal>(2, &["map=by-names", "max-turns=1"]);
    check_with::<Hannibal>(
        2,
        &["map=mirror", "cards.values=[4]", "rules.rebuild-without-fleets=false"],
    );
    check_with::<KuhnPoker>(2, &["cards=13"]);
    check_with::<Pig>(2, &["target=2", "faces=2"]);
    check_with::<Pig>(6, &["target=1000", "faces=20"]);
}
