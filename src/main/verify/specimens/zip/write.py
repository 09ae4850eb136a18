"""Writes the files of this folder by the libraries themselves.

    python -m venv v && v/bin/pip install numpy==1.26.4   (and once more with numpy==2.4.6)
    v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import io
import os
import platform
import subprocess
import tempfile
import zipfile

import numpy as np

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(7)
python = f"python-{platform.python_version()}"
numpy = f"numpy-{np.__version__}"
TEXT = b"step,loss\n" + b"".join(b"%d,%.3f\n" % (i, 3 / (i + 1)) for i in range(200))


def write(what, method=zipfile.ZIP_STORED, comment=b""):
    with zipfile.ZipFile(f"{python}--{what}.zip", "w", method) as archive:
        archive.writestr("metrics.csv", TEXT)
        archive.writestr("plots/", b"")
        archive.writestr("plots/\u00fcber \u4e2d.txt", b"names of every kind")
        archive.writestr("empty", b"")
        archive.comment = comment


write("stored")
write("deflated", zipfile.ZIP_DEFLATED, comment=b"a comment at the end")
write("bzip2", zipfile.ZIP_BZIP2)
with zipfile.ZipFile(f"{python}--nothing.zip", "w"):
    pass


class Pipe(io.RawIOBase):
    """What cannot be gone back in: sizes are then written behind the content."""

    def __init__(self, file):
        self.file = file

    def writable(self):
        return True

    def write(self, data):
        return self.file.write(data)


with open(f"{python}--streamed.zip", "wb") as file:
    with zipfile.ZipFile(Pipe(file), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", TEXT)
        with archive.open("b", "w", force_zip64=True) as member:
            member.write(TEXT)
with zipfile.ZipFile(f"{python}--large-fields.zip", "w") as archive:
    with archive.open("a", "w", force_zip64=True) as member:
        member.write(TEXT)
with open(f"{python}--unpacks-itself.zip", "wb") as file:
    file.write(b"#!/bin/sh\n")
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", TEXT)
inner = io.BytesIO()
with zipfile.ZipFile(inner, "w") as archive:
    archive.writestr("a", b"inside of another")
with zipfile.ZipFile(f"{python}--nested.zip", "w") as archive:
    archive.writestr("inner.zip", inner.getvalue())

arrays = {
    "weights": rng.standard_normal((3, 5)),
    "half": rng.standard_normal(7).astype(np.float16),
    "steps": np.arange(6),
    "names": np.array(["loss", "accuracy"]),
    "unused": np.zeros(4, dtype=np.float32),
    "nothing": np.zeros((0, 2)),
}
np.savez(f"{numpy}--plain.npz", **arrays)
np.savez_compressed(f"{numpy}--compressed.npz", **arrays)
np.savez(f"{numpy}--empty.npz")
broken = rng.standard_normal(2000).astype(np.float32)
broken[1999] = np.nan
broken[700] = np.inf
np.savez_compressed(f"{numpy}--not-finite.npz", broken, np.float32(-np.inf))
np.savez(f"{numpy}--objects.npz", fine=np.arange(3), objects=np.array([{"a": 1}], dtype=object))

# Other writers of archives, as they are on the machine.
with tempfile.TemporaryDirectory() as folder:
    os.makedirs(f"{folder}/plots")
    for name in ["metrics.csv", "plots/a.txt"]:
        with open(f"{folder}/{name}", "wb") as file:
            file.write(TEXT)
    with open(f"{folder}/empty", "wb"):
        pass
    here = os.getcwd()

    def by(what, *command):
        target = f"{here}/{what}.zip"
        if os.path.exists(target):
            os.remove(target)
        subprocess.run([target if part == "TO" else part for part in command], cwd=folder, check=True)

    by("infozip-3.0--plain", "zip", "-q", "-r", "TO", ".")
    by("infozip-3.0--encrypted", "zip", "-q", "-r", "-P", "secret", "TO", ".")
    by("infozip-3.0--streamed", "sh", "-c", 'zip -q -r - . > "$0"', "TO")
    by("jdk-17--jar", "jar", "cfM", "TO", ".")
