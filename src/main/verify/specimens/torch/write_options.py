"""Writes what torch is asked for by options, and what accelerate calls pickles, by the libraries themselves.

    python -m venv v && v/bin/pip install torch==2.15.0 numpy accelerate==1.15.0
    v/bin/python write_options.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
import shutil
import tempfile
from importlib.metadata import version

import torch
from accelerate import Accelerator

os.chdir(os.path.dirname(os.path.abspath(__file__)))
torch.manual_seed(7)
name = f"torch-{torch.__version__.split('+')[0]}"
state = torch.nn.Linear(4, 2).state_dict()

torch.serialization.set_crc32_options(False)
torch.save(state, f"{name}--without-checksums.pt")
torch.serialization.set_crc32_options(True)
torch.save(state, f"{name}--model_best.pth.tar")
torch.save(state, f"{name}--legacy.pkl", _use_new_zipfile_serialization=False)

with tempfile.TemporaryDirectory() as folder:
    accelerator = Accelerator(cpu=True)
    optimizer = torch.optim.SGD(torch.nn.Linear(2, 1).parameters(), lr=0.1)
    accelerator.register_for_checkpointing(torch.optim.lr_scheduler.StepLR(optimizer, 1))
    accelerator.save_state(folder)
    shutil.copy(f"{folder}/custom_checkpoint_0.pkl", f"accelerate-{version('accelerate')}--custom_checkpoint_0.pkl")
