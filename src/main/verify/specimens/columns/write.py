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
if not isOld:
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
