"""Writes the output folders of Lightning and of the Trainer of transformers beside it by the libraries themselves.

    python -m venv v && v/bin/pip install torch==2.2.2 lightning==2.6.6 transformers==4.57.1 accelerate==1.15.0 "numpy<2"
    v/bin/python write_trainers.py

It writes where it is copied to: the checkpoints of Lightning say where that was.

The tests need none of this: what they wrote is kept, under a name with the version that wrote it.
"""

import os
import shutil
from importlib.metadata import version

import lightning
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from lightning.pytorch.loggers import CSVLogger
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments

os.chdir(os.path.dirname(os.path.abspath(__file__)))


class Net(lightning.LightningModule):
    def __init__(self, width=3, rate=0.1):
        super().__init__()
        self.save_hyperparameters()
        self.net = torch.nn.Linear(width, 2)

    def training_step(self, batch, _):
        loss = self.net(batch[0]).square().mean()
        self.log("loss", loss, on_step=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.hparams.rate)


def fresh(name):
    shutil.rmtree(name, ignore_errors=True)
    return name


torch.manual_seed(7)
folder = fresh(f"lightning-{version('lightning')}--run")
data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(8, 3)), batch_size=2)
lightning.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=CSVLogger(folder, name="", version=""),
    log_every_n_steps=1,
    callbacks=[ModelCheckpoint(dirpath=f"{folder}/checkpoints", save_last=True)],
    enable_progress_bar=False,
    enable_model_summary=False,
).fit(Net(), data)


class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, at):
        return {"input_ids": torch.tensor([at, 1, 2]), "labels": at % 2}


folder = fresh(f"transformers-{version('transformers')}--trainer")
config = BertConfig(vocab_size=8, hidden_size=4, num_hidden_layers=1, num_attention_heads=1, intermediate_size=4, max_position_embeddings=4)
arguments = TrainingArguments(folder, max_steps=2, save_steps=2, logging_steps=1, per_device_train_batch_size=2, report_to=[], use_cpu=True, logging_dir="logs")
trainer = Trainer(BertForSequenceClassification(config), arguments, train_dataset=Rows())
trainer.train()
trainer.save_model(f"{folder}/final")
