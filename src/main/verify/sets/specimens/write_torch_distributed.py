"""Writes the folder of PyTorch’s distributed checkpoint beside it by the library itself.

    python -m venv v && v/bin/pip install torch==2.10.0 numpy
    v/bin/python write_torch_distributed.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
import shutil

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import Replicate, Shard, distribute_tensor

os.chdir(os.path.dirname(os.path.abspath(__file__)))
name = f"torch-{torch.__version__.split('+')[0]}"


def write(rank, world, folder):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29541", RANK=str(rank), WORLD_SIZE=str(world))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(7)
    mesh = init_device_mesh("cpu", (world,))
    weight, bias = torch.randn(7, 4), torch.randn(4).to(torch.bfloat16)
    state = {
        "model": {
            "weight": distribute_tensor(weight, mesh, [Shard(0)]),
            "columns": distribute_tensor(weight.T.contiguous(), mesh, [Shard(1)]),
            "bias": distribute_tensor(bias, mesh, [Replicate()]),
            "scalar": torch.tensor(0.5),
            "empty": torch.zeros(0, 3),
        },
        "optimizer": {"state": {"step": torch.tensor(3.0)}, "lr": 0.1, "betas": (0.9, 0.95)},
        "epoch": 4,
    }
    dcp.save(state, checkpoint_id=folder)
    dist.destroy_process_group()


if __name__ == "__main__":
    folder = f"{name}--distributed"
    shutil.rmtree(folder, ignore_errors=True)
    mp.spawn(write, args=(2, folder), nprocs=2)
