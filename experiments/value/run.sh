#!/usr/bin/env bash
# Makes the nets of the package anew, from the root of the project:
#
#     experiments/value/run.sh [NET…]
#
# Nets: those of the list `nets` below; all of them, in its order, if none is named.
# CAESAR is the program, OUT the directory of the nets, THREADS how many threads play (none of them changes a net).
# The first table of README.md says what each needs. A net that is there is not made again.
set -euo pipefail

nets=(conquest2-2 conquest2-3 conquest2-5 conquest2-6 classic-4 rise-4 imperium-2 imperium-3 imperium-4 imperium-5
    hannibal-2)
caesar=$(realpath "${CAESAR:-target/release/caesar}")
root=$PWD
out=${OUT:-out/value}
threads=${THREADS:-$(nproc)}
mkdir -p "$out"
cd "$out"

fit() { # FILE WORD…: a net, unless it is there
    [ -e "$1" ] || "$caesar" fit net "${@:2}" --threads "$threads" --out "$1"
}

# The first net of a table of conquest2: sixty thousand games of greedy and its personas.
first() { # PLAYERS SEED PASSES
    local persona agents=(--agent greedy --agent 'greedy(epsilon=0.1)' --agent greedy)
    for persona in central merchant provincial raider senate turtle; do
        agents+=(--agent "greedy(persona=$persona)")
    done
    fit "first-$1.net" --players "$1" "${agents[@]}" --games 60000 --per-game 16 --seed "$2" --passes "$3"
}

# The net of a table of conquest2: games of searches, of which one plays with the first net, with the settings of their
# day.
second() { # PLAYERS GAMES SEED [SETTINGS]
    local set=${4:+, $4}
    fit "net-$1.toml" --players "$1" --start "mcts(value=first-$1.net)" --rate 0.0007 --passes 3 \
        --agent "mcts(iterations=30, net=off$set)" --agent "mcts(iterations=50, net=off$set)" \
        --agent "mcts(iterations=40, value=first-$1.net$set)" --games "$2" --per-game 32 --seed "$3"
}

# The net of a game whose games are short: sixty thousand of greedy, then twenty thousand of searches, with the settings
# of their day.
short() { # GAME PLAYERS SEED [SETTINGS]
    local set=${4:+, $4}
    fit "first-$1-$2.net" --game "$1" --players "$2" --agent greedy --agent 'greedy(epsilon=0.1)' \
        --agent 'greedy(epsilon=0.2)' --games 60000 --per-game 12 --seed "$3"
    fit "$1-$2.toml" --game "$1" --players "$2" --start "mcts(value=first-$1-$2.net)" --rate 0.0007 --passes 3 \
        --agent "mcts(iterations=30, net=off$set)" --agent "mcts(iterations=60, net=off$set)" \
        --agent "mcts(iterations=40, value=first-$1-$2.net$set)" --games 20000 --per-game 16 --seed $(($3 + 1))
}

make() { # NET
    case $1 in
    conquest2-2)
        first 2 21 3
        local searches=(--agent 'mcts(iterations=30, net=off, rounds=2)' --agent 'mcts(iterations=60, net=off, rounds=2)'
            --agent 'mcts(iterations=40, value=first-2.net, rounds=2)')
        local learning=(--players 2 --start 'mcts(value=first-2.net)' --rate 0.001 --per-game 24)
        fit second-2.net "${learning[@]}" "${searches[@]}" --games 1500 --seed 22
        fit net-2.toml "${learning[@]}" "${searches[@]}" --agent 'mcts(iterations=40, value=second-2.net, rounds=2)' \
            --games 12000 --seed 23
        ;;
    conquest2-3) first 3 31 2 && second 3 4000 32 'rounds=2' ;;
    conquest2-5) first 5 51 2 && second 5 1500 52 ;;
    conquest2-6) first 6 61 4 && second 6 1200 62 ;;
    classic-4)
        fit classic-4.toml --game classic --players 4 --agent greedy --agent 'greedy(epsilon=0.1)' \
            --agent 'greedy(style=hoarder)' --agent 'greedy(style=raider)' --agent 'greedy(style=builder)' \
            --games 6000 --seed 5
        ;;
    rise-4)
        fit rise-4.toml --game rise --players 4 --agent greedy --agent 'greedy(epsilon=0.1)' \
            --agent 'greedy(style=farmer)' --agent 'greedy(style=conqueror)' --agent 'greedy(style=trader)' \
            --agent "greedy(weights=$root/agents/data/rise/fitted.toml)" --games 10000 --seed 5
        ;;
    imperium-[2-5]) short imperium "${1#*-}" "70${1#*-}0" 'c=0.1, temperature=2' ;;
    hannibal-2) short hannibal 2 8020 'c=0.2, doubt=0, temperature=1.15' ;;
    *)
        echo "no net $1: ${nets[*]}" >&2
        exit 2
        ;;
    esac
}

[ $# -gt 0 ] || set -- "${nets[@]}"
for net; do
    make "$net"
done
