"""Writes the files of this folder as Python and its libraries do.

    python -m venv v && v/bin/pip install PyYAML==6.0.3 pandas==3.1.1
    v/bin/python write.py

The tests need none of this: what it wrote is kept.
"""

import json
import os
from collections import OrderedDict
from importlib.metadata import version

import pandas as pd
import yaml

os.chdir(os.path.dirname(os.path.abspath(__file__)))

with open("python--metrics.json", "w") as f:
    json.dump({"loss": float("nan"), "best": 0.25, "note": "NaN: kept"}, f)
with open("python--log.jsonl", "w") as f:
    for step in range(3):
        f.write(json.dumps({"step": step, "loss": 1 / (step + 1)}) + "\n")

pyyaml = f"PyYAML-{version('PyYAML')}"
shared = [1, 2]
settings = {
    "lr": 1e-4,
    "betas": (0.9, 0.999),
    "layers": shared,
    "again": shared,
    "name": "on: yes # not a remark",
    "text": "two\nlines\u00e9",
    "nothing": None,
    "where": OrderedDict(a=1),
}
with open(f"{pyyaml}--hparams.yaml", "w") as file:
    yaml.dump(settings, file)
with open(f"{pyyaml}--flow.yml", "w") as file:
    yaml.safe_dump({"a": [1, {"b": None}]}, file, default_flow_style=True, explicit_start=True)
with open(f"{pyyaml}--documents.yaml", "w") as file:
    yaml.safe_dump_all([{"a": 1}, ["b"], "c"], file)

pandas = f"pandas-{version('pandas')}"
frame = pd.DataFrame({"step": [0, 1, 2], "loss": [1.5, float("nan"), 0.5], "note": ["a", None, "b\u00e9"]})
frame.to_json(f"{pandas}--records.json", orient="records", lines=True)
frame.to_json(f"{pandas}--table.json")
