import type { PulledFile } from '../transfer/pull.ts';

/** Of which a person's own Python can be asked: what came home whole, and is called like a file of torch. */
export const isPythonFile = ({ mark, loaded }: Pick<PulledFile, 'mark' | 'loaded'>): boolean =>
  mark === 'equal' && loaded !== null && loaded.kind !== 'no-reader' && loaded.format === 'torch';
