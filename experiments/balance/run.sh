#!/usr/bin/env bash
# The study of what cards, provinces, seats and rules of the games are worth, step by step, from the root of the project:
#
#     experiments/balance/run.sh [STEP…]
#
# Steps: quick-4 quick-3 quick-5 quick-rome random search search-alliances search-seats search-provinces search-3 search-5
# joint strategies tell; all of them, in this order, if none is named.
# Begun again, a step goes on where it was stopped. CAESAR is the program, OUT the directory of results, THREADS how many threads play
# (none of them changes a result), CARD_BLOCKS how many blocks of four games a cell of `search` has.
set -euo pipefail

caesar=${CAESAR:-target/release/caesar}
out=${OUT:-out/balance}
threads=${THREADS:-$(nproc)}
card_blocks=${CARD_BLOCKS:-200}

# Agents that stay as they are: what was measured can be played again when the defaults have changed.
weak='greedy(epsilon=0.1)'
greedy='greedy'
mcts='mcts(iterations=100, rounds=1)'

run() { # DIR COMMAND WORD…: a command, timed, into a directory of its own
    local dir=$out/$1
    shift
    mkdir -p "$(dirname "$dir")"
    { time "$caesar" "$@" --threads "$threads" --out "$dir" --resume --quiet >"$dir.txt"; } 2>"$dir.time"
}

play() { # DIR WORD…: a study of balance
    run "$1" balance "${@:2}"
}

quick() { # DIR WORD…: all studies of a game by two tiers
    local dir=$1
    shift
    play "$dir" all --quick "$@" --agent "$weak" --agent "$greedy"
}

search() { # what the screen of four players puts first, by a search in all seats, stage by stage
    local stage names
    for stage in 4 3 2 1; do
        names=$(python3 experiments/balance/results.py chosen "$out" "$stage")
        if [ -n "$names" ]; then
            # shellcheck disable=SC2086 # each name is a word
            play "search-$stage" cards --players 4 --stage "$stage" $names --bans none --agent "$mcts" --blocks "$card_blocks" --seed 2
        fi
    done
}

search_other() { # alliances, seats, or the provinces that the screen puts first, in season 1, where effects are largest
    local season_1=(--players 4 --stage 1 --seed 2) names
    case $1 in
    alliances) play search/alliances alliances "${season_1[@]}" --agent "$mcts" --blocks 200 ;;
    seats) play search/seats seats "${season_1[@]}" --agent "$mcts" --blocks 120 --effect 0.17 ;;
    provinces)
        names=$(python3 experiments/balance/results.py provinces "$out")
        # shellcheck disable=SC2086 # each name is a word
        play search/provinces provinces "${season_1[@]}" --agent "$mcts" $names --blocks 80 --effect 0.1
        ;;
    3 | 5) search_table "$1" ;;
    *)
        echo "error: no step search-$1 (there are search-alliances, search-seats, search-provinces, search-3, search-5)" >&2
        exit 2
        ;;
    esac
}

search_table() { # the same of another table, with what its own screen puts first, in season 1
    local n=$1 season_1=(--players "$1" --stage 1 --seed 2 --agent "$mcts") dir=search/$1-players names
    names=$(python3 experiments/balance/results.py chosen "$out" 1 "$n")
    if [ -n "$names" ]; then
        # shellcheck disable=SC2086 # each name is a word
        play "$dir/cards" cards "${season_1[@]}" $names --bans none --blocks 60
    fi
    names=$(python3 experiments/balance/results.py provinces "$out" "$n")
    if [ "$n" = 5 ]; then # a block has 56, 61 and 31 games there
        play "$dir/seats" seats "${season_1[@]}" --blocks 30 --effect 0.4
        play "$dir/alliances" alliances "${season_1[@]}" --blocks 30 --effect 0.4
        # shellcheck disable=SC2086 # each name is a word
        play "$dir/provinces" provinces "${season_1[@]}" $names --blocks 30 --effect 0.4
        return 0
    fi
    play "$dir/seats" seats "${season_1[@]}" --blocks 120 --effect 0.25
    play "$dir/alliances" alliances "${season_1[@]}" --blocks 100
    # shellcheck disable=SC2086 # each name is a word
    play "$dir/provinces" provinces "${season_1[@]}" $names --blocks 60 --effect 0.3
}

joint() { # season 1, where effects are largest, under 50 joint draws of all numbers that are reconstructed
    local names
    local draws=(rules --players 4 --stage 1 --ranges experiments/balance/ranges.toml --joint-draws 50 --agent "$greedy" --seed 3)
    names=$(python3 experiments/balance/results.py chosen "$out" 1)
    play joint-provinces "${draws[@]}" --study provinces --effect 0.2 --blocks 200 --draw-blocks 160
    # shellcheck disable=SC2086 # each name is a word
    play joint-cards "${draws[@]}" --study cards --bans none --effect 0.2 --blocks 200 --draw-blocks 160 $names
    play joint-seats "${draws[@]}" --study seats --effect 0.2 --blocks 300 --draw-blocks 80
}

strategies() { # the personas, each a strategy of the rulebook, and the search, at tables of four
    local persona agents=(--agent "$mcts")
    for persona in central provincial senate raider turtle merchant; do agents+=(--agent "greedy(persona=$persona)"); done
    run strategies tournament --players 4 "${agents[@]}" --schedule round-robin --blocks 350 --seed 4
}

steps=("$@")
if [ $# -eq 0 ]; then
    steps=(quick-4 quick-3 quick-5 quick-rome random search search-alliances search-seats search-provinces search-3 search-5
        joint strategies tell)
fi
for step in "${steps[@]}"; do
    case $step in
    quick-rome) for game in hannibal imperium circus; do quick "$game" --game "$game"; done ;;
    quick-*) quick "$step" --players "${step#quick-}" ;;
    random) # whether a seat is worth anything by the rules alone
        for n in 3 4; do play "random-$n/seats" seats --players "$n" --stage 1 --agent random --blocks 2000 --effect 0.05; done
        ;;
    search) search ;;
    search-*) search_other "${step#search-}" ;;
    joint) joint ;;
    strategies) strategies ;;
    tell) python3 experiments/balance/results.py tell "$out" >experiments/results/balance.md ;;
    *)
        echo "error: no step $step (there are quick-N, quick-rome, random, search, search-alliances, search-seats, search-provinces, search-3, search-5, joint, strategies, tell)" >&2
        exit 2
        ;;
    esac
done
