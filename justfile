#!/usr/bin/env -S just --justfile
# Names for commands. Every recipe is a command that also works when typed, from the root of the repository.
# `just` need not be on the PATH, and this file can be run by its path from anywhere.

# list the recipes
default:
    @{{quote(just_executable())}} --justfile {{quote(justfile())}} --list

# format, lints, documents and tests, as a change must pass them
ci:
    .ci/run

# lints only
check:
    cargo clippy --workspace --all-targets -- -D warnings

# write the format
fmt:
    cargo fmt --all

# the tests
test:
    cargo test --workspace

# the slow tests: deep perft
test-deep:
    PERFT_LIMIT=1000000000 cargo test --release -p caesar-engine --test it perft::

# the slow tests: invariants of 100,000 random games of conquest2
audit games="100000":
    cargo run --release -p caesar-engine --example audit -- {{games}}
    cargo run --release -p caesar-engine --example audit -- {{games}} rise

# the slow tests: records against the independent referee (needs Python 3.11)
referee games="1000":
    cargo run --release -- tournament --agent greedy --agent 'greedy(epsilon=0.02)' --agent 'greedy(epsilon=0.1)' --agent random --games {{games}} --quiet --records - 2>/dev/null | python3 referee/conquest2.py -

# the slow tests: records of hannibal, imperium, circus, classic or rise against the independent referee (needs Python 3.11)
referee-rome game games="200":
    cargo run --release -- tournament --game {{game}} --games {{games}} --quiet --records - 2>/dev/null | python3 referee/{{game}}.py -

# the slow tests: exact odds of battles against a million battles with dice for each of 14 cases
odds:
    cargo test --release -p caesar-agents --test it -- --ignored odds::

# the slow tests: the search near equilibria and against random play, some minutes
search:
    cargo test --release -p caesar-agents --test it -- --ignored --nocapture mcts_mixed:: mcts_strength::

# the slow tests: a tournament on two Ray workers of which one is killed, and the Slurm script (installs Ray into out/ray)
cluster:
    cargo build --release
    python3 experiments/cluster/test_slurm.py target/release/caesar
    python3 -m venv out/ray
    out/ray/bin/pip install --quiet -r experiments/cluster/requirements.txt
    out/ray/bin/python experiments/cluster/test_ray.py target/release/caesar

# the slow tests: errors of sequential tests, coverage and bias of what they say, many minutes
sequential:
    cargo test --release -p caesar-stats --test it -- --ignored --nocapture sequential::
    cargo test --release -p caesar-cli --test it -- --ignored --nocapture panel:: last_block::

# the slow tests: coverage of ratings over 2,000 tournaments a setting, minutes
coverage:
    cargo test --release -p caesar-cli --test it -- --ignored --nocapture coverage_relations::

# the slow tests: the coverage table of docs/validation.md, 2,000 tournaments a cell, some minutes
coverage-table:
    cargo test --release -p caesar-cli --test it -- --ignored --nocapture coverage_table::

# the table of every printed interval in docs/validation.md, from what its tests measure, some minutes
coverage-every:
    cargo test --release -p caesar-cli --test it -- --include-ignored --nocapture --test-threads 1 coverage_family:: coverage_relations:: fit_intervals:: null_studies:: last_block:: intervals_ tune::effects:: tune::proofs::reports shares_less_luck whoever_cannot_see | tee target/coverage.txt
    cargo test --release -p caesar-stats --test it -- --nocapture --test-threads 1 efficiency:: sequential:: coverage::students_intervals | tee -a target/coverage.txt
    cargo test --release -p caesar-stats --test it -- --ignored --nocapture confidence_sequences | tee -a target/coverage.txt
    cargo test --release -p caesar-lab --lib -- --nocapture --test-threads 1 diagnose:: | tee -a target/coverage.txt
    COVERAGE=target/coverage.txt UPDATE_GOLDEN=1 cargo test --release -p caesar-cli --test it coverage_every::

# the slow tests: 600 puzzles of circus at five budgets
puzzles:
    cargo test --release -p caesar-agents --test it -- --ignored --nocapture circus_puzzles::

# the slow tests: numbers of actions in 10,000 random games of every game, and what observations show, four minutes
numbers:
    cargo test -p caesar-engine --test it -- --ignored --nocapture tensors::

# the slow tests: 6,000 documents of positions of each game at each table, changed at random, many minutes and 6 GB of memory
by-hand:
    cargo test -p caesar-engine --test it -- --ignored --nocapture data::

# experiments on treatments that do nothing, and on planted effects
balance-proofs:
    cargo test --release -p caesar-cli --test it -- --ignored --nocapture balance:: balance_null:: restricted::

# the slow tests: coverage of the intervals of fits, simulated and over seeds of real evaluations
fit-proofs:
    cargo test --release -p caesar-cli --test it -- --ignored --nocapture fit_intervals::

# searches for better agents: planted optima, flat landscapes, reports, some minutes
tune-proofs:
    cargo test --release -p caesar-cli --test it -- --ignored --nocapture tune::

# the slow tests: the blocks of the documents that are marked slow, minutes
docs-slow:
    cargo test --release -p caesar-cli --test it -- --ignored pages::

# the slow tests: robots at the page of `caesar play --web`, three games of every game by clicks and by keys, many minutes
play-robot:
    cargo test --release -p caesar-cli --test it -- --ignored --nocapture play_robot::robots

# leaks over whole games of conquest2: what the page of each seat is sent, in worlds that it cannot tell apart, some minutes
play-leaks:
    cargo test --release -p caesar-play --features server --test it -- --ignored --nocapture streams::

# the times of the page of `caesar play --web`: from a click to the next menu, and to the first paint; a quiet machine, a minute
play-speed:
    cargo test --release -p caesar-cli --test it -- --ignored --nocapture play_robot::speed

# the documents as one folder of HTML with a search field (needs mdBook: pip install -r release/requirements.txt)
book folder="target/book/html":
    cargo build --release
    release/book target/release/caesar {{folder}}

# the files of a release, and their trial as users do it, an hour (needs the tools of both release/requirements*.txt)
release folder="out/release":
    release/build {{folder}}
    cargo build --release --features parquet,web,data
    release/try {{folder}} --install --against target/release/caesar

# all slow tests
test-all: test test-deep audit odds search puzzles sequential coverage coverage-table coverage-every numbers by-hand balance-proofs fit-proofs tune-proofs docs-slow play-robot play-leaks referee

# benches, as in: just bench playout
bench filter="":
    cargo bench -p benches -- {{filter}}

# rewrite golden texts, to be read before they are committed
golden:
    UPDATE_GOLDEN=1 UPDATE_EXPECT=1 cargo test --workspace

# fit value functions of conquest2 for every number of players to who won, into out/
value games="8000":
    mkdir -p out
    for n in 2 3 4 5 6; do cargo run --release -- fit value --players $n --games {{games}} --out out/value-$n.toml; done

# a tournament from a config
tournament config="experiments/default-tournament/config.toml":
    cargo run --release -- tournament --config {{config}}

# run the commands of an experiment and write its tables, as in: just report epsilon
report name:
    cargo run --release -p experiments --bin report -- {{name}}

# random play on this machine
speed:
    cargo run --release -- speed
