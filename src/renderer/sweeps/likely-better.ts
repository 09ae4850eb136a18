import { kindOf } from '../../shared/runs/progress/metric-line.ts';

/** Which end of a figure is the good one. */
export type Better = 'lowest' | 'highest';

/** Each is a whole word of a name, whatever number stands behind it: `mAP50`, `f1`, `hits10`. */
const GROWS =
  /^(?:acc|accuracy|reward|return|score|f\d|fbeta|auc|auroc|auprc|bleu|rouge\w*|meteor|chrf|m?ap|m?iou|jaccard|dice|psnr|ssim|precision|recall|sensitivity|specificity|r2|mrr|ndcg|mcc|kappa|spearman|pearson|exact|success|hits?|likelihood|elbo)\d*$/;
/** These words alone say nothing: `top_k` is a setting. */
const GROWS_TOGETHER = /(?:^|[^a-z])(?:pass@\d|top[-_@]?\d|(?:pass|win)_?rate)/i;
const SHRINKS =
  /^(?:\w*loss|losses|err|error|errors|ppl|perplexity|divergence|nll|[mr]se|rmsle|mae|mape|rmse|[wct]er|eer|fid|kid|lpips|ece|brier|bp[bcd]|regret|latency|xent|crossentropy)$/;
/** What is counted or set, and how far values lie apart, is neither good nor bad, whatever it is of. */
const NEITHER =
  /^(?:std|stddev|stderr|var|variance|scale|weight|coef|steps?|epochs?|seen|count|size)$/;

/** By the name of a figure; null: nothing in it says which end is the good one. */
export function likelyBetter(figure: string): Better | null {
  const words = figure
    .replace(/([a-z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const has = (list: RegExp): boolean => words.some((word) => list.test(word));
  if (kindOf(figure) === 'throughput') return 'highest';
  if (has(NEITHER)) return null;
  if (has(SHRINKS) || /cross_entropy|neg(?:ative)?_log/i.test(figure)) return 'lowest';
  return has(GROWS) || GROWS_TOGETHER.test(figure) ? 'highest' : null;
}
