"""Writes the files of this folder by the library itself.

    python -m venv v && v/bin/pip install onnx numpy ml_dtypes
    v/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import os
from importlib.metadata import version

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper, numpy_helper

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(7)
name = f"onnx-{version('onnx')}"


def model(initializers, nodes=None):
    x = helper.make_tensor_value_info("x", T.FLOAT, ["batch", 8])
    y = helper.make_tensor_value_info("y", T.FLOAT, ["batch", 4])
    nodes = nodes or [helper.make_node("MatMul", ["x", "weight"], ["y"])]
    graph = helper.make_graph(nodes, "graph", [x], [y], initializers)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])
    onnx.checker.check_model(made)
    return made


weight = rng.standard_normal((8, 4), dtype=np.float32)
onnx.save(model([numpy_helper.from_array(weight, "weight")]), f"{name}--matmul.onnx")

broken = weight.copy()
broken[2, 1] = np.nan
kinds = [
    numpy_helper.from_array(broken, "weight"),
    numpy_helper.from_array(np.arange(5), "int64"),
    numpy_helper.from_array(np.array([True, False]), "bool"),
    numpy_helper.from_array(np.array([1, np.inf], dtype=np.float16), "half"),
    numpy_helper.from_array(np.zeros(3), "double"),
    numpy_helper.from_array(np.ones((0, 3), dtype=np.float32), "nothing"),
    numpy_helper.from_array(np.float32(1).reshape(()), "scalar"),
    numpy_helper.from_array(np.array(["a", "b\u00e9"], dtype=object), "texts"),
    numpy_helper.from_array(np.ones(3, dtype=ml_dtypes.bfloat16), "brain"),
    numpy_helper.from_array(np.ones(5, dtype=ml_dtypes.float8_e4m3fn), "eighth"),
    numpy_helper.from_array(np.ones(5, dtype=ml_dtypes.int4), "quarter"),
    helper.make_tensor("given", T.FLOAT, [2, 2], [1.0, 2.0, float("inf"), 4.0]),
    helper.make_tensor("given.ids", T.INT32, [3], [1, -2, 300]),
    helper.make_tensor("given.long", T.INT64, [3], [1, -2, 2**40]),
    helper.make_tensor("given.double", T.DOUBLE, [1], [0.5]),
    helper.make_tensor("given.half", T.FLOAT16, [3], [0.5, 1, 2]),
    helper.make_tensor("given.complex", T.COMPLEX64, [2], [1 + 2j, 3]),
    helper.make_tensor("given.quarter", T.UINT4, [3], [1, 2, 3]),
]
onnx.save(model(kinds), f"{name}--kinds.onnx")

# A branch has graphs of its own within a node.
then = helper.make_graph(
    [helper.make_node("Constant", [], ["a"], value=numpy_helper.from_array(np.ones(4, np.float32)))],
    "then",
    [],
    [helper.make_tensor_value_info("a", T.FLOAT, [4])],
)
nodes = [
    helper.make_node("Constant", [], ["c"], value=numpy_helper.from_array(np.array(True))),
    helper.make_node("If", ["c"], ["y"], then_branch=then, else_branch=then),
    helper.make_node("LeakyRelu", ["x"], ["z"], alpha=0.1),
]
onnx.save(model([], nodes), f"{name}--branch.onnx")

# With tensors in another file, which a folder of sets has.
folder = os.path.abspath(f"../../sets/specimens/{name}--external")
os.makedirs(folder, exist_ok=True)
made = model(
    [
        numpy_helper.from_array(weight, "weight"),
        numpy_helper.from_array(np.arange(7, dtype=np.float32), "bias"),
    ]
)
path = f"{folder}/model.onnx"
if os.path.exists(f"{folder}/model.onnx.data"):
    os.remove(f"{folder}/model.onnx.data")
onnx.save(
    made, path, save_as_external_data=True, location="model.onnx.data", size_threshold=0
)
