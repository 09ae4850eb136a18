"""Writes shards of webdataset beside it by the library itself.

    python -m venv v && v/bin/pip install webdataset==1.0.2 numpy && v/bin/python write_webdataset.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
from importlib.metadata import version

import numpy as np
import webdataset as wds

os.chdir(os.path.dirname(os.path.abspath(__file__)))
name = f"webdataset-{version('webdataset')}"
for end, packs in [("tar", False), ("tar.gz", True)]:
    with wds.TarWriter(f"{name}--shard-000000.{end}", compress=packs, mtime=0) as shard:
        for no in range(3):
            numbers = np.arange(4, dtype=np.float32) * no
            shard.write({"__key__": f"train/{no:06d}", "cls": no, "json": {"no": no}, "npy": numbers, "txt": f"text {no}"})
