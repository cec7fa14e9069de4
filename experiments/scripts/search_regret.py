"""How far is a search from a much longer one, decision by decision?

    caesar show game.jsonl --json --best 1000 --seed 9 --analyse 'mcts(iterations=64000)' > long.jsonl
    caesar show game.jsonl --json --best 1000 --seed 1 --analyse 'mcts(iterations=1000)' > short.jsonl
    python3 experiments/scripts/search_regret.py long.jsonl short.jsonl …

For each short search, over the same decisions: how often it chooses what the long one chooses, and what its choices
lose by the values of the long one (in utility, 0 to 1), with a 95 % interval by decision. Choices that the long search
visited fewer than 200 times are left out and counted, since it knows too little of them. Whole actions, which have
plans among their options, are told apart from all other decisions. Among the others are the plies inside of an action:
`show` analyses them one by one, while in a game a plan is carried out to its end.

The long search is no truth: it shares the value function, the rollouts and the model of the others with the short one,
and the value of what it chose is the best of several noisy ones and so too high. What is told is how much the number of
iterations matters to the search, not how much better it plays. Give the long search a seed of its own.
"""

import json
import math
import signal
import sys

Z = 1.959964
KNOWN = 200  # visits from which the long search's value of an option counts


def decisions(path):
    with open(path, encoding="utf-8") as lines:
        found = {(d["game"], d["ply"]): d["options"] for d in map(json.loads, lines)}
    return {at: options for at, options in found.items() if len(options) > 1}


def losses(long, short):
    """What each choice of `short` loses by `long`; None where that is not known."""
    for at, options in long.items():
        choice = short[at][0]["option"]
        known = {o["option"]: o["value"] for o in options if o["visits"] >= KNOWN}
        best = options[0]
        if choice == best["option"]:
            yield 0.0, True
        else:
            yield (best["value"] - known[choice] if choice in known else None), False


def main(paths):
    if len(paths) < 2:
        sys.exit("expected a file of the long search and files of short ones (see the head of this script)")
    long = decisions(paths[0])
    kinds = {
        "whole actions": {at: o for at, o in long.items() if is_whole_action(o)},
        "others": {at: o for at, o in long.items() if not is_whole_action(o)},
    }
    print(f"{'search':<24}{'':<14}{'decisions':>10}{'same choice':>12}{'loss':>25}{'left out':>9}")
    for path in paths[1:]:
        short = decisions(path)
        if long.keys() - short.keys():
            sys.exit(f"{path}: it lacks decisions that {paths[0]} has; analyse the same plies")
        for kind, some in kinds.items():
            tell(path, kind, list(losses(some, short)))


def is_whole_action(options):
    return any(option["option"] != option["action"] for option in options)


def tell(path, kind, found):
    lost = [loss for loss, _ in found if loss is not None]
    if len(lost) < 2:
        return
    mean = sum(lost) / len(lost)
    spread = math.sqrt(sum((x - mean) ** 2 for x in lost) / (len(lost) - 1))
    half = Z * spread / math.sqrt(len(lost))
    same = sum(is_same for _, is_same in found) / len(found)
    loss = f"{mean:.4f} [{mean - half:.4f}, {mean + half:.4f}]"
    out = len(found) - len(lost)
    print(f"{path:<24}{kind:<14}{len(found):>10}{same:>12.3f}{loss:>25}{out:>9}")


if __name__ == "__main__":
    # Whoever reads us may have seen enough (`| head`): no traceback, as with any other program.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main(sys.argv[1:])
