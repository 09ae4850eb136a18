"""Writes the files of this folder by the libraries themselves.

    python -m venv v && v/bin/pip install h5py numpy
    python -m venv k && k/bin/pip install tensorflow-cpu keras h5py
    v/bin/python write.py && k/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
from importlib.metadata import PackageNotFoundError, version

import h5py
import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(7)
name = f"h5py-{version('h5py')}"


def fill(f):
    weight = rng.standard_normal((6, 5), dtype=np.float32)
    weight[2, 3] = np.nan
    f["model/dense/kernel"] = weight
    f["model/dense/bias"] = np.zeros(5, dtype=np.float16)
    f["model/ids"] = np.arange(7)
    f["scalar"] = 0.5
    f["texts"] = np.array([b"ab", b"cde"])
    f["empty"] = np.zeros((0, 3), dtype=np.float32)
    f.create_dataset("never", (4, 4), dtype="f8")
    f.attrs["note"] = "a\u00e9"
    f["model"].attrs["names"] = [b"dense", b"ids"]
    chunked = rng.standard_normal((10, 7))
    f.create_dataset("plain", data=chunked, chunks=(4, 3))
    how = {"compression": "gzip", "shuffle": True, "fletcher32": True}
    f.create_dataset("packed", data=chunked, chunks=(4, 4), **how)
    f.create_dataset("grows", data=chunked, chunks=(5, 7), maxshape=(None, 7))


for what, libver in [("default", None), ("earliest", ("earliest", "v108")), ("latest", "latest")]:
    with h5py.File(f"{name}--{what}.h5", "w", libver=libver) as f:
        fill(f)
with h5py.File(f"{name}--many.hdf5", "w") as f:
    for i in range(20):
        f[f"layer_{i}"] = np.full(3, i, dtype=np.float32)
with h5py.File(f"{name}--newer.h5", "w", libver="latest", userblock_size=512, track_order=True) as f:
    cells = rng.standard_normal((9, 7), dtype=np.float32)
    f["type"] = np.dtype("f4")
    f.create_dataset("typed", data=cells, dtype=f["type"])
    packed = {"compression": "gzip", "fletcher32": True}
    for what, how in [("plain", {}), ("packed", packed)]:
        f.create_dataset(f"{what}/one", data=cells, chunks=(9, 7), **how)
        f.create_dataset(f"{what}/array", data=cells, chunks=(2, 3), **how)
        f.create_dataset(f"{what}/pages", data=np.zeros(1100, np.uint8), chunks=(1,) if what == "plain" else (64,), **how)
        f.create_dataset(f"{what}/grows", data=np.ones(300, np.uint8), chunks=(1,), maxshape=(None,), **how)
        f.create_dataset(f"{what}/tree", data=cells, chunks=(2, 3), maxshape=(None, None), **how)
    f.create_dataset("lzf", data=np.zeros(300, np.int32), chunks=(100,), compression="lzf", shuffle=True)
    created = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    created.set_chunk((4, 4))
    created.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    h5py.h5d.create(f.id, b"row", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((10, 10)), created)
    for no in range(30):
        f[f"many/a name of some length {no}"] = no
        f["many"].attrs[f"attribute {no}"] = "x" * no

try:
    keras = f"keras-{version('keras')}"
except PackageNotFoundError:
    raise SystemExit
import keras as k

layers = [k.layers.Dense(3, name=f"dense_{i}") for i in range(2)]
model = k.Sequential([k.Input((4,)), *layers])
model.compile("adam", "mse")
model.save(f"{keras}--model.keras")
model.save(f"{keras}--model.h5")
model.save_weights(f"{keras}--model.weights.h5")
