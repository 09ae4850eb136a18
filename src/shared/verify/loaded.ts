/** What a file proved to be when it was read as what its name says. Nothing in it is ever executed. */
export type Loaded =
  | {
      readonly kind: 'loaded';
      readonly format: FormatName;
      /** What is in it, in a few words. Names come from the file, and are hostile. */
      readonly holds: string;
      /** Absent: it holds no tensors whose numbers were looked at. */
      readonly numbers?: NumbersFound;
    }
  | { readonly kind: 'damaged'; readonly format: FormatName; readonly because: string }
  /** Nothing is wrong with what can be looked at, and the rest nobody could load without running what the file says. */
  | { readonly kind: 'not-loadable'; readonly format: FormatName; readonly because: string }
  /** No reader for what it is: its hash is all that is known. */
  | { readonly kind: 'no-reader' };

export const formatNames = [
  'safetensors',
  'npy',
  'json',
  'jsonl',
  'yaml',
  'csv',
  'tsv',
  'png',
  'jpeg',
  'gif',
  'webp',
  'tar.gz',
  'gz',
  'tar.xz',
  'xz',
  'tar.zst',
  'zst',
  'tar',
  'wandb',
  'npz',
  'torch',
  'pickle',
  'zip',
  'tfrecord',
  'tfevents',
  'gguf',
  'onnx',
  'hdf5',
  'keras',
  'parquet',
  'sqlite',
  'arrow',
] as const;
export type FormatName = (typeof formatNames)[number];

/** The numbers of the floating-point tensors of one file. */
export interface NumbersFound {
  readonly scanned: number;
  readonly nonFinite: number;
  /** Some of the tensors with NaN or infinite numbers in them, with how many. */
  readonly affected: readonly { readonly tensor: string; readonly count: number }[];
  /** Some of the tensors in which every number is zero. */
  readonly allZero: readonly string[];
}
