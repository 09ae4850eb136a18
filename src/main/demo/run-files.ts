import { appendFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { writeSafetensors } from './artefacts/safetensors.ts';
import { writeFileVersion, writeScalars, type ScalarEvent } from './artefacts/tfevents.ts';
import { writeTorchCheckpoint } from './artefacts/torch-checkpoint.ts';
import { toyWeights } from './artefacts/toy-model.ts';
import { replaceFile } from './replace-file.ts';
import { parseStep, type TrainingStep } from './training-script.ts';

export type ScalarPoint = readonly [wallTimeS: number, step: number, value: number];

/** One run as TensorBoard sees it: every scalar that was written to its events file. */
export interface RunScalars {
  readonly name: string;
  readonly startedAtS: number;
  readonly byTag: ReadonlyMap<string, readonly ScalarPoint[]>;
}

interface OpenRun {
  readonly name: string;
  readonly startedAtS: number;
  readonly byTag: Map<string, ScalarPoint[]>;
  readonly eventsFile: string;
  stepsWritten: number;
  bestLoss: number;
}

const KEPT_CHECKPOINTS = 3;
const KEPT_RUNS = 4;

/** `metrics.json` and everything else that a run leaves behind, in a folder of its own under `runs`. */
export class RunFiles {
  readonly #runsFolder: string;
  readonly #seed: number;
  readonly #runs = new Map<string, OpenRun>();

  constructor(runsFolder: string, seed: number) {
    this.#runsFolder = runsFolder;
    this.#seed = seed;
  }

  get scalars(): readonly RunScalars[] {
    return [...this.#runs.values()].sort((a, b) => a.startedAtS - b.startedAtS);
  }

  /** SECURITY: a request names its folder; only a folder directly under `runs` is written to. */
  isRunFolder(folder: string): boolean {
    return (
      /^[\w.-]+$/.test(basename(folder)) && folder === join(this.#runsFolder, basename(folder))
    );
  }

  async begin(folder: string, nowMs: number): Promise<OpenRun> {
    const name = basename(folder);
    const known = this.#runs.get(name);
    if (known !== undefined) return known;
    const startedAtS = nowMs / 1000;
    const eventsFile = join(folder, `events.out.tfevents.${Math.floor(startedAtS)}.demo-box.0`);
    const run: OpenRun = {
      name,
      startedAtS,
      byTag: new Map(),
      eventsFile,
      stepsWritten: 0,
      bestLoss: Infinity,
    };
    await mkdir(join(folder, 'checkpoints'), { recursive: true });
    await writeFile(eventsFile, writeFileVersion(startedAtS));
    this.#runs.set(name, run);
    await this.#forgetOldRuns();
    return run;
  }

  /** Writes what belongs to one finished epoch and returns the checkpoint's path. */
  async saveEpoch(folder: string, epoch: number, step: number, nowMs: number): Promise<string> {
    const run = await this.begin(folder, nowMs);
    const steps = await readSteps(folder);
    await this.#appendScalars(run, steps.slice(run.stepsWritten), nowMs);
    run.stepsWritten = steps.length;

    const last = steps[steps.length - 1];
    const weights = toyWeights(this.#seed, step);
    const checkpoint = checkpointPath(folder, epoch);
    const bytes = writeTorchCheckpoint(weights);
    await replaceFile(checkpoint, bytes);
    if (last !== undefined && last.loss < run.bestLoss) {
      run.bestLoss = last.loss;
      await replaceFile(join(folder, 'checkpoints', 'best.pt'), bytes);
      const metadata = { format: 'pt', epoch: String(epoch), loss: String(last.loss) };
      await replaceFile(join(folder, 'model.safetensors'), writeSafetensors(weights, metadata));
    }
    const metrics = {
      epoch,
      step,
      loss: last?.loss,
      accuracy: last?.accuracy,
      best_loss: run.bestLoss,
    };
    await replaceFile(join(folder, 'metrics.json'), `${JSON.stringify(metrics, null, 2)}\n`);
    await forgetOldCheckpoints(folder);
    return checkpoint;
  }

  /** A save that ran out of space: half of a file, under the name that it never lost. */
  async breakOff(folder: string, epoch: number, step: number): Promise<string> {
    const path = `${checkpointPath(folder, epoch)}.tmp`;
    const bytes = writeTorchCheckpoint(toyWeights(this.#seed, step));
    await writeFile(path, bytes.subarray(0, bytes.length / 2));
    return path;
  }

  async #appendScalars(run: OpenRun, steps: readonly TrainingStep[], nowMs: number): Promise<void> {
    const events = steps.flatMap((step, place): ScalarEvent[] => {
      // The steps were spread over the epoch that ends now; a second apart is near enough for a toy.
      const at = { step: step.step, wallTimeS: nowMs / 1000 - (steps.length - 1 - place) };
      return [
        { ...at, tag: 'train/loss', value: step.loss },
        { ...at, tag: 'train/lr', value: step.learningRate },
        { ...at, tag: 'train/accuracy', value: step.accuracy },
      ];
    });
    await appendFile(run.eventsFile, writeScalars(events));
    for (const { tag, wallTimeS, step, value } of events) {
      const points = run.byTag.get(tag) ?? [];
      points.push([wallTimeS, step, Math.fround(value)]);
      run.byTag.set(tag, points);
    }
  }

  async #forgetOldRuns(): Promise<void> {
    const oldest = this.scalars.slice(0, -KEPT_RUNS);
    for (const { name } of oldest) {
      this.#runs.delete(name);
      await rm(join(this.#runsFolder, name), { recursive: true, force: true });
    }
  }
}

export function checkpointPath(folder: string, epoch: number): string {
  return join(folder, 'checkpoints', `epoch-${String(epoch).padStart(4, '0')}.pt`);
}

async function readSteps(folder: string): Promise<TrainingStep[]> {
  const text = await readFile(join(folder, 'steps.txt'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .map(parseStep)
    .filter((step) => step !== null);
}

async function forgetOldCheckpoints(folder: string): Promise<void> {
  const checkpoints = join(folder, 'checkpoints');
  const epochs = (await readdir(checkpoints)).filter((name) => /^epoch-\d+\.pt$/.test(name)).sort();
  const old = epochs.slice(0, -KEPT_CHECKPOINTS);
  await Promise.all(old.map((name) => rm(join(checkpoints, name))));
}
