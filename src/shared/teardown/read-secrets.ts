import { isHarmless, isSecretKind, kindByName } from './secret-kinds.ts';
import type { FoundSecret, SecretsLook } from './secrets-found.ts';

/** More than anybody keeps on a box; beyond them a person looks by themselves. */
export const MOST_SECRETS = 200;

/** A file on the box, as it is told from any other there. */
export interface SecretPlace extends FoundSecret {
  /** What secrets-remove.sh asks about it: what stat says of it, and its path as printf's %b writes it. */
  readonly line: string;
}

export interface ReadSecrets extends Omit<SecretsLook, 'found' | 'atMs'> {
  readonly found: readonly SecretPlace[];
}

const RECORD =
  /^(\S{1,40}) ((\d{1,20}) (\d{1,20}) (\d{1,16}) (-?\d{1,12})(?:\.\d{1,9})? -?\d{1,12}(?:\.\d{1,9})?) (\d{1,9}) (\d{1,10}) ([w-]) (\/[^]*)$/;

/** What secrets-find.sh prints; null: its answer was not whole. */
export function readSecrets(stdout: string, mark: string): ReadSecrets | null {
  const [, user] = new RegExp(`^${mark} user (\\d{1,10})$`, 'm').exec(stdout) ?? [];
  const [, digits] =
    new RegExp(`^${mark} secrets\\n((?:[0-9a-f]{2})*)\\n${mark} whole$`, 'm').exec(stdout) ?? [];
  if (user === undefined || digits === undefined) return null;
  const parts = bytesOf(digits).split('\0');
  const said = parts.pop() ?? '';
  const found = new Map<string, SecretPlace>();
  let isUnread = false;
  for (const record of parts) {
    const place = placeOf(record, user);
    if (place === null) isUnread = true;
    // In a home folder and by its name, or over a link: what is known of it first is known best.
    else if (place !== 'harmless' && !found.has(place.key)) found.set(place.key, place);
  }
  const all = [...found.values()];
  return {
    found: all.slice(0, MOST_SECRETS),
    home: homeIn(said, mark),
    isCut: all.length > MOST_SECRETS || !said.endsWith(`\n${mark} end\n`),
    unread: whyUnread(said, mark, isUnread),
  };
}

function placeOf(record: string, user: string): SecretPlace | 'harmless' | null {
  const [, tag = '', stat = '', device, inode, bytes, modified, links, owner, may, path] =
    RECORD.exec(record) ?? [];
  if (path === undefined) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (tag !== 'sent' && isHarmless(name)) return 'harmless';
  // A link was found by its own name, and what it leads to may have any.
  const kind = tag === '?' ? (kindByName(textOf(name)) ?? 'token-file') : tag;
  if (!(kind === 'sent' || isSecretKind(kind))) return null;
  return {
    ...{ key: `${device ?? ''}/${inode ?? ''}`, kind, path: textOf(path), bytes: Number(bytes) },
    ...{ modifiedAtMs: Number(modified) * 1000, links: Number(links) },
    ...{ isOwn: owner === user, mayGo: may === 'w', isSure: tag !== '?' },
    line: `${stat} ${escaped(path)}`,
  };
}

const homeIn = (said: string, mark: string): string | null =>
  new RegExp(`^${mark} home (/.{1,1000})$`, 'm').exec(said)?.[1] ?? null;

function whyUnread(said: string, mark: string, isUnread: boolean): string | null {
  if (said.includes(`\n${mark} late`)) return 'Looking took too long.';
  if (said.includes(`\n${mark} partly`)) return 'Some folders are closed to you.';
  if (said.includes(`\n${mark} many`)) return 'There are more home folders than one check reads.';
  const closed = new RegExp(`^${mark} closed ([1-9]\\d{0,3})$`, 'm').exec(said)?.[1];
  if (closed !== undefined) {
    return closed === '1'
      ? '1 home folder of another user is closed to you.'
      : `${closed} home folders of other users are closed to you.`;
  }
  return isUnread ? 'Part of the box’s answer could not be read.' : null;
}

/** A letter for each byte. */
const bytesOf = (digits: string): string =>
  digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));

/** For a person: as UTF-8, and what is none as its digits. */
function textOf(bytes: string): string {
  const digitsOf = (byte: string): string => byte.charCodeAt(0).toString(16).padStart(2, '0');
  try {
    return decodeURIComponent(bytes.replace(/[^]/g, (byte) => `%${digitsOf(byte)}`));
  } catch {
    return bytes.replace(/[\x80-\xff]/g, (byte) => `\\x${digitsOf(byte)}`);
  }
}

/** As printf's %b reads it: no blank, quote or backslash is in it but those that it asks for. */
const escaped = (bytes: string): string =>
  bytes.replace(/[^\w./-]/g, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);

export const removedWords = ['removed', 'there', 'gone', 'changed', 'hidden'] as const;
export type RemovedWord = (typeof removedWords)[number];

/** What secrets-remove.sh says of each; null: it said nothing of that one. */
export function readRemoved(
  stdout: string,
  mark: string,
  count: number,
): readonly (RemovedWord | null)[] {
  const words = Array.from({ length: count }, (): RemovedWord | null => null);
  for (const [, no, said] of stdout.matchAll(new RegExp(`^${mark} (\\d{1,4}) ([a-z]+)$`, 'gm'))) {
    const word = removedWords.find((each) => each === said);
    if (word !== undefined && Number(no) < count) words[Number(no)] = word;
  }
  return words;
}
