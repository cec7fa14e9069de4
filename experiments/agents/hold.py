#!/usr/bin/env python3
"""A Caesar agent for pig: rolls until the turn is worth so many points, fewer when it is behind.

    caesar tournament --game pig --agent 'external(command="python3 experiments/agents/hold.py 20 0.2")' ...

The first number is the points at which it holds, the second how many points more it dares for each that it is behind;
docs/tuning.md looks for better ones.
"""
import json
import sys

at, daring = float(sys.argv[1]), float(sys.argv[2])

for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "start":
        continue
    answer = {"request": request["request"]}
    if request["type"] == "choose":
        view, seat = request["view"], request["seat"]
        banked = view["banked"]
        behind = max(banked) - banked[seat]
        answer["action"] = "roll" if view["at_stake"] < at + daring * behind else "hold"
    print(json.dumps(answer), flush=True)
