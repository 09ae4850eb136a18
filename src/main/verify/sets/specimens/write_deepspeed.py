"""Writes a checkpoint as DeepSpeed lays it out (ZeRO stage 2, two ranks) beside it, of DeepSpeed's own classes, and has DeepSpeed read it.

    python -m venv v && v/bin/pip install --no-deps torch==1.12.1 typing_extensions "numpy<2" deepspeed==0.10.3 hjson ninja packaging psutil \
        py-cpuinfo "pydantic<2" tqdm
    v/bin/python write_deepspeed.py

Its engine wants a GPU for this. So what `_save_checkpoint` and `_save_zero_checkpoint` of `runtime/engine.py` and `state_dict` of
`runtime/zero/stage_1_and_2.py` put together is put together here, and `get_fp32_state_dict_from_zero_checkpoint` tells whether it is one.

The tests need none of this: what it wrote is kept, under a name with the version of the library.
"""

import os
import shutil
from collections import OrderedDict

import deepspeed
import torch
from deepspeed.runtime.fp16.loss_scaler import LossScaler
from deepspeed.runtime.zero.config import ZeroStageEnum
from deepspeed.utils.tensor_fragment import fragment_address
from deepspeed.utils.zero_to_fp32 import get_fp32_state_dict_from_zero_checkpoint

os.chdir(os.path.dirname(os.path.abspath(__file__)))
RANKS = 2
TAG = "global_step3"

torch.manual_seed(7)
folder = f"deepspeed-{deepspeed.__version__}--zero-2"
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(f"{folder}/{TAG}")
net = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4))
config = {"train_batch_size": 4, "fp16": {"enabled": True}, "zero_optimization": {"stage": 2}}
shapes = OrderedDict((name, each.shape) for name, each in net.named_parameters())
state = dict(
    module=OrderedDict((name, each.detach().half()) for name, each in net.state_dict().items()),
    buffer_names=[f"1.{name}" for name, _ in net[1].named_buffers()],
    optimizer=None,
    param_shapes=[shapes],
    frozen_param_shapes=OrderedDict(),
    shared_params={},
    frozen_param_fragments=OrderedDict(),
    lr_scheduler=None,
    data_sampler=None,
    random_ltd=None,
    sparse_tensor_module_names=set(),
    skipped_steps=0,
    global_steps=3,
    global_samples=12,
    dp_world_size=RANKS,
    mp_world_size=1,
    ds_config=config,
    ds_version=deepspeed.__version__,
)
torch.save(state, f"{folder}/{TAG}/mp_rank_00_model_states.pt")

flat = torch.cat([each.detach().flatten() for each in net.parameters()])
each = flat.numel() // RANKS
for rank in range(RANKS):
    part = flat[rank * each : (rank + 1) * each].clone()
    moments = {"step": 3, "exp_avg": torch.randn(each), "exp_avg_sq": torch.rand(each)}
    optimizer = dict(
        loss_scaler=LossScaler(1),
        dynamic_loss_scale=False,
        overflow=False,
        clip_grad=0.0,
        base_optimizer_state={"state": {0: moments}, "param_groups": [{"lr": 1e-3, "betas": (0.9, 0.999), "params": [0]}]},
        single_partition_of_fp32_groups=[part],
        zero_stage=ZeroStageEnum.gradients,
        group_paddings=[0],
        partition_count=[RANKS],
        ds_version=deepspeed.__version__,
        param_slice_mappings=[OrderedDict({"0.weight": fragment_address(numel=each, start=0)})],
    )
    zero = dict(optimizer_state_dict=optimizer, ds_config=config, ds_version=deepspeed.__version__)
    torch.save(zero, f"{folder}/{TAG}/zero_pp_rank_{rank}_mp_rank_00_optim_states.pt")
with open(f"{folder}/latest", "w") as file:
    file.write(TAG)

whole = get_fp32_state_dict_from_zero_checkpoint(folder)
assert all(torch.equal(whole[name], each) for name, each in net.named_parameters())
