export const setKinds = [
  'sharded-checkpoint',
  'split-gguf',
  'onnx-external',
  'tensorflow-checkpoint',
  'saved-model',
  'torch-distributed',
  'zarr',
] as const;
export type SetKind = (typeof setKinds)[number];

/** Files that are only whole together, and whether they are. */
export interface SetFound {
  readonly kind: SetKind;
  /** The file that holds them together, from the folder on. Hostile. */
  readonly path: string;
  /** `unknown`: nobody could look. */
  readonly state: 'whole' | 'damaged' | 'not-loadable' | 'unknown';
  /** What it holds, or in a clause why it is not whole. Names in it come from the files. */
  readonly says: string;
}
