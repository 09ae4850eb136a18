"""Writes the files of this folder by the library itself.

    python -m venv v && v/bin/pip install gguf numpy
    v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
from importlib.metadata import version

import numpy as np
from gguf import GGMLQuantizationType as Q
from gguf import GGUFWriter
from gguf.quants import quantize

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(7)
name = f"gguf-{version('gguf')}"


def write(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def model(writer):
    writer.add_block_count(2)
    writer.add_rope_freq_base(10000.0)
    writer.add_uint64("many", 2**40)
    writer.add_int8("small", -3)
    writer.add_float64("exact", 0.1)
    writer.add_bool("tokenizer.ggml.add_bos_token", True)
    writer.add_token_list(["<s>", "a", "b\u00e9", ""])
    writer.add_token_scores([0.0, -1.0, -2.0, -3.0])
    writer.add_tensor("token_embd.weight", rng.standard_normal((4, 64), dtype=np.float32))
    writer.add_tensor("output_norm.weight", rng.standard_normal(9, dtype=np.float32))
    writer.add_tensor("half", rng.standard_normal((3, 5)).astype(np.float16))
    for kind in [Q.Q4_0, Q.Q8_0, Q.BF16]:
        data = quantize(rng.standard_normal((2, 64), dtype=np.float32), kind)
        writer.add_tensor(f"blk.0.{kind.name}", data, raw_dtype=kind)
    data = rng.integers(0, 255, (2, 144), dtype=np.uint8)
    writer.add_tensor("blk.0.Q4_K", data, raw_dtype=Q.Q4_K)
    writer.add_tensor("ids", np.arange(7, dtype=np.int32))


writer = GGUFWriter(f"{name}--model.gguf", "llama")
model(writer)
write(writer)

writer = GGUFWriter(f"{name}--aligned.gguf", "llama")
writer.add_custom_alignment(64)
writer.add_tensor("a", np.array([1, np.nan, np.inf], dtype=np.float32))
writer.add_tensor("b", np.zeros(5, dtype=np.float16))
write(writer)

writer = GGUFWriter(f"{name}--by-fours.gguf", "llama")
writer.add_custom_alignment(4)
writer.add_tensor("a", np.ones(3, dtype=np.float32))
writer.add_tensor("b", np.zeros(5, dtype=np.float16))
writer.add_tensor("c", np.ones(1, dtype=np.float32))
write(writer)

writer = GGUFWriter(f"{name}--vocabulary.gguf", "llama")
writer.add_token_list(["a"] * 3)
write(writer)

writer = GGUFWriter(f"{name}--big-endian.gguf", "llama", endianess=1)
writer.add_tensor("a", np.ones(3, dtype=np.float32))
write(writer)

# In parts, which a folder of sets has.
parts = os.path.abspath(f"../../sets/specimens/{name}--split")
os.makedirs(parts, exist_ok=True)
writer = GGUFWriter(f"{parts}/model.gguf", "llama", split_max_tensors=2)
for i in range(5):
    writer.add_tensor(f"blk.{i}.weight", rng.standard_normal((2, 8), dtype=np.float32))
write(writer)
