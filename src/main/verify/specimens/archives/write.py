"""Writes the files of this folder by Python and the programs themselves.

    python write.py

The tests need none of this: what it wrote is kept, under a name with what wrote it.
"""

import gzip
import io
import os
import subprocess
import sys
import tarfile
import tempfile

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
