# Trains a tiny model with the library that is named, as its users do. What it prints is a sample:
#   python record.py NAME >NAME.txt 2>&1
import sys

import torch
from torch import nn

torch.manual_seed(0)
X = torch.randn(256, 8)
Y = (X.sum(1, keepdim=True) > 0).float()


def net():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))


def plain():
    model, lossf = net(), nn.BCEWithLogitsLoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(1, 4):
        for step in range(1, 5):
            loss = lossf(model(X), Y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            print(f"Epoch [{epoch}/3], Step [{step}/4], Loss: {loss.item():.4f}, lr: {opt.param_groups[0]['lr']:.1e}")
        print(f"epoch {epoch} val_loss={lossf(model(X), Y).item():.4f} val_acc={((model(X) > 0) == Y).float().mean().item():.3f}")


def diverges():
    model = net()
    opt = torch.optim.SGD(model.parameters(), lr=1e6)
    for step in range(8):
        loss = ((model(X) - Y) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step={step} loss={loss.item()}", flush=True)


def tqdm():
    from tqdm import tqdm as bar

    model, lossf = net(), nn.BCEWithLogitsLoss()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(2):
        with bar(range(10), desc=f"Epoch {epoch + 1}/2", mininterval=0) as steps:
            for _ in steps:
                loss = lossf(model(X), Y)
                opt.zero_grad()
                loss.backward()
                opt.step()
                steps.set_postfix(loss=loss.item(), lr=0.1)


def lightning_tqdm():
    from lightning.pytorch.callbacks import TQDMProgressBar

    lightning(callbacks=[TQDMProgressBar(refresh_rate=2)])


def lightning(**more):
    import lightning as L
    from torch.utils.data import DataLoader, TensorDataset

    class Model(L.LightningModule):
        def __init__(self):
            super().__init__()
            self.net = net()

        def training_step(self, batch, _):
            loss = nn.functional.binary_cross_entropy_with_logits(self.net(batch[0]), batch[1])
            self.log("train_loss", loss, prog_bar=True)
            return loss

        def validation_step(self, batch, _):
            self.log("val_loss", nn.functional.binary_cross_entropy_with_logits(self.net(batch[0]), batch[1]), prog_bar=True)

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.1)

    data = DataLoader(TensorDataset(X, Y), batch_size=32)
    L.Trainer(max_epochs=3, logger=False, enable_checkpointing=False, accelerator="cpu", **more).fit(Model(), data, data)


def transformers():
    import transformers as hf

    class Data(torch.utils.data.Dataset):
        def __len__(self):
            return 64

        def __getitem__(self, i):
            ids = torch.randint(0, 50, (8,))
            return {"input_ids": ids, "labels": ids}

    model = hf.GPT2LMHeadModel(hf.GPT2Config(vocab_size=50, n_positions=8, n_embd=8, n_layer=1, n_head=1))
    args = hf.TrainingArguments(
        output_dir="out", num_train_epochs=2, per_device_train_batch_size=8, logging_steps=4,
        eval_strategy="epoch", save_strategy="no", report_to=[], use_cpu=True,
    )
    hf.Trainer(model=model, args=args, train_dataset=Data(), eval_dataset=Data()).train()


def keras():
    import os

    os.environ["KERAS_BACKEND"] = "torch"
    import keras as k

    model = k.Sequential([k.layers.Dense(16, activation="relu"), k.layers.Dense(1, activation="sigmoid")])
    model.compile(loss="binary_crossentropy", metrics=["accuracy"], optimizer="adam")
    model.fit(X.numpy(), Y.numpy(), epochs=2, batch_size=32, validation_split=0.25)


def accelerate():
    from accelerate import Accelerator
    from torch.utils.data import DataLoader, TensorDataset
    from tqdm import tqdm as bar

    acc = Accelerator(cpu=True)
    model = net()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    sched = torch.optim.lr_scheduler.LinearLR(opt, 1.0, 0.1, total_iters=16)
    data = DataLoader(TensorDataset(X, Y), batch_size=32)
    model, opt, data, sched = acc.prepare(model, opt, data, sched)
    progress = bar(range(16), disable=not acc.is_local_main_process, mininterval=0)
    for epoch in range(2):
        for x, y in data:
            loss = nn.functional.binary_cross_entropy_with_logits(model(x), y)
            acc.backward(loss)
            opt.step()
            sched.step()
            opt.zero_grad()
            progress.update(1)
        acc.print(f"epoch {epoch}: train_loss: {loss.item():.4f}, lr: {sched.get_last_lr()[0]:.6f}")


def ultralytics():
    import os

    os.environ["YOLO_OFFLINE"] = "1"
    import numpy as np
    from PIL import Image
    from ultralytics import YOLO

    for part in ("train", "val"):
        os.makedirs(f"yolo/images/{part}", exist_ok=True)
        os.makedirs(f"yolo/labels/{part}", exist_ok=True)
        for i in range(4):
            Image.fromarray(np.random.randint(0, 255, (64, 64, 3), dtype=np.uint8)).save(f"yolo/images/{part}/{i}.png")
            open(f"yolo/labels/{part}/{i}.txt", "w").write("0 0.5 0.5 0.4 0.4\n")
    open("yolo/data.yaml", "w").write(f"path: {os.path.abspath('yolo')}\ntrain: images/train\nval: images/val\nnames: [box]\n")
    YOLO("yolov8n.yaml").train(data="yolo/data.yaml", epochs=3, imgsz=64, batch=2, device="cpu", workers=0, plots=False, project="yolo/runs", amp=False)


def nanogpt():
    # The lines of train.py of karpathy/nanoGPT, with its format strings.
    import time

    model, lossf = net(), nn.BCEWithLogitsLoss()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for i in range(0, 13):
        t0 = time.time()
        loss = lossf(model(X), Y)
        if i % 6 == 0:
            print(f"step {i}: train loss {loss:.4f}, val loss {loss + 0.01:.4f}")
        opt.zero_grad()
        loss.backward()
        opt.step()
        dt = time.time() - t0
        if i % 2 == 0:
            print(f"iter {i}: loss {loss.item():.4f}, time {dt * 1000:.2f}ms, mfu {-100.0:.2f}%")


def json_lines():
    import json

    for step in range(10, 50, 10):
        print(json.dumps({"step": step, "loss": 2.0 / step, "learning_rate": 3e-4, "tokens_per_sec": 51200.5}))


globals()[sys.argv[1]]()
