import { createRandom } from '../random.ts';
import { elementCount, type Tensor } from './tensor.ts';

/** A two-layer perceptron for 28 × 28 pictures: 50,890 parameters, so a checkpoint is about 200 kB. */
const LAYERS: readonly { readonly name: string; readonly shape: readonly number[] }[] = [
  { name: 'hidden.weight', shape: [64, 784] },
  { name: 'hidden.bias', shape: [64] },
  { name: 'output.weight', shape: [10, 64] },
  { name: 'output.bias', shape: [10] },
];

/** The toy model's weights after `step` steps of run `seed`: the same for the same pair, moving from step to step. */
export function toyWeights(seed: number, step: number): Tensor[] {
  const start = createRandom(seed);
  const drift = createRandom(seed + step);
  const share = 1 - Math.exp(-step / 100);
  return LAYERS.map(({ name, shape }) => ({
    name,
    shape,
    values: Float32Array.from(
      { length: elementCount(shape) },
      () => (start() - 0.5) * (1 - share) * 0.1 + (drift() - 0.5) * share * 0.2,
    ),
  }));
}
