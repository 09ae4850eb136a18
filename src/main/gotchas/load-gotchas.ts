import { setImmediate } from 'node:timers/promises';
import type { Gotcha, Gotchas, LoadedGotcha } from '../../shared/gotchas/gotcha.ts';
import { compareIds } from '../../shared/gotchas/ids.ts';
import type { FileFault } from '../../shared/yaml/file-fault.ts';
import { readFolder } from '../yaml/read-folder.ts';
import { checkGotchas } from './check-gotchas.ts';

/** Where a person's own entries lie, in the config folder. */
export const OWN_GOTCHAS = 'gotchas';

export interface GotchaFolders {
  readonly shipped: string;
  /** Need not exist. */
  readonly own: string;
}

const ADVICE = {
  tooLong: 'Spread the entries over several files.',
  tooMany: 'Put several entries into one file.',
};

/** The shipped catalog; an entry of the person's own wins over the shipped one of that id, or is added. */
export async function loadGotchas(folders: GotchaFolders): Promise<Gotchas> {
  const faults: FileFault[] = [];
  const loaded = new Map<string, LoadedGotcha>();
  for (const gotcha of await readEntries(folders.shipped, 'must be there', faults)) {
    loaded.set(gotcha.id, { gotcha, origin: 'shipped' });
  }
  for (const gotcha of await readEntries(folders.own, 'may be absent', faults)) {
    const shipped = loaded.get(gotcha.id)?.gotcha;
    // What is done about a gotcha is Leasehold's to say, whoever describes it.
    const entry: Gotcha = { ...gotcha, coverage: shipped?.coverage ?? null };
    loaded.set(gotcha.id, { gotcha: entry, origin: shipped === undefined ? 'own' : 'replaced' });
  }
  const all = [...loaded.values()].sort((a, b) => compareIds(a.gotcha.id, b.gotcha.id));
  return { all, faults };
}

/** The first entry of each id; a second one is told with its line instead of being chosen silently. */
async function readEntries(
  folder: string,
  need: 'must be there' | 'may be absent',
  faults: FileFault[],
): Promise<readonly Gotcha[]> {
  const read = await readFolder(folder, need, ADVICE);
  faults.push(...read.faults);
  const kept = new Map<string, { readonly gotcha: Gotcha; readonly file: string }>();
  for (const { file, text } of read.texts) {
    // A file takes main up to 15 ms; what else waits has its turn in between.
    await setImmediate();
    const checked = checkGotchas(file, text);
    if (!checked.ok) {
      faults.push(...checked.error);
      continue;
    }
    for (const [at, gotcha] of checked.value.entries.entries()) {
      const first = kept.get(gotcha.id);
      if (first === undefined) kept.set(gotcha.id, { gotcha, file });
      else {
        faults.push({
          file,
          line: checked.value.lineOf(['entries', at]),
          message: `holds a second entry "${gotcha.id}"; the first is in ${first.file}`,
          fix: 'Keep one entry for each id.',
        });
      }
    }
  }
  return [...kept.values()].map(({ gotcha }) => gotcha);
}
