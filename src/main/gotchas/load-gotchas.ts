import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { OWN_FAMILY } from '../../shared/gotchas/entry-draft.ts';
import type {
  AlertTexts,
  Gotcha,
  Gotchas,
  LoadedGotcha,
  OwnFile,
} from '../../shared/gotchas/gotcha.ts';
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

interface ReadEntry {
  readonly gotcha: Gotcha;
  readonly at: OwnFile;
}

/** What ships, read and checked: it does not change while Leasehold runs. */
export interface ShippedGotchas {
  readonly entries: readonly Gotcha[];
  readonly faults: readonly FileFault[];
}

/** The shipped catalog; an entry of the person's own wins over the shipped one of that id, or is added. */
export async function loadGotchas(folders: GotchaFolders): Promise<Gotchas> {
  return addOwn(await readShipped(folders.shipped), folders.own);
}

export async function readShipped(folder: string): Promise<ShippedGotchas> {
  const faults: FileFault[] = [];
  const read = await readEntries(folder, 'must be there', faults);
  return { entries: read.map(({ gotcha }) => gotcha), faults };
}

/** The person's own files over what ships. */
export async function addOwn(shipped: ShippedGotchas, folder: string): Promise<Gotchas> {
  const faults: FileFault[] = [...shipped.faults];
  const loaded = new Map<string, LoadedGotcha>();
  for (const gotcha of shipped.entries) {
    loaded.set(gotcha.id, { gotcha, origin: 'shipped', own: null });
  }
  for (const { gotcha, at } of await readEntries(folder, 'may be absent', faults)) {
    const replaced = loaded.get(gotcha.id)?.gotcha;
    // What is done about a gotcha is Leasehold's to say, whoever describes it.
    const entry: Gotcha = {
      ...gotcha,
      alert: alertOf(gotcha, replaced),
      coverage: replaced?.coverage ?? null,
    };
    const origin = replaced === undefined ? 'own' : 'replaced';
    loaded.set(gotcha.id, { gotcha: entry, origin, own: at });
  }
  const all = [...loaded.values()].sort((a, b) => compareIds(a.gotcha.id, b.gotcha.id));
  return { ownFolder: folder, all, faults };
}

/**
 * The person's own sentences over the shipped ones, which the rule goes on to need. A shipped sentence names steps by their number
 * among the shipped ones: beside steps of the person's own it stands with all of those.
 */
function alertOf({ alert }: Gotcha, replaced: Gotcha | undefined): AlertTexts | null {
  const shipped = replaced?.alert ?? null;
  if (shipped === null) return alert;
  const says = Object.fromEntries(
    Object.entries(shipped.says).map(([variant, texts]) => {
      const isByNumber = texts.fix?.some((step) => typeof step === 'number') === true;
      return [variant, isByNumber ? { ...texts, fix: null } : texts];
    }),
  );
  return {
    short: alert?.short ?? shipped.short,
    commands: alert === null || alert.commands.length === 0 ? shipped.commands : alert.commands,
    says: { ...says, ...alert?.says },
    phrases: { ...shipped.phrases, ...alert?.phrases },
  };
}

/** The first entry of each id; a second one is told with its line instead of being chosen silently. */
async function readEntries(
  folder: string,
  need: 'must be there' | 'may be absent',
  faults: FileFault[],
): Promise<readonly ReadEntry[]> {
  const read = await readFolder(folder, need, ADVICE);
  faults.push(...read.faults);
  const kept = new Map<string, ReadEntry>();
  for (const { file, text } of read.texts) {
    // A file takes main up to 15 ms; what else waits has its turn in between.
    await setImmediate();
    const checked = checkGotchas(file, text);
    if (!checked.ok) {
      faults.push(...checked.error);
      continue;
    }
    const { entries, lineOf } = checked.value;
    for (const [at, gotcha] of entries.entries()) {
      const line = lineOf(['entries', at]);
      const first = kept.get(gotcha.id);
      if (first === undefined) {
        const isOurs = entries.length === 1 && basename(file) === ownFileName(gotcha.id);
        kept.set(gotcha.id, {
          gotcha,
          at: { file, line, digest: isOurs ? textDigest(text) : null },
        });
      } else {
        faults.push({
          file,
          line,
          message: `holds a second entry "${gotcha.id}"; the first is in ${first.at.file}`,
          fix: 'Keep one entry for each id.',
        });
      }
    }
  }
  return [...kept.values()];
}

const OWN_ID = new RegExp(`^${OWN_FAMILY}([1-9]\\d{0,8})$`);

/** The file into which Leasehold writes the entry; null: the id is none of its own. */
export function ownFileName(id: string): string | null {
  return OWN_ID.test(id) ? `${id}.yaml` : null;
}

/** The number of an id of Leasehold's own family; 0: it is none. */
export function ownNumber(id: string): number {
  return Number(OWN_ID.exec(id)?.[1] ?? 0);
}

export function textDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
