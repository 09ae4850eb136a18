"""Writes the folders of Hugging Face beside it by the libraries themselves.

    python -m venv v && v/bin/pip install torch huggingface_hub safetensors numpy
    v/bin/python write_huggingface.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
import shutil
from importlib.metadata import version

import torch
from huggingface_hub import save_torch_state_dict

os.chdir(os.path.dirname(os.path.abspath(__file__)))
torch.manual_seed(7)

tied = torch.randn(8, 16)
state = {f"layers.{i}.weight": torch.randn(8, 8) for i in range(6)}
state |= {"embed.weight": tied, "head.weight": tied, "scale": torch.ones(3, dtype=torch.bfloat16)}
for what, is_safe in [("safetensors", True), ("torch", False)]:
    folder = f"huggingface_hub-{version('huggingface_hub')}--{what}"
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    save_torch_state_dict(state, folder, max_shard_size="1KB", safe_serialization=is_safe)
