/** What a trainer's figures are about; each has a chart of its own. */
export type MetricKind = 'loss' | 'rate' | 'throughput' | 'other';

export interface MetricValue {
  /** As the log calls it. Hostile, but short and of few characters. */
  readonly name: string;
  /** NaN and the infinities too: a run that diverges says so. */
  readonly value: number;
}

/** The figures of one line. */
export interface MetricLine {
  /** Counted over the whole run, as the line says: `step 10`. Null: the line has no such word. */
  readonly step: number | null;
  readonly epoch: number | null;
  /** How fast a bar goes, in parts a second. */
  readonly speed: MetricValue | null;
  /** None is told where the words of the line are no trainer's. */
  readonly values: readonly MetricValue[];
}

const MAX_CHARS = 2000;
const MAX_VALUES = 40;

const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,18})(?:\.\d{0,20})?|\.\d{1,20}`;
const VALUE = String.raw`[-+]?(?:(?:${NUMBER})(?:[eE][-+]?\d{1,3})?|[nN]a[nN]|[iI]nf(?:inity)?)`;
const WORD = String.raw`[A-Za-z_][\w./@-]{0,47}`;
/** `loss=0.5`, `'loss': 0.5`, `"train/loss": "0.5"`, `val loss 0.5`, `mAP50(B): 0.3`. */
const PAIR = new RegExp(
  String.raw`(?<![\w./@-])["']?(?:([Tt]rain|[Tt]raining|[Vv]al|[Vv]alid|[Vv]alidation|[Tt]est|[Ee]val|[Aa]vg|[Mm]ean) )?(${WORD}(?:\([A-Za-z]\))?)["']?( {0,3}[=:] {0,4}|[ \t]{1,3})(?:tensor\()?["']?(${VALUE})([kM]\b)?(?![\w.]|:\d|,\d|% ?[|━╸─])`,
  'g',
);
/** `12.5it/s`, `1.2k tok/s`, `350ms/step`, `2.1 s/it`. */
const SPEED =
  /(?<![\w.,+-])(\d{1,12}(?:\.\d{1,9})?)([kM])? ?(?:(it|iter|iters|iterations|steps?|samples?|examples?|seqs?|tok|toks|tokens?|img|imgs|images?|batch|batches)\/s(?:ec(?:ond)?)?\b(?! ?[=:])|(s|ms|us)\/(it|iter|step|batch|sample|epoch)\b)/;

/** A space alone joins a name to its figure only where the name is a trainer's. */
const SPOKEN =
  /^(?:\w{0,30}loss|lr|acc|accuracy|ppl|perplexity|mfu|grad_?norm|gnorm|reward|epoch|(?:global_)?step|iter|iteration)$/i;
const STEP = /^(?:global_?step|steps?|iter|iters|iteration|iterations|updates?|num_updates)$/i;
const EPOCH = /^epochs?$/i;
/** What stands beside the figures and is none of them. */
const NO_METRIC =
  /^(?:v_num|version|seed|rank|local_rank|node|world_size|pid|port|gpu|gpus|device|devices|batch|batches|batch_size|bs|batch_idx|num_\w+|n_\w+|max_\w+|total|total_\w+|elapsed|eta|line|code|size|hours?|minutes?|it|at|of|in|to|took|\w*_runtime|total_flos|info|warning|error|debug|root)$/i;
/** A line of settings, printed before anything is trained. */
const SETTINGS = /\b(?:Namespace|Config|TrainingArguments|Arguments|args)\(/;

/** Null: the line has no figure. */
export function readMetricLine(line: string): MetricLine | null {
  const text = line.slice(-MAX_CHARS);
  if (text.includes('(') && SETTINGS.test(text)) return null;
  let step: number | null = null;
  let epoch: number | null = null;
  const values: MetricValue[] = [];
  PAIR.lastIndex = 0;
  for (let found = PAIR.exec(text); found !== null; found = PAIR.exec(text)) {
    const [, part, word = '', join = '', said = '', factor] = found;
    const value = numberOf(said, factor);
    const own = word.slice(word.lastIndexOf('/') + 1);
    if (!/[=:]/.test(join) && !SPOKEN.test(own)) continue;
    if (STEP.test(own)) step ??= countOf(value);
    else if (EPOCH.test(own)) epoch ??= Number.isFinite(value) && value >= 0 ? value : null;
    else if (!NO_METRIC.test(own) && values.length < MAX_VALUES) {
      values.push({ name: part === undefined ? word : `${part.toLowerCase()} ${word}`, value });
    }
  }
  const speed = text.includes('/') ? readSpeed(text) : null;
  const isNothing = step === null && epoch === null && values.length === 0 && speed === null;
  return isNothing ? null : { step, epoch, speed, values };
}

/** Whether a line without any count tells of a training, by the name of one of its figures. */
export function isTraining(name: string): boolean {
  return /loss|acc|ppl|perplexity|reward|score|grad_?norm|\bf1\b|auc|bleu|^(?:val|eval|train|test)[_/]/i.test(
    name,
  );
}

export function kindOf(name: string): MetricKind {
  if (/loss|nll|perplexity|\bppl\b/i.test(name)) return 'loss';
  if (/(?:^|[^a-z])(?:lr|learning[_ ]?rate)(?:$|[^a-z])/i.test(name)) return 'rate';
  if (/(?:per_?sec(?:ond)?|per_s|\/s(?:ec)?|throughput|fps|tps|wps|tflops|mfu)$/i.test(name)) {
    return 'throughput';
  }
  return 'other';
}

function countOf(value: number): number | null {
  return Number.isSafeInteger(value) && value >= 0 ? value : null;
}

const FACTORS: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 };

function numberOf(said: string, factor: string | undefined): number {
  if (/n$/i.test(said)) return NaN;
  if (/inf/i.test(said)) return said.startsWith('-') ? -Infinity : Infinity;
  return (
    Number(said.includes(',') ? said.replaceAll(',', '') : said) *
    (factor === undefined ? 1 : (FACTORS[factor] ?? 1))
  );
}

/** In parts a second, however it was told: a slow loop is told as seconds a part. */
function readSpeed(text: string): MetricValue | null {
  const [, said, factor, per, time, of] = SPEED.exec(text) ?? [];
  if (said === undefined) return null;
  const figure = Number(said) * (factor === undefined ? 1 : (FACTORS[factor] ?? 1));
  if (per !== undefined) return { name: `${per}/s`, value: figure };
  const seconds = figure * (time === 'ms' ? 1e-3 : time === 'us' ? 1e-6 : 1);
  return seconds > 0 ? { name: `${of ?? 'it'}/s`, value: 1 / seconds } : null;
}
