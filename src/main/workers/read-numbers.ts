import { Damaged, NotLoadable } from '../verify/damage.ts';
import { formatNamed } from '../verify/formats.ts';
import { openNumbers, type NumberReading } from '../verify/numbers/number-reading.ts';
import type { Jobs, ReadNumbers } from './jobs.ts';
import { proveFile } from './prove-file.ts';

/** Reads a file afresh: its hash, whether it can be loaded, and numbers in it are all of the same bytes. */
export async function readNumbers(
  { path, name, keys }: Jobs['read-numbers']['input'],
  tell: (doneBytes: number) => void,
): Promise<ReadNumbers> {
  let reading: NumberReading | null = null;
  let because: string | null = null;
  const attempt = (work: () => void): void => {
    if (because !== null) return;
    try {
      work();
    } catch (cause) {
      if (!(cause instanceof Damaged || cause instanceof NotLoadable)) throw cause;
      because = cause.message;
    }
  };
  const { sha256, loaded } = await proveFile({ path, name }, tell, (source) => {
    attempt(() => {
      const format = formatNamed(name);
      if (format === null) throw new NotLoadable('Leasehold has no reader for such a file');
      reading = openNumbers(format, source, keys);
    });
    return { take: (piece, at) => attempt(() => reading?.take(piece, at)) };
  });
  const read: { -readonly [K in keyof ReadNumbers]: ReadNumbers[K] } = {
    ...{ sha256, because: null, found: [], listed: [], isCut: false },
  };
  // What its own reader refuses is not believed number by number.
  if (loaded?.kind === 'damaged') because = `it is damaged: ${loaded.because}`;
  else if (loaded?.kind === 'not-loadable') because = loaded.because;
  attempt(() => {
    const numbers = reading?.end();
    if (numbers === undefined) return;
    if (keys !== null) read.found = keys.map((key) => numbers.find(key));
    else {
      const { numbers: listed, isCut } = numbers.listed();
      [read.listed, read.isCut] = [listed, isCut];
    }
  });
  return { ...read, because };
}
