import type { KeepRule } from './keep-rules.ts';

/**
 * What files are for where nobody has said so, the first that fits: as Lightning, transformers, DeepSpeed and the trackers name what they
 * write. Scratch is only what any program makes again by itself, for a continuous pull leaves it on the box.
 */
export const USUAL_KEEP_RULES: readonly KeepRule[] = [
  { pattern: '__pycache__/', keep: 'scratch' },
  { pattern: '.ipynb_checkpoints/', keep: 'scratch' },
  { pattern: '*.pyc', keep: 'scratch' },
  { pattern: 'checkpoint-*/', keep: 'checkpoint' },
  { pattern: 'global_step*/', keep: 'checkpoint' },
  { pattern: '*.ckpt', keep: 'checkpoint' },
  { pattern: 'metrics*.json', keep: 'evidence' },
  { pattern: 'metrics*.jsonl', keep: 'evidence' },
  { pattern: 'metrics*.csv', keep: 'evidence' },
  { pattern: '*_results.json', keep: 'evidence' },
  { pattern: 'trainer_state.json', keep: 'evidence' },
  { pattern: 'hparams.yaml', keep: 'evidence' },
  { pattern: 'events.out.tfevents.*', keep: 'evidence' },
  { pattern: '*.wandb', keep: 'evidence' },
  { pattern: '*.log', keep: 'evidence' },
];
