"""Writes the files of this folder by the libraries themselves.

    python -m venv v && v/bin/pip install numpy==1.26.4   (and once more with numpy==2.4.6)
    v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import argparse
import collections
import datetime
import decimal
import os
import pathlib
import pickle
import platform

import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(7)
python = f"python-{platform.python_version()}"
numpy = f"numpy-{np.__version__}"

again = {"name": "x"}
again["self"] = again
plain = {
    "numbers": [0, -1, 255, 65536, 2**40, -(2**70), 0.5, float("nan"), True, None],
    "texts": ["", "a\u00e9\u4e2d\n'quoted'\\", "x" * 300, b"", b"\x00\xff" * 200, bytearray(b"abc")],
    "groups": [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), {1, 2}, frozenset([3]), [[]], {}],
    "again": [again, again],
    "ordered": collections.OrderedDict(a=1),
    "counter": collections.Counter("abca"),
    "deque": collections.deque([1, 2]),
    "missing": collections.defaultdict(int, a=1),
    "settings": argparse.Namespace(lr=0.1),
    "when": [datetime.datetime(2026, 1, 2), datetime.date(2026, 1, 2), datetime.timedelta(1)],
    "where": pathlib.PurePosixPath("/a/b"),
    "price": decimal.Decimal("1.5"),
    "complex": 1j,
    "range": [range(3), slice(1, 2)],
}
for protocol in range(6):
    with open(f"{python}--protocol-{protocol}.pkl", "wb") as file:
        pickle.dump(plain, file, protocol)
with open(f"{python}--three-in-a-row.pickle", "wb") as file:
    for each in ({"step": 1}, [1.5], "end"):
        pickle.dump(each, file)


class Own:
    pass


with open(f"{python}--own-class.pkl", "wb") as file:
    pickle.dump({"model": Own()}, file)

arrays = {
    "weights": rng.standard_normal((3, 5)),
    "turned": np.asfortranarray(rng.standard_normal((3, 2))),
    "single": np.float32(0.5),
    "names": np.array(["loss", "accuracy"]),
    "table": np.zeros(2, dtype=[("step", "<i4"), ("loss", "<f8")]),
    "unused": np.zeros(4, dtype=np.float32),
    "broken": np.array([1, np.nan, np.inf], dtype=np.float32),
    "nothing": np.zeros((0, 2)),
    "type": np.dtype("float16"),
}
for protocol in (2, 4, 5):
    with open(f"{numpy}--arrays-{protocol}.pkl", "wb") as file:
        pickle.dump(arrays, file, protocol)
with open(f"{numpy}--objects.pkl", "wb") as file:
    pickle.dump(np.array([{"a": 1}, None], dtype=object), file)
