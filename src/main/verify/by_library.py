"""Has the libraries themselves read each specimen with one bit flipped, and writes what they said into by-library.json.

    python -m venv v && v/bin/pip install numpy safetensors pyyaml pillow zstandard gguf onnx h5py pyarrow torch
    v/bin/python by_library.py

For each specimen a letter for each flip, in the order of its places, as `by-library.fixture.ts` has them:

    R  the library refuses the file, or is felled by it
    S  it reads something else than data: another name, type, shape, order or number of parts
    .  it reads the same structure, with whatever data

A specimen is left out where there is no library here that reads it whole. Everything runs in processes that may be felled.
"""

import contextlib, csv, gzip, io, json, lzma, multiprocessing, os, pickle, resource, sqlite3, sys, tarfile, tempfile, warnings, zipfile

FLIPS = 150
SECONDS = 120
HERE = os.path.dirname(os.path.abspath(__file__))
SPECIMENS = os.path.join(HERE, "specimens")
warnings.simplefilter("ignore")


def safetensors(path):
    import safetensors as library

    return [(name, held["dtype"], held["shape"]) for name, held in library.deserialize(open(path, "rb").read())]


def npy(path):
    import numpy as np

    seen, size = [], os.path.getsize(path)
    with open(path, "rb") as file:
        while file.tell() < size or not seen:
            array = np.load(file, allow_pickle=False)
            seen.append((str(array.dtype.descr), array.shape, array.flags.f_contiguous))
    return seen


def shape_of(value):
    """Of JSON and YAML: its keys and kinds, without its values."""
    if isinstance(value, dict):
        return {str(key): shape_of(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape_of(each) for each in value]
    return type(value).__name__


def as_json(path):
    def twice(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key twice")
        return dict(pairs)

    return shape_of(json.loads(open(path, "rb").read().decode("utf-8"), object_pairs_hook=twice))


def jsonl(path):
    return [shape_of(json.loads(line)) for line in open(path, "rb").read().decode("utf-8").split("\n") if line.strip()]


def yaml(path):
    import yaml as library

    return [str(library.serialize(each))[:0] or kind_of_node(each) for each in library.compose_all(open(path, "rb"), library.SafeLoader)]


def kind_of_node(node):
    if hasattr(node, "value") and isinstance(node.value, list):
        return [node.tag, [[kind_of_node(part) for part in each] if isinstance(each, tuple) else kind_of_node(each) for each in node.value]]
    return getattr(node, "tag", None)


def table(delimiter):
    def read(path):
        raw = open(path, "rb").read()
        text = raw.decode("utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
        return [len(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)]

    return read


def picture(path):
    from PIL import Image, ImageSequence

    with Image.open(path) as image:
        seen = []
        for frame in ImageSequence.Iterator(image):
            frame.load()
            seen.append((frame.size, frame.mode))
        return image.format, seen


def members(archive):
    seen = []
    for member in archive:
        held = archive.extractfile(member) if member.isreg() else None
        if held is not None and len(held.read()) != member.size:
            raise ValueError("cut off")
        seen.append((member.name, member.size, member.type, member.linkname))
    return seen


def tar(path):
    with tarfile.open(path, errorlevel=2) as archive:
        return members(archive)


def tar_in(opened):
    def read(path):
        with opened(path) as file:
            raw = file.read()
        with tarfile.open(fileobj=io.BytesIO(raw), errorlevel=2) as archive:
            return members(archive)

    return read


def packed(opened):
    def read(path):
        with opened(path) as file:
            return len(file.read())

    return read


@contextlib.contextmanager
def zstd(path):
    import zstandard

    with open(path, "rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True) as file:
        yield file


def npz(path):
    import numpy as np

    with np.load(path, allow_pickle=False) as file:
        return [(name, str(file[name].dtype.descr), file[name].shape) for name in file.files]


def zipped(path):
    with zipfile.ZipFile(path) as archive:
        bad = archive.testzip()
        if bad is not None:
            raise ValueError(bad)
        return [(each.filename, each.file_size, each.compress_type) for each in archive.infolist()]


def tensors_in(value, name=""):
    import torch

    if isinstance(value, torch.Tensor):
        value.clone() if not value.is_sparse else None
        return [(name, str(value.dtype), tuple(value.shape), str(value.layout))]
    if isinstance(value, dict):
        return [each for key, inner in value.items() for each in tensors_in(inner, f"{name}.{key}")]
    if isinstance(value, (list, tuple)):
        return [each for no, inner in enumerate(value) for each in tensors_in(inner, f"{name}.{no}")]
    return [(name, type(value).__name__)]


def torch(path):
    import torch as library

    return tensors_in(library.load(path, map_location="cpu", weights_only=True))


class Plain(pickle.Unpickler):
    ALLOWED = ("collections", "numpy", "builtins", "datetime", "decimal", "fractions", "_codecs", "copyreg", "uuid", "pathlib")

    def find_class(self, module, name):
        if module.split(".")[0] not in self.ALLOWED or name in ("eval", "exec", "open", "__import__", "getattr", "compile", "input", "breakpoint"):
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


def pickled(path):
    seen = []
    with open(path, "rb") as file:
        while True:
            try:
                seen.append(kinds_in(Plain(file).load(), 0))
            except EOFError:
                if file.read(1) or not seen:
                    raise
                return seen
            if file.tell() == os.path.getsize(path):
                return seen


def kinds_in(value, depth):
    import numpy as np

    if depth > 20:
        return "deep"
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape
    if isinstance(value, dict):
        return [(kinds_in(key, depth + 1), kinds_in(inner, depth + 1)) for key, inner in value.items()]
    if isinstance(value, (list, tuple)):
        return [kinds_in(each, depth + 1) for each in value]
    return type(value).__name__


def gguf(path):
    from gguf import GGUFReader

    reader = GGUFReader(path)
    for tensor in reader.tensors:
        if tensor.data_offset + tensor.n_bytes > os.path.getsize(path):
            raise ValueError("cut off")
    fields = [(name, [str(kind) for kind in field.types]) for name, field in reader.fields.items()]
    return fields, [(each.name, each.shape.tolist(), int(each.tensor_type)) for each in reader.tensors]


def onnx(path):
    import onnx as library

    model = library.load(path, load_external_data=False)
    library.checker.check_model(model)
    nodes = [(node.op_type, list(node.input), list(node.output)) for node in model.graph.node]
    return nodes, [(each.name, each.data_type, list(each.dims), library.numpy_helper.to_array(each).shape) for each in model.graph.initializer]


def hdf5(path):
    import h5py

    seen = []
    with h5py.File(path, "r") as file:

        def visit(name, held):
            if isinstance(held, h5py.Dataset):
                held[()]
                seen.append((name, held.shape, str(held.dtype)))
            else:
                seen.append(name)
            seen.append(sorted((key, str(type(value))) for key, value in held.attrs.items()))

        visit("/", file)
        file.visititems(visit)
    return seen


def parquet(path):
    import pyarrow.parquet as library

    table = library.ParquetFile(path, page_checksum_verification=True).read()
    table.validate(full=True)
    return str(table.schema), table.num_rows


def sqlite(path):
    base = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    base.text_factory = bytes
    # That an index has the same values as its table is a question of data, which no reader asks.
    found = base.execute("pragma quick_check").fetchall()
    if found not in ([("ok",)], [(b"ok",)]):
        raise ValueError(found)
    named = [name for (name,) in base.execute("select name from sqlite_schema where type = 'table'")]
    return [(name, [len(row) for row in base.execute('select * from "%s"' % name.decode())]) for name in named]


def arrow(path):
    import pyarrow as library

    with open(path, "rb") as file:
        mark = file.read(6)
    if mark[:4] == b"FEA1":
        from pyarrow import feather

        table = feather.read_table(path)
    elif mark == b"ARROW1":
        table = library.ipc.open_file(path).read_all()
    else:
        table = library.ipc.open_stream(path).read_all()
    table.validate(full=True)
    return str(table.schema), table.num_rows


READERS = [
    (".safetensors", safetensors), (".npy", npy), (".json", as_json), (".jsonl", jsonl), (".yaml", yaml), (".yml", yaml),
    (".csv", table(",")), (".tsv", table("\t")), (".jpg", picture), (".jpeg", picture), (".gif", picture), (".webp", picture), (".png", picture),
    (".csv.gz", packed(gzip.open)), (".tar.gz", tar_in(gzip.open)), (".tgz", tar_in(gzip.open)), (".gz", packed(gzip.open)),
    (".tar.xz", tar_in(lzma.open)), (".xz", packed(lzma.open)), (".tar.zst", tar_in(zstd)), (".zst", packed(zstd)), (".pth.tar", torch), (".tar", tar),
    (".npz", npz), (".zip", zipped), (".keras", zipped), (".gguf", gguf), (".onnx", onnx), (".h5", hdf5), (".hdf5", hdf5), (".parquet", parquet),
    (".arrow", arrow), (".arrows", arrow), (".feather", arrow), (".db", sqlite), (".db3", sqlite), (".sqlite", sqlite), (".sqlite3", sqlite),
    (".pt", torch), (".pth", torch), (".bin", torch), (".ckpt", torch), (".pickle", pickled), (".pkl", pickled),
]  # fmt: skip


def reader_of(name):
    ends = [each for each in READERS if name.endswith(each[0])]
    if not ends:
        return None
    if name.endswith(".pkl") and name.startswith(("torch", "accelerate")):
        return torch
    return max(ends, key=lambda each: len(each[0]))[1]


def places(size):
    count = min(size, FLIPS)
    return [no * size // count for no in range(count)]


def read_flips(path, whole, read, first, out):
    """In a process of its own; what it does not come to say is told by its end."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    as_written = str(read(path))
    folder = tempfile.mkdtemp()
    broken = os.path.join(folder, os.path.basename(path))
    out.send("ready")
    for no, at in enumerate(places(len(whole))):
        if no < first:
            continue
        flipped = bytearray(whole)
        flipped[at] ^= 1 << (no % 8)
        with open(broken, "wb") as file:
            file.write(flipped)
        try:
            out.send("." if str(read(broken)) == as_written else "S")
        except BaseException:
            out.send("R")
    os.remove(broken)
    os.rmdir(folder)
    out.close()


def told(path, read):
    whole = open(path, "rb").read()
    letters = ""
    while len(letters) < len(places(len(whole))):
        here, there = multiprocessing.Pipe(False)
        child = multiprocessing.Process(target=read_flips, args=(path, whole, read, len(letters), there))
        child.start()
        there.close()
        is_ready = False
        try:
            while here.poll(120 if not is_ready else SECONDS):
                said = here.recv()
                if said == "ready":
                    is_ready = True
                else:
                    letters += said
        except EOFError:
            pass
        child.kill()
        child.join()
        if not is_ready:
            return None
        if len(letters) < len(places(len(whole))):
            letters += "R"
    return letters


def main():
    found = {}
    only = sys.argv[1:]
    for folder, _, names in sorted(os.walk(SPECIMENS)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            read = reader_of(name) if "--" in name else None
            if read is None or os.path.getsize(path) == 0 or (only and not any(each in path for each in only)):
                continue
            said = told(path, read)
            print(name, said if said is None else {letter: said.count(letter) for letter in "RS."}, flush=True)
            if said is not None:
                found[os.path.relpath(path, SPECIMENS).replace(os.sep, "/")] = said
    target = os.path.join(HERE, "by-library.json")
    if only and os.path.exists(target):
        found = {**json.load(open(target)), **found}
    with open(target, "w") as file:
        json.dump(found, file, indent=2, sort_keys=True)
        file.write("\n")


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
