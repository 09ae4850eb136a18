"""Writes the files of this folder by Python, its package zstandard, and the programs themselves.

    python -m venv v && v/bin/pip install zstandard==0.25.0 && v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with what wrote it.
"""

import gzip
import io
import lzma
import os
import random
import subprocess
import sys
import tarfile
import tempfile

import zstandard

os.chdir(os.path.dirname(os.path.abspath(__file__)))

python = f"python-{sys.version_info.major}.{sys.version_info.minor}"
text = b"step,loss\n" + b"".join(b"%d,%.3f\n" % (step, 1 / (step + 1)) for step in range(40))


def fill(archive):
    for name in ("a.txt", "deep/" * 30 + "b.txt", "grüße.txt"):
        entry = tarfile.TarInfo(name)
        entry.size = len(text)
        archive.addfile(entry, io.BytesIO(text))
    folder = tarfile.TarInfo("empty")
    folder.type = tarfile.DIRTYPE
    archive.addfile(folder)
    link = tarfile.TarInfo("link")
    link.type = tarfile.SYMTYPE
    link.linkname = "a.txt"
    archive.addfile(link)


for kind in ("USTAR", "GNU", "PAX"):
    with tarfile.open(f"{python}--{kind.lower()}.tar", "w", format=getattr(tarfile, f"{kind}_FORMAT")) as archive:
        fill(archive)
with tarfile.open(f"{python}--several.tar.gz", "w:gz") as archive:
    fill(archive)
with tarfile.open(f"{python}--escaping.tgz", "w:gz") as archive:
    archive.addfile(tarfile.TarInfo("../outside"))
    archive.addfile(tarfile.TarInfo("/etc/passwd"))

with gzip.open(f"{python}--log.csv.gz", "wb") as file:
    file.write(text)
with open(f"{python}--two-members.gz", "wb") as file:
    file.write(gzip.compress(text) + gzip.compress(b"") + bytes(10))

with tempfile.TemporaryDirectory() as folder:
    with open(f"{folder}/log.csv", "wb") as file:
        file.write(text)
    with open("gzip-1--named.gz", "wb") as file:
        subprocess.run(["gzip", "-9c", f"{folder}/log.csv"], stdout=file, check=True)
    with open(f"{folder}/sparse", "wb") as file:
        file.write(b"x")
        file.truncate(5_000_000)
        file.seek(4_000_000)
        file.write(b"y" * 10)
    command = ["tar", "-C", folder, "--sparse", "-c", "sparse", "log.csv"]
    with open("tar-1--sparse.tar", "wb") as file:
        subprocess.run([*command, "--format=gnu", "--blocking-factor=1"], stdout=file, check=True)
    with open("tar-1--sparse-pax.tar", "wb") as file:
        subprocess.run([*command, "--format=pax", "--blocking-factor=1"], stdout=file, check=True)

with tarfile.open(f"{python}--several.tar.xz", "w:xz") as archive:
    fill(archive)
for check in ("NONE", "CRC32", "CRC64", "SHA256"):
    with open(f"{python}--{check.lower()}.xz", "wb") as file:
        file.write(lzma.compress(text, check=getattr(lzma, f"CHECK_{check}")))
# All that a stream may be made of: letters, near and far repeats, parts that do not pack, other settings, zeros at the end.
rng = random.Random(7)
words = [bytes(rng.choices(b"abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(200)]
mixed = b" ".join(rng.choices(words, k=3_000)) + rng.randbytes(2_000) + bytes(90_000) + b"ab" * 4_000
settings = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 1, "lp": 2, "pb": 1, "dict_size": 4096}]
with open(f"{python}--settings.xz", "wb") as file:
    file.write(lzma.compress(mixed, filters=settings) + bytes(8) + lzma.compress(text))
with open(f"{python}--delta.xz", "wb") as file:
    file.write(lzma.compress(text, filters=[{"id": lzma.FILTER_DELTA, "dist": 4}, {"id": lzma.FILTER_LZMA2, "preset": 6}]))
xz = subprocess.run(["xz", "--version"], capture_output=True, check=True, text=True).stdout.split()[3]
with open(f"xz-{xz}--blocks.xz", "wb") as file:
    command = ["xz", "-T2", "--block-size=65536", "-c"]
    file.write(subprocess.run(command, input=mixed, stdout=subprocess.PIPE, check=True).stdout)

packer = f"zstandard-{zstandard.__version__}"
with open(f"{packer}--mixed.zst", "wb") as file:
    with zstandard.ZstdCompressor(level=12, write_checksum=True).stream_writer(file, closefd=False) as stream:
        stream.write(mixed)
    file.write(zstandard.ZstdCompressor(write_checksum=True).compress(text))
with open(f"{packer}--several.tar.zst", "wb") as file:
    with zstandard.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False) as stream:
        with tarfile.open(fileobj=stream, mode="w|") as archive:
            fill(archive)
