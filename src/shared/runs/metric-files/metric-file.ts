import type { Problem } from '../../problem.ts';
import type { ResultFile } from '../launch/launched-run.ts';

export type MetricFileKind = 'tensorboard' | 'csv' | 'jsonl';

/** Where figures of a run stand beside its log: a file, or all event files of one folder, in their order. */
export interface MetricSource {
  /** From the results folder on: the file, or the folder ("" is the results folder itself). Hostile. */
  readonly path: string;
  readonly kind: MetricFileKind;
  readonly files: readonly string[];
  readonly bytes: number;
  readonly modifiedAtMs: number;
}

/** The figures of a run come from its log or from one of these. */
export interface MetricFiles {
  readonly sources: readonly Omit<MetricSource, 'files'>[];
  /** Null: the log. */
  readonly source: string | null;
  /** How much of that source was read, and what is in the way; null: it is the log. */
  readonly reading: MetricFileReading | null;
}

export interface MetricFileReading {
  readonly read: number;
  readonly bytes: number;
  /** What became of a file of it while it was read, the last of that; null: nothing, each only grew. */
  readonly change: MetricFileChange | null;
  /** It is longer than what is read of it. */
  readonly isCut: boolean;
  /** Where its content is none of its kind. */
  readonly damagedAt: number | null;
  readonly problem: Problem | null;
}

/**
 * `renamed`: as logrotate does it, and another one has begun under its name: its figures go on after those of the first. `begun-anew`:
 * it became shorter or is another one, and what was read before counts no more.
 */
export type MetricFileChange = 'renamed' | 'begun-anew';

export const NO_METRIC_FILES: MetricFiles = { sources: [], source: null, reading: null };

const MAX_SOURCES = 40;
const EVENTS = /^events\.out\.tfevents\.[^/]+$/;
/** A table or a list of texts that a run leaves may as well be its data: read by itself only where its name says what it is. */
const LIKELY = /metric|result|history|progress|(?:^|[-_])(?:log|train|eval|scalars)/i;

/** What of the listed files has figures, the newest first. A name with a line break can't be asked for. */
export function metricSourcesOf(files: readonly ResultFile[]): readonly MetricSource[] {
  const sources = new Map<string, MetricSource>();
  for (const { path, bytes, modifiedAtMs } of files) {
    if (/[\r\n\0]/.test(path)) continue;
    const slash = path.lastIndexOf('/');
    const name = path.slice(slash + 1);
    const kind = kindOf(name);
    if (kind === null) continue;
    const key = kind === 'tensorboard' ? path.slice(0, Math.max(0, slash)) : path;
    const known = sources.get(`${kind} ${key}`);
    sources.set(`${kind} ${key}`, {
      path: key,
      kind,
      files: [...(known?.files ?? []), path].sort(),
      bytes: (known?.bytes ?? 0) + bytes,
      modifiedAtMs: Math.max(known?.modifiedAtMs ?? -Infinity, modifiedAtMs),
    });
  }
  return [...sources.values()]
    .sort((a, b) => b.modifiedAtMs - a.modifiedAtMs || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_SOURCES);
}

/** Which one a person most likely wants, where the log has no figures. */
export function likelySource(sources: readonly MetricSource[]): MetricSource | null {
  return (
    sources.find(({ kind }) => kind === 'tensorboard') ??
    sources.find(({ path }) => LIKELY.test(path.slice(path.lastIndexOf('/') + 1))) ??
    null
  );
}

/** A folder and a file may have one name. */
export const sourceId = ({ kind, path }: Pick<MetricSource, 'kind' | 'path'>): string =>
  `${kind} ${path}`;

function kindOf(name: string): MetricFileKind | null {
  if (EVENTS.test(name)) return 'tensorboard';
  if (/\.csv$/i.test(name)) return 'csv';
  return /\.(?:jsonl|ndjson)$/i.test(name) ? 'jsonl' : null;
}
