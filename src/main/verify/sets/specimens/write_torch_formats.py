"""Writes a distributed checkpoint of PyTorch whose parts are of the format safetensors, by the library itself.

    python -m venv v && v/bin/pip install torch==2.15.0 numpy safetensors
    v/bin/python write_torch_formats.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
import shutil

import torch
import torch.distributed.checkpoint as dcp
from torch.distributed.checkpoint.filesystem import SerializationFormat

os.chdir(os.path.dirname(os.path.abspath(__file__)))
torch.manual_seed(7)
folder = f"torch-{torch.__version__.split('+')[0]}--safetensors"
shutil.rmtree(folder, ignore_errors=True)
writer = dcp.FileSystemWriter(folder, serialization_format=SerializationFormat.SAFETENSORS)
dcp.save(torch.nn.Linear(4, 2).state_dict(), storage_writer=writer, no_dist=True)
