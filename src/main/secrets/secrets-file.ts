import { z } from 'zod';
import { problem, type Problem } from '../../shared/problem.ts';
import { parseJson } from '../../shared/salvage.ts';
import { sweepTemporaries } from '../storage/atomic-file.ts';
import { readOwnText } from '../storage/own-text.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { moveAside } from '../storage/keep-aside.ts';

/** Base64 of what the vault made of each value, by the secret's name. Names are not encrypted. */
export type Encrypted = ReadonlyMap<string, string>;

export interface FoundSecrets {
  readonly encrypted: Encrypted;
  readonly problems: readonly Problem[];
  /** Why the file must not be written over: it holds something that this Leasehold can neither read nor put aside. */
  readonly locked: string | null;
}

/** Narrow, so that a value pasted in the wrong field is refused as a name: names are kept and shown in clear. */
export const SECRET_NAME = /^[a-z0-9][a-z0-9._:-]{0,99}$/;

const VERSION = 1;
/** Far above any real file. */
const MAX_BYTES = 4 * 1024 * 1024;
const NONE: Encrypted = new Map();

const versionSchema = z.object({ version: z.int() });
const fileSchema = z.strictObject({
  version: z.literal(VERSION),
  secrets: z.record(z.string().regex(SECRET_NAME), z.base64().min(1)),
});

export function renderSecrets(encrypted: Encrypted): string {
  return `${JSON.stringify({ version: VERSION, secrets: Object.fromEntries(encrypted) }, null, 2)}\n`;
}

/** Reads the file. One that is damaged is moved aside; one from a newer version, or not to be read, stays as it is. */
export async function findSecrets(file: string, atMs: number): Promise<FoundSecrets> {
  let text: string;
  try {
    await sweepTemporaries(file);
    text = await readOwnText(file, MAX_BYTES);
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    if (errno === 'ENOENT') return { encrypted: NONE, problems: [], locked: null };
    return locked(`it could not be read (${errno})`, file);
  }
  const content = parseJson(text);
  const read = fileSchema.safeParse(content);
  if (read.success) {
    return { encrypted: new Map(Object.entries(read.data.secrets)), problems: [], locked: null };
  }
  const { data: head } = versionSchema.safeParse(content);
  if (head !== undefined && head.version > VERSION) {
    return locked('it was written by a newer Leasehold', file);
  }
  return putAside(file, atMs);
}

function putAside(file: string, atMs: number): FoundSecrets {
  try {
    const kept = moveAside(file, { stem: KEPT_STEM, ending: '.json', atMs });
    const found = problem(
      'secret-unreadable',
      `The file with your secrets was damaged. It is now ${kept}.`,
      { nextStep: 'Enter the secrets again.' },
    );
    return { encrypted: NONE, problems: [found], locked: null };
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    return locked(`it is damaged and could not be moved aside (${errno})`, file);
  }
}

/** `secrets.unreadable-<time>.json`. Forgetting everything removes these too. */
export const KEPT_STEM = 'secrets.unreadable';

function locked(because: string, file: string): FoundSecrets {
  const found = problem(
    'secret-unreadable',
    `The file with your secrets (${file}) is left as it is, because ${because}. New secrets are kept until you quit.`,
    { nextStep: 'Enter the secrets that you need now.' },
  );
  return { encrypted: NONE, problems: [found], locked: `the file with your secrets: ${because}` };
}
