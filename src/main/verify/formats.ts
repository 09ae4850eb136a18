import type { FormatName } from '../../shared/verify/loaded.ts';
import { gzip, tarGzip } from './archives/gzip.ts';
import { tar } from './archives/tar.ts';
import { tarXz, xz } from './archives/xz.ts';
import { tarZstd, zstd } from './archives/zstd.ts';
import { arrow } from './arrow/arrow.ts';
import type { ByteSource } from './byte-source.ts';
import { gguf } from './gguf/gguf.ts';
import { gif } from './images/gif.ts';
import { jpeg } from './images/jpeg.ts';
import { png } from './images/png.ts';
import { webp } from './images/webp.ts';
import { hdf5 } from './hdf5/hdf5.ts';
import { keras } from './hdf5/keras.ts';
import { json, jsonl } from './json-text.ts';
import { npy } from './npy.ts';
import { pickle } from './pickle/pickle.ts';
import { onnx } from './onnx/onnx.ts';
import { parquet } from './parquet/parquet.ts';
import type { Format, Reading } from './reading.ts';
import { safetensors } from './safetensors.ts';
import { sqlite, sqliteByBeginning } from './sqlite/sqlite.ts';
import { csv, tsv } from './tables/delimited.ts';
import { tfevents, tfrecord } from './tensorflow/records.ts';
import { torch, torchAmongPickles, torchByBeginning, torchEmpty } from './torch/torch.ts';
import { wandb } from './wandb/wandb-run.ts';
import { yaml } from './yaml-text.ts';
import { npz } from './zip/npz.ts';
import { zip } from './zip/zip.ts';

/** The first one that a file is called like, and begins like where that is asked for. */
export const FORMATS: readonly Format[] = [
  safetensors,
  npy,
  json,
  jsonl,
  yaml,
  csv,
  tsv,
  png,
  jpeg,
  gif,
  webp,
  tarGzip,
  gzip,
  tarXz,
  xz,
  tarZstd,
  zstd,
  torch,
  torchByBeginning,
  torchEmpty,
  tar,
  wandb,
  npz,
  pickle,
  torchAmongPickles,
  zip,
  tfrecord,
  tfevents,
  gguf,
  onnx,
  hdf5,
  keras,
  parquet,
  sqlite,
  sqliteByBeginning,
  arrow,
];

/** Enough for every mark that a format begins with. */
const HEAD_BYTES = 16;

export interface OpenedReading {
  readonly format: FormatName;
  /** Throws `Damaged` and `NotLoadable` as a reading does. */
  readonly open: () => Reading;
}

/** Null: there is no reader for what the name says. */
export function readingOf(name: string, source: ByteSource): OpenedReading | null {
  const named = FORMATS.filter(({ ends }) => ends.test(name));
  if (named.length === 0) return null;
  const head = source.read(0, Math.min(HEAD_BYTES, source.sizeBytes));
  const format = named.find(({ begins }) => begins?.(head) ?? true);
  return format === undefined ? null : { format: format.name, open: () => format.open(source) };
}

/** What a file is called like; null: like nothing that there is a reader for. */
export function formatNamed(name: string): FormatName | null {
  return FORMATS.find(({ ends }) => ends.test(name))?.name ?? null;
}
