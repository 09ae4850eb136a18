import { isSameProcess, type ProcessRef } from '../runs/process-ref.ts';
import { ownTime } from './line-source.ts';
import type { PatrolLook, RunInLook } from './patrol-look.ts';
import type { SeenCheckpoint } from './patrol-state.ts';

type Around = Pick<PatrolLook, 'atMs' | 'machine' | 'artefacts'>;

/** A run that may have written a checkpoint. */
export interface Writer extends ProcessRef, Pick<RunInLook, 'folder' | 'logs'> {
  /** Null: nobody knows. */
  readonly beganMs: number | null;
}

/** `atMs`: when their ages were told. */
export function writersOf(
  runs: readonly (Omit<Writer, 'beganMs'> & Pick<RunInLook, 'ageS'>)[],
  atMs: number,
): readonly Writer[] {
  return runs.map((run) => ({
    ...run,
    beganMs: run.ageS === null ? null : atMs - run.ageS * 1000,
  }));
}

/** The newest checkpoint that this run, and no other of the writers, wrote since it began. */
export function checkpointOf(
  run: ProcessRef,
  writers: readonly Writer[],
  around: Around,
): SeenCheckpoint | null {
  const own = around.artefacts
    .filter(({ kind }) => kind === 'checkpoint')
    .map(({ path, modifiedAtS }) => ({ path, writtenAtMs: ownTime(modifiedAtS, around) }))
    .filter((file) => {
      const writer = writerOf(file, writers);
      return writer !== null && isSameProcess(writer, run);
    });
  return own.sort((a, b) => b.writtenAtMs - a.writtenAtMs)[0] ?? null;
}

/**
 * Who says so in its log, wherever it runs. Where nobody does: the one whose folder is nearest around the file. Null: several could have
 * written it, or one of which too little is known.
 */
function writerOf(
  { path, writtenAtMs }: SeenCheckpoint,
  writers: readonly Writer[],
): Writer | null {
  const could = writers.filter(({ beganMs }) => beganMs === null || writtenAtMs >= beganMs);
  const saying = could.filter((each) => saysItWrote(each, pathsTo(path, each.folder)));
  if (saying.length > 0) return onlyOf(saying);
  if (could.some(({ folder }) => folder === null)) return null;
  const around = could.filter(({ folder }) => folder !== null && below(folder, path) !== null);
  const nearest = Math.max(...around.map(({ folder }) => folder?.length ?? 0));
  const close = around.filter(({ folder }) => folder?.length === nearest);
  if (close.length === 1) return onlyOf(close);
  const name = path.slice(path.lastIndexOf('/') + 1);
  return onlyOf(close.filter((each) => saysItWrote(each, [name])));
}

/** One that may have begun after the file was written is none. */
function onlyOf(writers: readonly Writer[]): Writer | null {
  const [only] = writers;
  return writers.length === 1 && only !== undefined && only.beganMs !== null ? only : null;
}

/** What is left of the path below that folder. */
function below(folder: string, path: string): string | null {
  const start = `${folder.replace(/\/$/, '')}/`;
  return path.startsWith(start) ? path.slice(start.length) : null;
}

function pathsTo(path: string, folder: string | null): readonly string[] {
  const rest = folder === null ? null : below(folder, path);
  return rest === null ? [path] : [path, rest, `./${rest}`];
}

const WRITES =
  /\b(?:sav(?:e[sd]?|ing)|writ(?:e|es|ing|ten)|wrote|stor(?:ed|ing)|dump(?:ed|ing)|export(?:ed|ing))\b/i;
/** "Resuming from the checkpoint saved at …" tells of what another may have written. */
const READS =
  /(?:\b|_)(?:resum(?:e|ed|ing)|(?:re)?load(?:ed|ing)?|restor(?:e|ed|ing)|read(?:ing)?)\b/i;

function saysItWrote({ logs }: Pick<Writer, 'logs'>, names: readonly string[]): boolean {
  return logs.some(({ end }) =>
    (end ?? '').split('\n').some((line) => {
      const at = names.map((name) => placeOfName(line, name)).find((place) => place !== -1);
      return at !== undefined && WRITES.test(line) && !READS.test(line.slice(0, at));
    }),
  );
}

/** Of the whole name: "10.pt" is not "0.pt", nor is "0.pt.tmp". -1: it is not there. */
function placeOfName(line: string, name: string): number {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + name.length)) {
    const isWhole =
      !/[\w./~-]$/.test(line.slice(Math.max(0, at - 1), at)) &&
      !/^(?:[\w/~-]|\.\w)/.test(line.slice(at + name.length, at + name.length + 2));
    if (isWhole) return at;
  }
  return -1;
}
