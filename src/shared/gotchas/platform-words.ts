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

/** The platforms of which a text in small letters speaks. */
export function platformsIn(text: string): ReadonlySet<GotchaScope> {
  const found = new Set<GotchaScope>();
  for (const [scope, words] of Object.entries(WORDS) as [GotchaScope, readonly string[]][]) {
    if (words.some((word) => text.includes(word))) found.add(scope);
  }
  return found;
}
