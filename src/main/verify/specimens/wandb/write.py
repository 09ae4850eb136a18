"""Writes the file of this folder by the library itself.

    python -m venv v && v/bin/pip install wandb==0.31.0
    v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import glob
import os
import shutil
import tempfile
from importlib.metadata import version

folder = tempfile.mkdtemp()
os.environ.update(
    WANDB_MODE="offline",
    WANDB_DIR=folder,
    WANDB_SILENT="true",
    WANDB_DISABLE_GIT="true",
    WANDB_DISABLE_CODE="true",
    WANDB_USERNAME="someone",
    WANDB_HOST="box",
)
import wandb

settings = wandb.Settings(x_disable_stats=True, x_disable_meta=True, console="off", x_save_requirements=False)
with wandb.init(project="specimen", settings=settings, config={"text": "x" * 35_000}) as run:
    for step in range(5):
        run.log({"loss": 1 / (step + 1)})

os.chdir(os.path.dirname(os.path.abspath(__file__)))
(written,) = glob.glob(f"{folder}/wandb/offline-run-*/*.wandb")
shutil.copyfile(written, f"wandb-{version('wandb')}--run.wandb")
shutil.rmtree(folder)
