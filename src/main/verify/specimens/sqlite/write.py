"""Writes the files of this folder by the libraries themselves.

    python write.py
    python -m venv t && t/bin/pip install trackio && t/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
import shutil
import sqlite3
import tempfile
from importlib.metadata import PackageNotFoundError, version

os.chdir(os.path.dirname(os.path.abspath(__file__)))
name = f"sqlite-{sqlite3.sqlite_version}"


def fill(db):
    db.execute("create table metrics (id integer primary key, name text, value real, more blob)")
    db.execute("create index by_name on metrics (name, value)")
    db.execute("create table keyed (name text primary key, value integer) without rowid")
    db.execute("create view large as select * from metrics where value > 1")
    db.execute("create trigger t after insert on keyed begin delete from metrics where id = -1; end")
    rows = [(i * 3, f"loss/{i % 4}", i / 7, b"x" * (3000 if i == 50 else i % 9)) for i in range(120)]
    db.executemany("insert into metrics values (?, ?, ?, ?)", rows)
    db.executemany("insert into metrics values (?, ?, ?, ?)", [(-5, None, 1e300, b""), (2**62, "", 0, None)])
    db.executemany("insert into keyed values (?, ?)", [(f"key {i}", 1 << (i % 60)) for i in range(70)])
    db.execute("create table notes (text text unique)")
    db.execute("create table " + "a_long_name" * 60 + " (" + ", ".join(f"column_{i} text" for i in range(90)) + ")")
    db.commit()


def write(what, *settings, after=()):
    path = f"{name}--{what}"
    if os.path.exists(path):
        os.remove(path)
    db = sqlite3.connect(path)
    for each in settings:
        db.execute(each)
    fill(db)
    for each in after:
        db.execute(each)
        db.commit()
    db.close()


write("small-pages.sqlite", "pragma page_size = 512")
write("default.db", after=["delete from metrics where id % 5 = 0"])
write("free.sqlite3", "pragma page_size = 1024", after=["drop index by_name", "delete from metrics where id > 200"])
write("vacuum.db3", "pragma page_size = 1024", "pragma auto_vacuum = full", after=["delete from keyed where value % 3 = 0"])
write("wal.db", "pragma page_size = 1024", "pragma journal_mode = wal")
write("utf-16.sqlite", "pragma page_size = 1024", "pragma encoding = 'UTF-16le'")
write("utf-16-big.sqlite", "pragma page_size = 512", "pragma encoding = 'UTF-16be'")
db = sqlite3.connect(f"{name}--nothing.db")
db.execute("pragma user_version = 1")
db.close()

try:
    trackio_name = f"trackio-{version('trackio')}"
except PackageNotFoundError:
    raise SystemExit
os.environ["TRACKIO_DIR"] = home = tempfile.mkdtemp()
import trackio

trackio.init(project="demo", name="run", config={"lr": 0.1})
for i in range(5):
    trackio.log({"loss": 1 / (i + 1)})
trackio.finish()
for at, _, names in os.walk(home):
    for each in names:
        print(os.path.join(at, each))
        if each == "demo.db":
            shutil.copy(os.path.join(at, each), f"{trackio_name}--demo.db")

# As it stands while rows wait for a Space, and once that has them; nothing is sent to anybody.
from trackio.sqlite_storage import SQLiteStorage

for what, space in [("pending", "someone/space"), ("sent", None)]:
    rows = [{"loss": 1 / (i + 1)} for i in range(5)]
    ids = [f"id{i}" for i in range(5)]
    SQLiteStorage.bulk_log(what, "run", rows, steps=list(range(5)), log_ids=ids, space_id=space, run_id="r1")
    SQLiteStorage.set_project_metadata(what, "space_id", "someone/space")
    shutil.copy(os.path.join(home, f"{what}.db"), f"{trackio_name}--{what}.db")
