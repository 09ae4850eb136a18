import type { ResultFile } from '../launch/launched-run.ts';
import { CsvMetricsReader } from '../metric-files/csv-metrics.ts';
import { readScalarEvent } from '../metric-files/event-scalars.ts';
import { likelySource, metricSourcesOf, type MetricSource } from '../metric-files/metric-file.ts';
import { firstRecordIn, TfRecordReader } from '../metric-files/tf-records.ts';
import { LogMetricsReader } from '../progress/log-metrics.ts';
import { SeriesSet } from '../progress/series-set.ts';
import { newestOf, type CellFigures } from './cell-figures.ts';

/** Of each file so much is read: the names of a table, and the last values. */
export const FIRST_BYTES = 4 * 1024;
export const LAST_BYTES = 32 * 1024;

/** As cell-files.sh tells a file. More digits are no size and no time. */
const FILE = /^f (\d{1,16}) (-?\d{1,12}) ([^]+)$/;

/** What cell-files.sh printed: the files of each folder, by its place in the list that it was given. Null: not whole. */
export function readCellFiles(
  stdout: string,
  mark: string,
): ReadonlyMap<number, readonly ResultFile[]> | null {
  const parts = stdout.split(`\n${mark} `).slice(1);
  if (parts.at(-1)?.trimEnd() !== 'whole') return null;
  const found = new Map<number, readonly ResultFile[]>();
  for (const part of parts.slice(0, -1)) {
    const [head = '', line] = /^cell (\d{1,7})\n/.exec(part) ?? [];
    if (line === undefined) return null;
    // What stands behind the last NUL is nothing, or half a name.
    const told = part.slice(head.length).split('\0').slice(0, -1);
    const files = told.flatMap((each): readonly ResultFile[] => {
      const [, bytes, seconds, path] = FILE.exec(each) ?? [];
      if (path === undefined) return [];
      return [{ path, bytes: Number(bytes), modifiedAtMs: Number(seconds) * 1000 }];
    });
    found.set(Number(line) - 1, files);
  }
  return found;
}

/** A file of which the ends are read. */
export type CellFile = Pick<MetricSource, 'kind'> & { readonly path: string };

/** Which file tells the newest figures of a cell, by the same rule as of a run; null: none is likely to. */
export function fileOfCell(files: readonly ResultFile[]): CellFile | null {
  const source = likelySource(metricSourcesOf(files));
  // Event files of a folder follow each other by their names.
  const path = source?.files.at(-1);
  return source === null || path === undefined ? null : { kind: source.kind, path };
}

/** A stretch of a file. */
export interface FilePart {
  readonly from: number;
  readonly bytes: Uint8Array;
}

interface PartsReading {
  /** SECURITY: a name in which it finds a secret is no name of a figure. */
  readonly redact: (text: string) => string;
  /** Bytes as text, whatever they are. */
  readonly decode: (bytes: Uint8Array) => string;
}

/** The newest figures in these parts of a file. */
export function figuresInParts(
  { kind }: Pick<CellFile, 'kind'>,
  parts: readonly FilePart[],
  { redact, decode }: PartsReading,
): CellFigures {
  const series = new SeriesSet(redact);
  switch (kind) {
    case 'tensorboard':
      for (const part of parts) readEvents(part, series);
      return newestOf(series.takeChanges());
    case 'csv': {
      const reader = new CsvMetricsReader(series);
      for (const part of parts) reader.take(decode(wholeLines(part)));
      return newestOf(series.takeChanges());
    }
    case 'jsonl': {
      const reader = new LogMetricsReader(redact);
      for (const part of parts) reader.take(decode(wholeLines(part)), null);
      return newestOf(reader.takeChange()?.changes ?? []);
    }
  }
}

function readEvents({ from, bytes }: FilePart, series: SeriesSet): void {
  const first = from === 0 ? 0 : firstRecordIn(bytes);
  if (first === null) return;
  const records = new TfRecordReader((record) => {
    const event = readScalarEvent(record);
    for (const { tag, value } of event?.values ?? []) {
      series.add(tag, event?.step ?? null, event?.wallMs ?? null, value);
    }
  });
  records.take(bytes.subarray(first));
}

/** What begins or ends in the middle of a line may be half a number. */
function wholeLines({ from, bytes }: FilePart): Uint8Array {
  const first = from === 0 ? 0 : bytes.indexOf(LINE_END) + 1;
  return bytes.subarray(first, bytes.lastIndexOf(LINE_END) + 1);
}

const LINE_END = 10;
