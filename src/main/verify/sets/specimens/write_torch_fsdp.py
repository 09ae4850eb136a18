"""Writes folders of distributed checkpoints of PyTorch before 2.3 beside it: of FSDP, of tensors in pieces, and with a file for each piece.

    python -m venv v && v/bin/pip install torch==2.2.2 "numpy<2"
    v/bin/python write_torch_fsdp.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
import torch.multiprocessing as mp
from torch import nn
from torch.distributed._tensor import DeviceMesh, Replicate, Shard, distribute_tensor
from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
from torch.distributed.fsdp import StateDictType

os.chdir(os.path.dirname(os.path.abspath(__file__)))
name = f"torch-{torch.__version__.split('+')[0]}"


def write(rank, world):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29591", RANK=str(rank), WORLD_SIZE=str(world))
    dist.init_process_group("gloo", rank=rank, world_size=world)
    torch.manual_seed(7)
    mesh = DeviceMesh("cpu", list(range(world)))
    state = {
        "model": {
            "weight": distribute_tensor(torch.arange(70.0).reshape(7, 10), mesh, [Shard(0)]),
            "bias": distribute_tensor(torch.arange(5.0), mesh, [Replicate()]),
        },
        "optim": {
            "state": {"weight": {"exp_avg": distribute_tensor(torch.zeros(7, 10), mesh, [Shard(1)])}},
            "param_groups": [{"lr": 0.1}],
        },
        "step": 3,
    }
    dcp.save_state_dict(state, dcp.FileSystemWriter(f"{name}--dtensors", single_file_per_rank=True))
    dcp.save_state_dict(state, dcp.FileSystemWriter(f"{name}--a-file-each", single_file_per_rank=False))
    net = FSDP(nn.Sequential(nn.Linear(6, 5), nn.Linear(5, 3)), device_id=torch.device("cpu"))
    optimizer = torch.optim.AdamW(net.parameters())
    net(torch.ones(2, 6)).sum().backward()
    optimizer.step()
    with FSDP.state_dict_type(net, StateDictType.SHARDED_STATE_DICT):
        state = {"model": net.state_dict(), "optim": FSDP.optim_state_dict(net, optimizer)}
    dcp.save_state_dict(state, dcp.FileSystemWriter(f"{name}--fsdp"))
    dist.destroy_process_group()


if __name__ == "__main__":
    mp.spawn(write, args=(2,), nprocs=2)
