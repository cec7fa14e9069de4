//! Tests of the numbers of actions and of observations as numbers, for every game of the catalogue at every table.

use std::fmt::{self, Write as _};

use engine::games::circus::Circus;
use engine::games::classic::Classic;
use engine::games::conquest2::Conquest2;
use engine::games::goofspiel::Goofspiel;
use engine::games::hannibal::Hannibal;
use engine::games::imperium::Imperium;
use engine::games::kuhn_poker::KuhnPoker;
use engine::games::rise::Rise;
use engine::observation::Field;
use engine::{
    ActionBlock, ActionIndex, Configure, ObservationTensor, Rules, conformance, hash_of,
    observation,
};
use expect_test::expect_file;

/// Checks at least `n_games` games, as many at each table.
fn check_tables<G: Configure + ActionIndex + ObservationTensor>(n_games: usize) {
    let per_table = n_games.div_ceil(G::about().players.count());
    for n_players in G::about().players {
        let game = G::configure(n_players, &Rules::of::<G>()).expect("the default rules are good");
        conformance::check_tensors(&game, 3, per_table as u32);
    }
}

/// Writes a line for each table with golden hashes, those of all numbered actions and of the fields of observations, and
/// the layout at the usual table.
fn write_hashes<G: Configure + ActionIndex + ObservationTensor>(name: &str, out: &mut String) {
    for n_players in G::about().players {
        let game = G::configure(n_players, &Rules::of::<G>()).expect("the default rules are good");
        let n = game.n_numbers();
        let texts: Vec<String> = (0..n)
            .map(|number| game.action_text(game.action_of(number).expect("a number below n")))
            .collect();
        let fields = observation::layout(&game);
        let (actions, layout) = (hash_of(&texts), hash_of(&fields));
        let len = observation::len(&fields);
        let line =
            format!("{name} {n_players}: {n} actions {actions:016x}, {len} numbers {layout:016x}");
        writeln!(out, "{line}").expect("writing to a string does not fail");
        if n_players == G::about().default_players {
            write_layout(&game, &fields, out).expect("writing to a string does not fail");
        }
    }
}

/// Writes the blocks of numbers (first number, word, bounds) and the fields (first index, name, axes, unit).
fn write_layout<G: ActionIndex>(game: &G, fields: &[Field], out: &mut String) -> fmt::Result {
    for block in game.action_blocks() {
        write!(out, "    action {} {}", block.first, block.word)?;
        block.bounds.iter().filter(|&&bound| bound != 1).try_for_each(|n| write!(out, " <{n}"))?;
        writeln!(out)?;
    }
    for Field { name, axes, unit, offset } in fields {
        let axes: Vec<_> = axes.iter().map(|(axis, n)| format!("{n} {axis}")).collect();
        writeln!(out, "    number {offset} {name} [{}]: {unit}", axes.join(" × "))?;
    }
    Ok(())
}

macro_rules! every_game {
    ($($name:literal => $game:ty),* $(,)?) => {
        #[test]
        fn every_game_numbers_its_actions_and_observes_no_secret() {
            $(check_tables::<$game>(40);)*
        }

        #[test]
        #[ignore = "slow: 10,000 games of every game: `just numbers` runs it"]
        fn numbers_and_actions_translate_both_ways_in_10_000_games_of_every_game() {
            $(check_tables::<$game>(10_000);)*
        }

        /// Policies and datasets are stored by these numbers: a change of a hash makes them worthless.
        #[test]
        fn numbers_and_layouts_stay_as_they_are() {
            let mut out = String::new();
            $(write_hashes::<$game>($name, &mut out);)*
            expect_file!["../tensors.txt"].assert_eq(&out);
        }
    };
}

engine::catalogue!(every_game);

/// Checks the numbers where rules have other bounds.
#[test]
fn other_rules_number_their_actions_too() {
    fn check_with<G: Configure + ActionIndex + ObservationTensor>(n: usize, settings: &[&str]) {
        let mut rules = Rules::of::<G>();
        settings.iter().for_each(|s| rules.set(s).expect("a setting of the rules"));
        let game = G::configure(n, &rules).expect("a value in range");
        conformance::check_tensors(&game, 4, 4);
    }
    check_with::<Circus>(3, &["straight-only=true", "two-cards=true"]);
    check_with::<Circus>(2, &["straight-only=true", "cards.values=[1,3,8]"]);
    check_with::<Classic>(4, &["options.variant=base"]);
    check_with::<Classic>(3, &["movement.galley=1", "start.talents=300"]);
    check_with::<Conquest2>(4, &["options.money=1000", "auction.step=1", "tax.special_steps=20"]);
    check_with::<Conquest2>(3, &["gift.s1.seat1.talents=1000", "pools.infantry=31"]);
    check_with::<Goofspiel>(3, &["cards=5"]);
    check_with::<Hannibal>(2, &["map=mirror", "cards.values=[4]"]);
    check_with::<Hannibal>(2, &["map=by-names", "rules.hannibal-enters-islands=true"]);
    check_with::<Imperium>(3, &["cards.per_round=2"]);
    check_with::<KuhnPoker>(2, &["cards=13"]);
    check_with::<Rise>(3, &["gift.s1.seat1.territory.plain=50"]);
    check_with::<Rise>(2, &["action_display.b_turn_cost_per_disc_to_the_left=3"]);
}

/// Sums up what the default table of conquest2 needs: a bound that a change of the numbering may not break silently.
#[test]
fn conquest2_has_few_thousand_numbers() {
    let game = Conquest2::new(4);
    let n: u32 = game.action_blocks().iter().map(ActionBlock::len).sum();
    assert_eq!(n as usize, game.n_numbers());
    assert!(n < 6_000, "{n} numbers");
}
