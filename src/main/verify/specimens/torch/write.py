"""Writes the files of this folder by the libraries themselves.

    python -m venv v && v/bin/pip install torch==2.10.0 numpy lightning==2.5.5 transformers==4.57.1 accelerate
    v/bin/python write.py

and once more with torch==1.13.1 and "numpy<2" alone. The tests need none of this: what it wrote is kept, under a name with the version
that wrote it.
"""

import argparse
import collections
import glob
import os
import shutil
import tempfile
import warnings

import numpy as np
import torch
from torch import nn

warnings.simplefilter("ignore")
os.chdir(os.path.dirname(os.path.abspath(__file__)))
torch.manual_seed(7)
version = f"torch-{torch.__version__.split('+')[0]}"
isNew = not version.startswith("torch-1.")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(11, 4)
        self.body = nn.Sequential(nn.Linear(4, 6), nn.BatchNorm1d(6), nn.Linear(6, 4))
        self.head = nn.Linear(4, 11, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, x):
        return self.head(self.body(self.embed(x)))


net = Net()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
net(torch.arange(11)).sum().backward()
optimizer.step()
state = net.state_dict()
checkpoint = {
    "model": state,
    "optimizer": optimizer.state_dict(),
    "epoch": 3,
    "best": float("inf"),
    "loss": np.float64(0.25),
    "rng": torch.get_rng_state(),
    "args": argparse.Namespace(lr=1e-3, name="a\u00e9\u4e2d", folders=["x", None, True]),
    "seen": collections.defaultdict(list, {"train": [1, 2]}),
    "history": np.arange(5, dtype=np.float32),
    "shape": torch.Size([2, 3]),
    "device": torch.device("cpu"),
    "dtype": torch.bfloat16,
    "tags": {"a", "b"},
    "big": 2**70,
    "blob": b"\x00\xff",
}
torch.save(state, f"{version}--state.pt")
torch.save(state, f"{version}--state-legacy.pt", _use_new_zipfile_serialization=False)
torch.save(state, f"{version}--state-protocol-4.pth", pickle_protocol=4)
torch.save(state, f"{version}--state-protocol-5.bin", pickle_protocol=5)
torch.save(checkpoint, f"{version}--checkpoint.ckpt")
torch.save(checkpoint, f"{version}--checkpoint-legacy.ckpt", _use_new_zipfile_serialization=False)
base = torch.randn(6, 4)
kinds = {
    "base": base,
    "row": base[2],
    "turned": base.t(),
    "every": base[::2, 1:],
    "one": torch.tensor(2.5),
    "nothing": torch.zeros(0, 3),
    "half": torch.randn(5).half(),
    "brain": torch.randn(5).bfloat16(),
    "double": torch.randn(5).double(),
    "mask": torch.tensor([True, False]),
    "steps": torch.arange(4),
    "complex": torch.randn(3, dtype=torch.complex64),
    "sparse": torch.eye(3).to_sparse(),
    "rows": torch.eye(3).to_sparse_csr(),
    "parameter": nn.Parameter(torch.randn(2)),
    "unused": torch.zeros(3, 3),
    "quantized": torch.quantize_per_tensor(torch.randn(4), 0.1, 2, torch.quint8),
    "stretched": torch.randn(1).expand(4, 3),
    "storage": torch.arange(3.0).storage(),
}
if isNew:
    kinds["eight"] = torch.randn(6).to(torch.float8_e4m3fn)
    kinds["short"] = torch.arange(3).to(torch.uint16)
torch.save(kinds, f"{version}--kinds.pt")
legacy = {name: kinds[name] for name in kinds if name not in ("eight", "short")}
torch.save(legacy, f"{version}--kinds-legacy.pt", _use_new_zipfile_serialization=False)
broken = torch.randn(4, 4)
broken[1, 2] = float("nan")
half = torch.randn(9).half()
half[8] = float("-inf")
torch.save({"layer": {"weight": broken}, "list": [half]}, f"{version}--not-finite.pt")
torch.save(net, f"{version}--whole-module.pt")
torch.save([], f"{version}--empty.pt")
torch.jit.script(nn.Linear(2, 2)).save(f"{version}--script.pt")

if isNew:
    import lightning
    import transformers

    class Lit(lightning.LightningModule):
        def __init__(self, width=4):
            super().__init__()
            self.save_hyperparameters()
            self.layer = nn.Linear(width, 1)

        def training_step(self, batch, _):
            loss = self.layer(batch).mean()
            self.log("loss", loss)
            return loss

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters())

    with tempfile.TemporaryDirectory() as folder:
        best = lightning.pytorch.callbacks.ModelCheckpoint(folder, monitor="loss", save_last=True)
        trainer = lightning.Trainer(
            max_epochs=1, callbacks=[best], logger=False, accelerator="cpu",
            enable_progress_bar=False, enable_model_summary=False, default_root_dir=folder,
        )
        trainer.fit(Lit(), torch.utils.data.DataLoader(torch.randn(8, 4), batch_size=4))
        shutil.copy(glob.glob(f"{folder}/last.ckpt")[0], f"lightning-{lightning.__version__}--last.ckpt")
        arguments = transformers.TrainingArguments(output_dir=folder, use_cpu=True, report_to=[])
        torch.save(arguments, f"transformers-{transformers.__version__}--training_args.bin")
