"""Writes the files of this folder by the libraries themselves.

    python -m venv v && v/bin/pip install tensorflow-cpu tensorboard
    v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it. Events that other libraries wrote are
among the samples of src/shared/runs/metric-files.
"""

import os
from importlib.metadata import version

import tensorflow as tf

os.chdir(os.path.dirname(os.path.abspath(__file__)))
tensorflow = f"tensorflow-{version('tensorflow-cpu')}"


def example(step):
    features = {
        "step": tf.train.Feature(int64_list=tf.train.Int64List(value=[step])),
        "text": tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"a" * step])),
    }
    return tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString()


with tf.io.TFRecordWriter(f"{tensorflow}--examples.tfrecord") as writer:
    for step in range(5):
        writer.write(example(step))
with tf.io.TFRecordWriter(f"{tensorflow}--one-empty.tfrecord-00000-of-00002") as writer:
    writer.write(b"")
with tf.io.TFRecordWriter(f"{tensorflow}--none.tfrecords"):
    pass
for how in ["GZIP", "ZLIB"]:
    with tf.io.TFRecordWriter(f"{tensorflow}--{how.lower()}.tfrecord", how) as writer:
        writer.write(example(3))

writer = tf.summary.create_file_writer("events")
with writer.as_default():
    for step in range(6):
        tf.summary.scalar("train/loss", float("nan") if step == 5 else 1 / (step + 1), step=step)
        tf.summary.scalar("lr", 0.1, step=step)
    tf.summary.histogram("weights", [0.0, 1.0, 2.0], step=1)
writer.close()
(name,) = os.listdir("events")
os.rename(f"events/{name}", f"{tensorflow}--events.out.tfevents.1.v2")
os.rmdir("events")
