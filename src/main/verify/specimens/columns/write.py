"""Writes the files of this folder by the libraries themselves.

    python -m venv v && v/bin/pip install pyarrow fastparquet pandas polars duckdb && v/bin/python write.py
    python3.8 -m venv old && old/bin/pip install pyarrow==1.0.1 'numpy<1.24' && old/bin/python write.py

The tests need none of this: what it wrote is kept, under a name with the version that wrote it.
"""

import math
import os
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq

os.chdir(os.path.dirname(os.path.abspath(__file__)))
name = f"pyarrow-{pa.__version__}"
isOld = pa.__version__.startswith("1.")

flat = pa.table(
    {
        "step": pa.array(range(60), pa.int64()),
        "loss": pa.array([math.nan if i == 7 else 1 / (i + 1) for i in range(60)], pa.float32()),
        "note": pa.array([None if i % 5 == 0 else f"note {i % 3}" for i in range(60)]),
    }
)
nested = pa.table(
    {
        "ids": pa.array([[1, 2, 3], [], None, [4, None]] * 5, pa.list_(pa.int32())),
        "at": pa.array([{"x": i, "y": [{"z": str(i)}] * (i % 3)} for i in range(20)]),
        "pairs": pa.array([[("a", 1), ("b", 2)], []] * 10, pa.map_(pa.string(), pa.int64())),
    }
)


def write(what, table, **how):
    pq.write_table(table, f"{name}--{what}.parquet", **how)


write("default", flat)
write("groups", flat, row_group_size=25, compression="none", use_dictionary=False)
write("pages-2", flat, data_page_version="2.0", compression="zstd")
write("gzip", flat, compression="gzip")
write("brotli", flat, compression="brotli")
write("empty", flat.slice(0, 0))
shared = pa.table({"note": flat["note"].dictionary_encode(), "step": flat["step"]})
for what, table in [("flat", flat), ("nested", nested), ("shared", shared), ("empty", flat.slice(0, 0))]:
    with pa.OSFile(f"{name}--{what}.arrow", "wb") as f, pa.RecordBatchFileWriter(f, table.schema) as w:
        w.write_table(table, 25)
    with pa.OSFile(f"{name}--{what}.arrows", "wb") as f, pa.RecordBatchStreamWriter(f, table.schema) as w:
        w.write_table(table, 25)
for each in ["lz4", "zstd"]:
    feather.write_feather(flat, f"{name}--{each}.feather", compression=each)
if isOld:
    feather.write_feather(flat, f"{name}--first.feather", version=1)
if not isOld:
    views = {"text": pa.array(["a", "longer than twelve letters", None] * 5, pa.string_view()), "half": pa.array([1.5, None, 2] * 5, pa.float16()),
        "parts": pa.array([[1], [2, 3], None] * 5, pa.list_view(pa.int8())), "same": pa.RunEndEncodedArray.from_arrays(pa.array([5, 15], pa.int32()), ["a", "b"]),
        "either": pa.UnionArray.from_dense(pa.array([0, 1, 0] * 5, pa.int8()), pa.array([0, 0, 1, 2, 1, 3, 4, 2, 5, 6, 3, 7, 8, 4, 9], pa.int32()), [pa.array(range(10)), pa.array(["b"] * 5)]),
        "big": pa.array(["x", None, "yz"] * 5, pa.large_string()), "pair": pa.array([[1, 2], None, [3, 4]] * 5, pa.list_(pa.int64(), 2)), "sure": [True, False, None] * 5,
        "span": pa.array([(1, 2, 3)] * 15, pa.month_day_nano_interval()), "hour": pa.array([1] * 15, pa.time64("us")), "none": pa.nulls(15)}  # fmt: skip
    feather.write_feather(pa.table(views), f"{name}--kinds.feather", compression="uncompressed")
    import pyarrow.parquet.encryption as pe

    write("nested", nested)
    write("lz4", flat, compression="lz4")
    sums = {"write_page_checksum": True, "write_page_index": True}
    write("sums", flat, data_page_size=100, write_batch_size=8, **sums)
    write("nested-2", nested, data_page_version="2.0", **sums)
    write("no-columns", pa.table({}))
    write("nulls", pa.table({"nothing": pa.nulls(9), "never": pa.array([None] * 9, pa.int32())}))
    write("kinds", pa.table({"day": pa.array([1, 2], pa.date32()), "sure": [True, None], "raw": [b"a", b"bc"],
        "sum": pa.array([1, 2], pa.decimal128(20, 2)), "half": pa.array([1.5, 2.5], pa.float16())}),
        use_dictionary=False, column_encoding={"raw": "DELTA_LENGTH_BYTE_ARRAY", "half": "BYTE_STREAM_SPLIT"})  # fmt: skip

    class Keys(pe.KmsClient):
        def wrap_key(self, key, _):
            return key.hex()

        def unwrap_key(self, key, _):
            return bytes.fromhex(key)

    factory = pe.CryptoFactory(lambda _: Keys())
    for what, isPlain in [("encrypted", False), ("encrypted-columns", True)]:
        how = pe.EncryptionConfiguration(
            footer_key="f", column_keys={"c": ["loss"]}, plaintext_footer=isPlain
        )
        properties = factory.file_encryption_properties(pe.KmsConnectionConfig(), how)
        write(what, flat, encryption_properties=properties)


def found(library):
    try:
        return f"{library}-{version(library)}", import_module(library)
    except PackageNotFoundError:
        raise SystemExit


name, fastparquet = found("fastparquet")
frame = flat.to_pandas()
fastparquet.write(f"{name}--default.parquet", frame)
fastparquet.write(f"{name}--gzip.parquet", frame, compression="GZIP", row_group_offsets=[0, 20])
fastparquet.write(f"{name}--appended.parquet", frame[:20])
fastparquet.write(f"{name}--appended.parquet", frame[20:], append=True)
name, polars = found("polars")
table = polars.from_arrow(flat)
table.write_parquet(f"{name}--default.parquet")
table.lazy().sink_parquet(f"{name}--streamed.parquet", row_group_size=16, compression="snappy")
polars.from_arrow(nested.select(["ids", "at"])).write_parquet(f"{name}--nested.parquet")
name, duckdb = found("duckdb")
for what in ["snappy", "zstd", "lz4_raw"]:
    duckdb.sql(f"copy flat to '{name}--{what}.parquet' (compression {what})")
