import { expect, it } from 'vitest';
import { likelyBetter } from './likely-better.ts';

it.each([
  ...['val_loss', 'valLoss', 'score_error', 'top5_error', 'eval/wer', 'log_perplexity'],
  ...['neg_log_likelihood', 'reward_loss', 'cross_entropy', 'test rmse', 'num_errors', 'fid'],
])('takes for %s the lowest for the best', (figure) => {
  expect(likelyBetter(figure)).toBe('lowest');
});

it.each([
  ...['accuracy', 'eval/f1', 'mAP50(B)', 'mean_reward', 'episode_return', 'top1', 'pass@1'],
  ...['win_rate', 'tokens_per_s', 'it/s', 'throughput', 'BLEU', 'rougeL', 'hits@10', 'mIoU'],
])('takes for %s the highest for the best', (figure) => {
  expect(likelyBetter(figure)).toBe('highest');
});

it.each([
  ...['lr', 'grad_norm', 'kl', 'temperature', 'reward_std', 'loss_scale', 'top_k', 'epoch_seen'],
  ...['map_size', 'accumulation', 'escape', 'terrain', 'interrupt', 'seconds', 'gap'],
])('does not guess of %s', (figure) => {
  expect(likelyBetter(figure)).toBeNull();
});
