/** What files are called that hold the weights of a model. resources/onbox/patrol.sh asks for exactly these. */
export const CHECKPOINT_FILE = /\.(?:pt|pth|ckpt|safetensors|keras|weights\.h5)$/;

/** Parts of a checkpoint that is a folder; alone, such a name says nothing. */
const WEIGHT_PART = /\.(?:bin|distcp)$/;
/** `checkpoint-500`, `global_step500`, `epoch=3-step=100.ckpt`: folders that are one checkpoint. */
const FOLDER = /(?<![a-z])(?:checkpoint|ckpt|global_?step|step|iter|epoch)[-_=]?\d|\.ckpt$/i;
const NAMED_FOLDER =
  /^(?:(?:last|best|final|latest)[-_.](?:checkpoint|ckpt)|(?:checkpoint|ckpt)[-_.](?:last|best|final|latest))$/i;
/** `model-00001-of-00003.safetensors`: one of several files that are one checkpoint. */
const SHARD = /-\d{5}-of-(?=\d{5}\.)/;

const STEP =
  /(?<![a-z])(?:global_?step|steps?|iter(?:ation)?)[-_= ]?(\d{1,12})(?![.\d])|^checkpoint-(\d{1,12})$/i;
const EPOCH = /(?<![a-z])(?:epoch|ep)[-_= ]?(\d{1,12})(?![.\d])/i;
/** A number of which the name does not say what it counts: `model_0100`. */
const COUNT =
  /^(\d{1,12})$|(?<![a-z])(?:model|weights|state|net|snapshot|save|ckpt|checkpoint)[-_.]?(\d{1,12})$/i;

/** Of a file that only a request calls a checkpoint. A number after a dot is a part of the name, and so is what counts. */
const OTHER_ENDING = /\.(?!(?:global_?step|steps?|iter(?:ation)?|epoch|ep)\d)[a-z][a-z0-9]{0,9}$/i;

const MAX_NAME_CHARS = 255;

/** What a checkpoint holds, as far as its name says it. */
export interface Held {
  readonly step: number | null;
  readonly epoch: number | null;
  /** A number that may be either; null also where one of them is known. */
  readonly count: number | null;
}

/** To which checkpoint a file belongs, by its path; null: it looks like no part of one. A folder ends in `/`. */
export function checkpointOf(path: string): string | null {
  const parts = path.split('/');
  const name = (parts.pop() ?? '').slice(-MAX_NAME_CHARS);
  const at = parts.findIndex((part) => FOLDER.test(part) || NAMED_FOLDER.test(part));
  const isFile = CHECKPOINT_FILE.test(name);
  // "epoch_3/step_100.pt" is a checkpoint of its own; the optimizer beside the weights of "checkpoint-500" is not.
  if (at >= 0 && !(isFile && heldIn(name).step !== null)) {
    return `${parts.slice(0, at + 1).join('/')}/`;
  }
  return isFile ? path.replace(SHARD, '-*-of-') : null;
}

/** Whether a file shows that the folder it lies in is a checkpoint, and not one of pictures. */
export const hasWeights = (path: string): boolean =>
  CHECKPOINT_FILE.test(path) || WEIGHT_PART.test(path);

export function heldIn(checkpoint: string): Held {
  const [named = ''] = checkpoint.replace(/\/$/, '').split('/').slice(-1);
  const name = named.slice(-MAX_NAME_CHARS);
  const stem = name.replace(CHECKPOINT_FILE.test(name) ? CHECKPOINT_FILE : OTHER_ENDING, '');
  const [, counts, ofTrainer] = STEP.exec(stem) ?? [];
  const step = numberOf(counts ?? ofTrainer);
  const epoch = numberOf(EPOCH.exec(stem)?.[1]);
  const [, alone, counted] = COUNT.exec(stem) ?? [];
  const isKnown = step !== null || epoch !== null;
  return { step, epoch, count: isKnown ? null : numberOf(alone ?? counted) };
}

function numberOf(digits: string | undefined): number | null {
  return digits === undefined ? null : Number(digits);
}
