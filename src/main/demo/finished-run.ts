import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunFiles } from './run-files.ts';
import { formatStep, writeTrainingScript } from './training-script.ts';

const EPOCHS = 12;
const STEPS_PER_EPOCH = 10;
const ENDED_BEFORE_MS = 30 * 60_000;

/** Lays out a run that ended half an hour ago with all its files, so that a fresh demo box has results to look at and to pull. */
export async function writeFinishedRun(
  runsFolder: string,
  files: RunFiles,
  seed: number,
  nowMs: number,
): Promise<void> {
  const endedAtMs = nowMs - ENDED_BEFORE_MS;
  const folder = join(runsFolder, `${stamp(new Date(endedAtMs))}-1`);
  await mkdir(folder, { recursive: true });
  const steps = writeTrainingScript(seed + 1, EPOCHS, STEPS_PER_EPOCH);
  await writeFile(join(folder, 'steps.txt'), `${steps.map(formatStep).join('\n')}\n`);
  const log = steps.map(
    ({ epoch, step, loss, accuracy }) =>
      `epoch ${epoch}/${EPOCHS} step ${step} loss ${loss.toFixed(4)} acc ${accuracy.toFixed(4)}`,
  );
  await writeFile(join(folder, 'train.log'), `${log.join('\n')}\ntraining finished\n`);
  const firstKept = EPOCHS - 2;
  for (let epoch = firstKept; epoch <= EPOCHS; epoch += 1) {
    await files.saveEpoch(folder, epoch, epoch * STEPS_PER_EPOCH, endedAtMs);
  }
  await writeFile(join(folder, 'exit_status'), '0\n');
  await writeFile(join(folder, 'DONE'), '');
  // A marker that is younger than a run proves that this run finished, and a checkpoint that it wrote it.
  for (const part of [folder, join(folder, 'checkpoints')]) {
    for (const name of await readdir(part)) {
      await utimes(join(part, name), endedAtMs / 1000, endedAtMs / 1000);
    }
  }
}

/** `20260714-081253`, as `run.sh` names its folders. */
function stamp(at: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const date = `${at.getFullYear()}${two(at.getMonth() + 1)}${two(at.getDate())}`;
  return `${date}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}`;
}
