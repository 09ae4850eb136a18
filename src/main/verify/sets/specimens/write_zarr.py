"""Writes the folders of zarr and Orbax beside it by the libraries themselves.

    python -m venv v && v/bin/pip install zarr==3.1.6 orbax-checkpoint==0.12.8 jax numpy
    v/bin/python write_zarr.py

The tests need none of this: what they wrote is kept, under a name with the version that wrote it.
"""

import os
import shutil
from importlib.metadata import version

import jax.numpy as jnp
import numcodecs
import numpy as np
import orbax.checkpoint as ocp
import zarr
from zarr.codecs import Crc32cCodec, ZstdCodec

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(7)
name = f"zarr-{version('zarr')}"

values = rng.standard_normal((10, 7), dtype=np.float32)
for form, ways in [
    (2, {"blosc": numcodecs.Blosc(cname="zstd"), "lz4": numcodecs.LZ4(), "zlib": numcodecs.Zlib(), "plain": None}),
    (3, {"zstd": [ZstdCodec(checksum=True), Crc32cCodec()], "plain": None}),
]:
    group = zarr.open_group(f"{name}--version-{form}", mode="w", zarr_format=form)
    for what, how in ways.items():
        array = group.create_array(f"model/{what}", shape=values.shape, dtype="f4", chunks=(4, 4), compressors=how)
        array[...] = values
    ids = group.create_array("ids", shape=(9,), dtype="i8", chunks=(2,))
    ids[:4] = 1
    if form == 3:
        shards = group.create_array("shards", shape=values.shape, dtype="f4", chunks=(2, 2), shards=(8, 4))
        shards[...] = values
    zarr.consolidate_metadata(f"{name}--version-{form}")

orbax = f"orbax-{version('orbax-checkpoint')}"
tree = {
    "params": {"kernel": jnp.asarray(rng.standard_normal((40, 30))), "bias": jnp.zeros(4, jnp.bfloat16)},
    "step": 3,
}
for what, ocdbt in [("database", True), ("folders", False)]:
    folder = os.path.abspath(f"{orbax}--{what}")
    shutil.rmtree(folder, ignore_errors=True)
    ocp.PyTreeCheckpointer(use_ocdbt=ocdbt).save(folder, tree)
    # It says where that was.
    os.remove(f"{folder}/commit_success.txt")
