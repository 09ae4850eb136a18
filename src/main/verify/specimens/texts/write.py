"""Writes the files of this folder as Python does.

    python write.py

The tests need none of this: what it wrote is kept.
"""

import json
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))

with open("python--metrics.json", "w") as f:
    json.dump({"loss": float("nan"), "best": 0.25, "note": "NaN: kept"}, f)
with open("python--log.jsonl", "w") as f:
    for step in range(3):
        f.write(json.dumps({"step": step, "loss": 1 / (step + 1)}) + "\n")
