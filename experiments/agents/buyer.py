#!/usr/bin/env python3
"""A Caesar agent in plain Python: plays at random, but buys when it may and bids for nothing.

    caesar tournament --agent 'external(command="python3 experiments/agents/buyer.py")' ...

Every request is one line of JSON, every answer is one, and both have the same number; docs/external-agents.md describes both.
"""
import json
import random
import sys

KEEN_ON = ("buy", "source token", "take")  # words of conquest2; other games know none of them
WARY_OF = ("bid", "use", "battle")

for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "start":
        continue  # tells game, players, seat and rules; it wants no answer
    answer = {"request": request["request"]}  # every answer repeats the number of its request
    if request["type"] == "choose":
        # The seed makes a random choice the same whenever the tournament is played again.
        rng = random.Random(request["seed"])
        actions = request["actions"]
        keen = [text for text in actions if text in KEEN_ON]
        calm = [text for text in actions if text not in WARY_OF]
        # request["view"] holds what this seat sees of the position; this agent never looks.
        answer["action"] = rng.choice(keen or calm or actions)
    print(json.dumps(answer), flush=True)  # exactly one line; "end" wants the number only
