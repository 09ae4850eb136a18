"""Writes the folders of TensorFlow beside it by the library itself.

    python -m venv v && v/bin/pip install tensorflow-cpu
    v/bin/python write_tensorflow.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
import shutil
from importlib.metadata import version

import tensorflow as tf

os.chdir(os.path.dirname(os.path.abspath(__file__)))
name = f"tensorflow-{version('tensorflow-cpu')}"


class Model(tf.Module):
    def __init__(self, vocabulary=None):
        super().__init__()
        self.weight = tf.Variable(tf.random.stateless_normal([8, 4], [1, 2]))
        self.half = tf.Variable(tf.ones([5], tf.bfloat16))
        self.step = tf.Variable(1200, dtype=tf.int64)
        self.words = tf.Variable(["a", "b\u00e9", ""])
        self.nothing = tf.Variable(tf.zeros([0, 3]))
        self.mask = tf.Variable([True, False])
        if vocabulary is not None:
            self.vocabulary = tf.saved_model.Asset(vocabulary)

    @tf.function(input_signature=[tf.TensorSpec([None, 8])])
    def __call__(self, x):
        return x @ self.weight


for what in ["checkpoint", "saved-model"]:
    shutil.rmtree(f"{name}--{what}", ignore_errors=True)
tf.train.Checkpoint(model=Model()).save(f"{name}--checkpoint/ckpt")

with open("vocabulary.txt", "w") as f:
    f.write("a\nb\n")
tf.saved_model.save(Model("vocabulary.txt"), f"{name}--saved-model")
os.remove("vocabulary.txt")
