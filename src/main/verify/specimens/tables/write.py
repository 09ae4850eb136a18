"""Writes the files of this folder by the libraries themselves.

    python -m venv v && v/bin/pip install pandas==3.1.1 numpy==2.4.6
    v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import csv
import os
from importlib.metadata import version

import numpy as np
import pandas as pd

os.chdir(os.path.dirname(os.path.abspath(__file__)))

pandas = f"pandas-{version('pandas')}"
steps = pd.DataFrame(
    {
        "step": [0, 100, 200],
        "loss": [2.5, float("nan"), float("inf")],
        "note": ['said "well", then\nwent on', "plain", None],
    }
)
steps.to_csv(f"{pandas}--log.csv", index=False, na_rep="nan")
steps.to_csv(f"{pandas}--log.tsv", index=False, sep="\t")
steps.to_csv(f"{pandas}--windows.csv", lineterminator="\r\n", encoding="utf-8-sig")
steps.to_csv(f"{pandas}--semicolon.csv", sep=";", decimal=",", index=False)
steps.to_csv(f"{pandas}--escaped.csv", doublequote=False, escapechar="\\", index=False)
steps.to_csv(f"{pandas}--utf-16.csv", encoding="utf-16", index=False)
steps[["loss"]].to_csv(f"{pandas}--one-column.csv", index=False)
steps.iloc[:0].to_csv(f"{pandas}--no-rows.csv", index=False)
pd.DataFrame({"a": ['"open', "x"], "b": ["1", '2"']}).to_csv(
    f"{pandas}--no-quotes.tsv", sep="\t", quoting=csv.QUOTE_NONE, index=False
)

numpy = f"numpy-{version('numpy')}"
table = np.arange(12.0).reshape(4, 3)
np.savetxt(f"{numpy}--savetxt.csv", table, delimiter=",")
np.savetxt(f"{numpy}--header.csv", table, delimiter=",", header="a,b,c")
np.savetxt(f"{numpy}--remark.csv", table, delimiter=",", header="made by hand", footer="that is all")

with open("python--excel.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerows([["name", "size"], ["", ""], ['"', "1"], ["a\r\nb", "2"]])
