#!/usr/bin/env python3
"""A Caesar agent that looks ahead: it tries every action in determinizations of its view and plays on at random.

    caesar tournament --agent 'external(command="python3 experiments/agents/lookahead.py 20")' ...

The rules are Caesar's own: an answer with "ask" is a question to the model, and the choice stays due until an answer
names an action. docs/external-agents.md has the operations.
"""
import json
import sys

PLAYS = int(sys.argv[1]) if len(sys.argv) > 1 else 10  # random plays of each action


def put(line):
    print(json.dumps(line), flush=True)


def ask(request, operations):
    put({"request": request, "ask": operations})
    return json.loads(sys.stdin.readline())["answers"]


for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "start":
        continue
    number = request["request"]
    if request["type"] == "end":
        put({"request": number})  # request["points"] says who won: a program can learn from it
        continue
    seat, actions, seed = request["seat"], request["actions"], request["seed"]
    worlds = ask(number, [{"op": "determinize", "seed": seed + play} for play in range(PLAYS)])
    if worlds[0]["turn"] != "player":
        put({"request": number, "index": seed % len(actions)})  # the others choose at the same time
        continue
    tries = [(action, world["position"]) for action in range(len(actions)) for world in worlds]
    steps = ask(number, [{"op": "step", "position": at, "action": action} for action, at in tries])
    plays = ask(number, [{"op": "rollout", "position": step["position"], "seed": seed} for step in steps])
    total = [0.0] * len(actions)
    for (action, _), play in zip(tries, plays):
        total[action] += play["points"][seat]
    put({"request": number, "index": total.index(max(total))})
