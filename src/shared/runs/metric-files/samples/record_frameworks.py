"""Writes the specimens of whole frameworks beside it, with what TensorBoard itself reads of them: python record_frameworks.py NAME, in an
empty folder. NAME is torch or keras; the versions are in README.md."""
import glob
import json
import shutil
import sys

import numpy
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.util import tensor_util

EVERYTHING = {"scalars": 0, "tensors": 0, "images": 1, "histograms": 1, "audio": 1, "compressedHistograms": 1}


def plain(value):
    """JSON has no word for what is no number."""
    return value if numpy.isfinite(value) else {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]


def keep(name, folder):
    """The one event file of a folder, and every scalar that TensorBoard has of it: [step, seconds, value]."""
    (file,) = glob.glob(folder + "/events.*")
    shutil.copy(file, name + ".tfevents")
    told = EventAccumulator(name + ".tfevents", size_guidance=EVERYTHING).Reload()
    scalars = {tag: [[e.step, e.wall_time, plain(e.value)] for e in told.Scalars(tag)] for tag in told.Tags()["scalars"]}
    for tag in told.Tags()["tensors"]:
        values = [(e, tensor_util.make_ndarray(e.tensor_proto)) for e in told.Tensors(tag)]
        if all(value.shape == () and numpy.issubdtype(value.dtype, numpy.number) for _, value in values):
            scalars[tag] = [[e.step, e.wall_time, plain(float(value))] for e, value in values]
    with open(name + ".json", "w") as out:
        words = json.dumps(scalars, indent=1, ensure_ascii=False)
        out.write(words + "\n")


def record_torch():
    import torch
    from torch.utils.tensorboard import SummaryWriter

    model = torch.nn.Linear(3, 1)
    descent = torch.optim.SGD(model.parameters(), lr=0.1)
    writer = SummaryWriter("t", purge_step=0)
    x = torch.arange(30.0).reshape(10, 3) / 30
    y = x.sum(1, keepdim=True)
    for step in range(20):
        loss = torch.nn.functional.mse_loss(model(x), y)
        descent.zero_grad()
        loss.backward()
        descent.step()
        writer.add_scalar("loss/train", loss, step)
        writer.add_scalar("loss/val", loss.detach().double() * 1.1, step, new_style=True)
        writer.add_scalar("half", loss.half(), step)
        writer.add_scalar("损失", float(loss), step)
        writer.add_scalar("精度", 1 - float(loss), step)
    writer.add_scalar("far", 1, 5_000_000_000)
    writer.add_scalar("bad", float("inf"), 1)
    writer.add_histogram("weights", model.weight, 19)
    writer.add_image("picture", torch.zeros(3, 8, 8), 19)
    writer.add_text("note", "hello", 19)
    writer.add_graph(model, x)
    writer.close()
    keep("torch", "t")

    # It was stopped at step 12 and went on from step 8: TensorBoard forgets what came between.
    for begins, ends, lr in ((0, 12, 0.1), (8, 16, 0.05)):
        writer = SummaryWriter("again" + str(begins), purge_step=begins)
        for step in range(begins, ends):
            writer.add_scalar("lr", lr, step)
        writer.close()
    with open("again0/events.one", "wb") as out:
        for folder in ("again0", "again8"):
            (file,) = glob.glob(folder + "/events.out*")
            out.write(open(file, "rb").read())
    for file in glob.glob("again0/events.out*"):
        shutil.os.remove(file)
    keep("torch-resumed", "again0")


def record_keras():
    import keras
    import tensorflow

    keras.utils.set_random_seed(1)
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse", metrics=["mae"])
    x = numpy.arange(90.0).reshape(30, 3) / 90
    board = keras.callbacks.TensorBoard("k", write_graph=True, histogram_freq=1, update_freq=2)
    model.fit(x, x.sum(1), epochs=6, batch_size=6, validation_split=0.2, verbose=0, callbacks=[board])
    keep("keras-train", "k/train")
    keep("keras-validation", "k/validation")
    with tensorflow.summary.create_file_writer("f").as_default():
        for step in range(10):
            tensorflow.summary.scalar("rate", tensorflow.constant(1 / (1 + step), tensorflow.float64), step=step)
            tensorflow.summary.scalar("count", tensorflow.constant(step, tensorflow.int64), step=step)
            tensorflow.summary.scalar("brain", tensorflow.constant(step / 3, tensorflow.bfloat16), step=step)
            tensorflow.summary.scalar("vector", tensorflow.constant(2.5), step=step)
        tensorflow.summary.histogram("spread", tensorflow.range(9), step=9)
    keep("tensorflow", "f")


{"torch": record_torch, "keras": record_keras}[sys.argv[1]]()
