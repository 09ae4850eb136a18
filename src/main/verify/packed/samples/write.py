"""Writes the samples of this folder: python -m venv v && v/bin/pip install zstandard && v/bin/python write.py"""

import hashlib
import os
import random

import zstandard

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = random.Random(7)
words = [bytes(rng.choices(b"abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(200)]
# Letters that pack well, repeats far and near, numbers that do not pack, and nothing but zeros: all kinds of blocks.
text = b" ".join(rng.choices(words, k=30_000)) + rng.randbytes(2_000) + bytes(200_000) + b"ab" * 40_000
for level in (-5, 3, 19):
    pack = zstandard.ZstdCompressor(level=level, write_checksum=level == 3)
    with open(f"zstandard-{zstandard.__version__}--level-{level}.zst", "wb") as f:
        f.write(pack.compress(text[:20_000] if level < 0 else text[-300_000:]))
print(hashlib.sha256(text[:20_000]).hexdigest(), hashlib.sha256(text[-300_000:]).hexdigest())
