"""Writes the files of this folder by the libraries themselves.

    python -m venv v && v/bin/pip install safetensors==0.8.0 numpy==2.4.6 ml_dtypes==0.6.0
    v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
from importlib.metadata import version

import ml_dtypes
import numpy as np
from safetensors.numpy import save_file

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(7)

safetensors = f"safetensors-{version('safetensors')}"
save_file(
    {
        "embed.weight": rng.standard_normal((16, 8), dtype=np.float32),
        "norm.half": rng.standard_normal(5).astype(np.float16),
        "norm.bias": rng.standard_normal(7).astype(ml_dtypes.bfloat16),
        "step": np.array(1200, dtype=np.int64),
        "nothing": np.zeros((0, 4), dtype=np.float32),
        "unused": np.zeros((3, 3), dtype=np.float64),
        "mask": np.array([True, False, True]),
        'line\nbreak "quoted"': np.ones(1, dtype=np.uint8),
    },
    f"{safetensors}--plain.safetensors",
    metadata={"format": "pt", "note": "a\u00e9\u4e2d"},
)
broken = rng.standard_normal((4, 4), dtype=np.float32)
broken[1, 2] = np.nan
broken[3, 0] = -np.inf
half = rng.standard_normal(9).astype(np.float16)
half[8] = np.inf
double = rng.standard_normal(5)
double[0] = np.nan
brain = rng.standard_normal(6).astype(ml_dtypes.bfloat16)
brain[3] = np.nan
save_file(
    {"a": broken, "b": half, "c": double, "d": brain},
    f"{safetensors}--not-finite.safetensors",
)
save_file({}, f"{safetensors}--empty.safetensors")

numpy = f"numpy-{version('numpy')}"
np.save(f"{numpy}--matrix.npy", rng.standard_normal((3, 5)))
np.save(f"{numpy}--fortran.npy", np.asfortranarray(rng.standard_normal((3, 5), dtype=np.float32)))
np.save(f"{numpy}--scalar.npy", np.float32(np.inf))
np.save(f"{numpy}--names.npy", np.array(["loss", "accuracy"]))
np.save(f"{numpy}--empty.npy", np.zeros((0, 3), dtype=np.int32))
np.lib.format.write_array(
    open(f"{numpy}--version-2.npy", "wb"), np.arange(6, dtype=np.int16), version=(2, 0)
)
np.save(f"{numpy}--table.npy", np.zeros(2, dtype=[("step", "<i4"), ("loss", "<f8")]))
np.save(f"{numpy}--objects.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
nested = np.dtype([("step", "<i4"), ("box", "<f4", (2, 3)), ("inner", [("x", "u1"), ("name", "<U4")])])
np.save(f"{numpy}--nested.npy", np.zeros(3, dtype=nested))
np.save(f"{numpy}--titles.npy", np.zeros(2, dtype=[(("A title", "a"), "u1"), ("b", "<f8")]))
np.save(f"{numpy}--columns.npy", np.zeros(2, dtype=[(f"field_{no:04}", "<f4") for no in range(600)]))
with open(f"{numpy}--in-a-row.npy", "wb") as file:
    np.save(file, np.arange(3.0))
    np.save(file, np.float32([1, np.nan]))
