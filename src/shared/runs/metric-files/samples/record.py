"""Writes the specimens beside it: python record.py, in an empty folder (the versions are in README.md)."""
import glob
import shutil

import numpy
import tensorboardX
from tensorboard.compat.proto import event_pb2
from tensorboard.plugins.scalar.summary_v2 import scalar_pb
from tensorboard.summary.writer.event_file_writer import EventFileWriter

BEGAN_S = 1_790_000_000

writer = tensorboardX.SummaryWriter("x")
for step in range(30):
    writer.add_scalar("train/loss", 4 / (1 + step), step, walltime=BEGAN_S + step)
    writer.add_scalar("lr", 1e-3 * (1 - step / 30), step, walltime=BEGAN_S + step)
writer.add_scalar("grad", float("nan"), 29, walltime=BEGAN_S + 29)
writer.add_histogram("weights", numpy.arange(10), 29, walltime=BEGAN_S + 29)
writer.add_text("note", "hello", 29, walltime=BEGAN_S + 29)
writer.close()
shutil.move(glob.glob("x/*")[0], "tensorboardx.tfevents")

# As torch.utils.tensorboard writes its files, and as TensorFlow 2 writes its scalars: tensors of one element.
events = EventFileWriter("t")
for step in range(30):
    for tag, value in (("val/loss", 3 / (1 + step)), ("accuracy", numpy.float64(step / 30))):
        event = event_pb2.Event(wall_time=BEGAN_S + step, step=step)
        event.summary.CopyFrom(scalar_pb(tag, value))
        events.add_event(event)
events.close()
shutil.move(glob.glob("t/*")[0], "tensorboard.tfevents")
