import type { GotchaScope } from './gotcha.ts';

/** What in a log tells on whose machine it was written. None for what can be anywhere. */
const WORDS: Partial<Record<GotchaScope, readonly string[]>> = {
  slurm: ['slurm', 'srun', 'sbatch', 'sacct'],
  kubernetes: ['kubectl', 'kubelet', 'kubernetes', 'pod/', 'persistentvolumeclaim'],
  notebook: ['kaggle', 'colab', '/content/', 'ipykernel'],
  multinode: ['nccl', 'torchrun', 'torch.distributed', 'horovod', 'rank '],
  autodl: ['autodl'],
  runpod: ['runpod'],
  vastai: ['vast.ai', 'vastai'],
  lambda: ['lambdalabs', 'lambda.ai', 'lambda stack', 'lambda-stack'],
  paperspace: ['paperspace', '/notebooks/', '/storage/'],
  china: ['gpushare', 'hy-tmp', 'hy-nas', 'matpool', 'featurize', 'lanrui'],
};

/** What somebody who looks for an entry calls the place that it is about; in a log these are words like any other. */
const NAMES: Partial<Record<GotchaScope, readonly string[]>> = {
  slurm: ['slurm'],
  kubernetes: ['kubernetes', 'k8s'],
  notebook: ['notebook'],
  autodl: ['autodl'],
  runpod: ['runpod'],
  vastai: ['vast'],
  lambda: ['lambda'],
  paperspace: ['paperspace', 'gradient'],
};

export const namesOf = (scope: GotchaScope): readonly string[] => NAMES[scope] ?? [];

/** Those that somebody who looks for an entry has named. */
export function platformsTyped(text: string): ReadonlySet<GotchaScope> {
  const words = new Set(text.split(/[^a-z0-9]+/));
  const scopes = Object.keys(NAMES) as GotchaScope[];
  const named = scopes.filter((scope) => namesOf(scope).some((name) => words.has(name)));
  return new Set([...platformsIn(text), ...named]);
}

/** The platforms of which a text in small letters speaks. */
export function platformsIn(text: string): ReadonlySet<GotchaScope> {
  const found = new Set<GotchaScope>();
  for (const [scope, words] of Object.entries(WORDS) as [GotchaScope, readonly string[]][]) {
    if (words.some((word) => text.includes(word))) found.add(scope);
  }
  return found;
}
