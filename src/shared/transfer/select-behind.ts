import { checkpointOf } from '../runs/checkpoints/checkpoint-name.ts';
import type { LaunchedRun, ResultFile, ResultList } from '../runs/launch/launched-run.ts';
import type { Behind } from './behind.ts';
import { versionOf, type FileVersion } from './file-version.ts';
import { isHere, pulledState } from './home.ts';
import { keepKinds } from './keep-kind.ts';
import type { SaidRule } from './keep-rules.ts';
import type { PulledFile, RunProof } from './pull.ts';

/** What pulls have settled of a file: it is here, at that place, or a person left it on the box. */
export interface SettledFile extends FileVersion, Pick<PulledFile, 'copyWrittenNs'> {
  /** The folder of this computer; null: it was left. */
  readonly to: string | null;
  /** When that was kept. */
  readonly atMs: number;
}

/** By the folder of the box and the path from there on: runs that went on after each other share it. */
export const settledKey = (folder: string, path: string): string => `${folder}\0${path}`;

/** Later pulls count before earlier ones, but what was proven once stays so, whatever became of a later try. */
export function settle(settled: Map<string, SettledFile>, { atMs, report }: RunProof): void {
  const { from, to, files } = report;
  for (const file of files) {
    const { path, copyWrittenNs } = file;
    const state = pulledState(file);
    const wasBrought = isHere(state);
    if (!wasBrought && state !== 'left') continue;
    settled.set(settledKey(from, path), {
      ...{ ...versionOf(file), to: wasBrought ? to : null, atMs },
      ...(copyWrittenNs !== undefined && { copyWrittenNs }),
    });
  }
}

/** `isSettled`: it is home, or left on the box deliberately. */
export function selectBehind(
  { atMs, files }: ResultList,
  run: Pick<LaunchedRun, 'keeps'>,
  isSettled: (file: ResultFile) => boolean,
  rules: readonly SaidRule[] = [],
): Behind {
  const keepOf = keepKinds(run.keeps, rules);
  const checkpoints = new Set<string>();
  let [count, bytes, scratchBytes] = [0, 0, 0];
  for (const file of files) {
    if (isSettled(file)) continue;
    const keep = keepOf(file.path);
    if (keep === 'scratch') {
      scratchBytes += file.bytes;
      continue;
    }
    count += 1;
    bytes += file.bytes;
    const checkpoint = keep === 'evidence' ? null : checkpointOf(file.path);
    if (checkpoint !== null) checkpoints.add(checkpoint);
    else if (keep === 'checkpoint') checkpoints.add(file.path);
  }
  return { atMs, files: count, bytes, checkpoints: checkpoints.size, scratchBytes };
}
