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
with torch.serialization.skip_data():
    torch.save(state, f"{name}--room-for-data.pt")
torch.save(state, f"{name}--model_best.pth.tar")
torch.save(state, f"{name}--legacy.pkl", _use_new_zipfile_serialization=False)

# Two or four numbers to a byte, in rows that do not fill their last one; and what a mixed-precision run keeps beside its model.
numbers = torch.randn(5, 6)
steps, zeros = torch.full((5,), 0.5), torch.zeros(5)
small = {
    "four": torch.quantize_per_channel(numbers, steps, zeros, 0, torch.quint4x2),
    "two": torch.quantize_per_channel(numbers, steps, zeros, 0, torch.quint2x4),
    "odd": torch._empty_affine_quantized([3, 5], scale=1.0, zero_point=0, dtype=torch.quint4x2),
}
torch.save(small, f"{name}--small-types.pt")
torch.save(small, f"{name}--small-types-legacy.pt", _use_new_zipfile_serialization=False)
scaler = torch.amp.GradScaler("cpu")
torch.save({"model": state, "scaler": scaler.state_dict(), "rng": torch.get_rng_state()}, f"{name}--amp.pt")

with tempfile.TemporaryDirectory() as folder:
    accelerator = Accelerator(cpu=True)
    optimizer = torch.optim.SGD(torch.nn.Linear(2, 1).parameters(), lr=0.1)
    accelerator.register_for_checkpointing(torch.optim.lr_scheduler.StepLR(optimizer, 1))
    accelerator.save_state(folder)
    shutil.copy(f"{folder}/custom_checkpoint_0.pkl", f"accelerate-{version('accelerate')}--custom_checkpoint_0.pkl")
