import { createRandom } from './random.ts';

/** One step of the toy run as it will be logged. */
export interface TrainingStep {
  readonly epoch: number;
  readonly step: number;
  readonly loss: number;
  readonly learningRate: number;
  readonly accuracy: number;
}

/** Losses of a run that learns: fast at first, noisy, never below what the task allows. */
export function writeTrainingScript(
  seed: number,
  epochs: number,
  stepsPerEpoch: number,
): TrainingStep[] {
  const random = createRandom(seed);
  const total = epochs * stepsPerEpoch;
  return Array.from({ length: total }, (_, place) => {
    const step = place + 1;
    const progress = step / total;
    const loss = (0.12 + 2.18 * Math.exp(-7 * progress)) * (0.94 + 0.12 * random());
    return {
      epoch: Math.ceil(step / stepsPerEpoch),
      step,
      loss: round(loss, 4),
      learningRate: round(3e-4 * 0.5 * (1 + Math.cos(Math.PI * progress)), 8),
      accuracy: round(Math.max(0.1, 1 - 0.39 * loss ** 0.7 - 0.01 * random()), 4),
    };
  });
}

/** The form that `train.sh` reads and repeats in `steps.txt`. */
export function formatStep({ epoch, step, loss, learningRate, accuracy }: TrainingStep): string {
  return `${epoch} ${step} ${loss.toFixed(4)} ${learningRate.toFixed(8)} ${accuracy.toFixed(4)}`;
}

export function parseStep(line: string): TrainingStep | null {
  const [epoch, step, loss, learningRate, accuracy, ...more] = line.split(' ').map(Number);
  const numbers = [epoch, step, loss, learningRate, accuracy];
  if (more.length > 0 || !numbers.every(Number.isFinite)) return null;
  return {
    epoch: epoch ?? 0,
    step: step ?? 0,
    loss: loss ?? 0,
    learningRate: learningRate ?? 0,
    accuracy: accuracy ?? 0,
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
