import { createHmac } from 'node:crypto';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import {
  readLine,
  type KnownHosts,
  type KnownHostsEntry,
  type UnreadableLine,
} from '../../shared/boxes/known-hosts/entry.ts';
import type { KnownLine } from '../../shared/boxes/known-hosts/judge-host-key.ts';
import {
  lookupNames,
  matchesHost,
  type LookupNames,
} from '../../shared/boxes/known-hosts/match-host.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { expandHome } from '../ssh/expand-home.ts';
import type { HostKeyLookup, KnownElsewhere } from '../ssh/host-key-store.ts';
import { errnoOf } from '../storage/file-problem.ts';

/** A file that the system's ssh reads too. */
export interface KnownHostsFile {
  readonly path: string;
  /** As a person would write it. */
  readonly shown: string;
}

/** Some 60 000 hosts. What is larger is no known_hosts file, and reading it would hold up every connection. */
const MAX_BYTES = 16 * 1024 * 1024;

/** So many lines are read or compared before other work gets its turn: about two milliseconds. */
const SLICE = 500;

/** Of more lines that say nothing, the first are named: enough to find what went wrong with the file. */
const MAX_NAMED_LINES = 5;

/** The files that ssh reads, in its order (ssh_config(5)). */
export interface KnownHostsFiles {
  /** UserKnownHostsFile. */
  readonly user: readonly KnownHostsFile[];
  /** GlobalKnownHostsFile. */
  readonly system: readonly KnownHostsFile[];
}

/** The files that ssh reads where nothing else is said. */
export function usualKnownHostsFiles(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): KnownHostsFiles {
  const folder =
    platform === 'win32' ? join(env['ProgramData'] ?? 'C:\\ProgramData', 'ssh') : '/etc/ssh';
  return {
    user: ['known_hosts', 'known_hosts2'].map((name) => ({
      path: join(homedir(), '.ssh', name),
      shown: `~/.ssh/${name}`,
    })),
    system: ['ssh_known_hosts', 'ssh_known_hosts2'].map((name) => ({
      path: join(folder, name),
      shown: join(folder, name),
    })),
  };
}

/** Looks machines up in the person's own known_hosts files. They are only read, never written. */
export function openKnownHosts(
  usual: KnownHostsFiles,
): (lookup: HostKeyLookup) => Promise<KnownElsewhere> {
  const read = new Map<string, Cached>();

  return async ({ address: { host, port }, hostKeyAlias, knownHostsFiles }) => {
    const names = lookupNames(host, port, hostKeyAlias);
    const named = knownHostsFiles.map((file) => ({ path: expandHome(file), shown: file }));
    const files = [...(named.length > 0 ? named : usual.user), ...usual.system];
    const lines: KnownLine[] = [];
    const problems: Problem[] = [];
    for (const file of files) {
      const content = await readCached(read, file);
      if (!content.ok) {
        problems.push(content.error);
        continue;
      }
      const { entries, unreadable } = content.value;
      lines.push(...(await find(entries, file, names)));
      if (unreadable.length > 0) problems.push(passedOver(file, unreadable));
    }
    return { lines, problems };
  };
}

interface Cached {
  readonly version: string;
  readonly content: KnownHosts;
}

/** Read anew whenever the file is another than the last time. */
async function readCached(
  cache: Map<string, Cached>,
  { path, shown }: KnownHostsFile,
): Promise<Result<KnownHosts, Problem>> {
  // ssh would look in whichever folder it was started from.
  if (!isAbsolute(path)) return err(unreadable(shown, 'it is no whole path'));
  try {
    const handle = await open(path, 'r');
    try {
      const { size, mtimeNs, ctimeNs, ino } = await handle.stat({ bigint: true });
      if (size > MAX_BYTES) return err(unreadable(shown, 'it is larger than 16 MiB'));
      const version = [size, mtimeNs, ctimeNs, ino].join(' ');
      const known = cache.get(path);
      if (known?.version === version) return ok(known.content);
      // Bytes outside ASCII stay what they are: in a name they match nothing, and a key has none.
      const content = await parse(await handle.readFile('latin1'));
      cache.set(path, { version, content });
      return ok(content);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return ok(EMPTY);
    return err(unreadable(shown, `this machine answered ${errno}`));
  }
}

const EMPTY: KnownHosts = { entries: [], unreadable: [] };

async function parse(text: string): Promise<KnownHosts> {
  const entries: KnownHostsEntry[] = [];
  const unreadable: UnreadableLine[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const found = readLine(line, index + 1);
    if (found !== null && 'because' in found) unreadable.push(found);
    else if (found !== null) entries.push(found);
    if (index % SLICE === SLICE - 1) await yieldToOthers();
  }
  return { entries, unreadable };
}

async function find(
  entries: readonly KnownHostsEntry[],
  { shown }: KnownHostsFile,
  { exact, withoutPort }: LookupNames,
): Promise<KnownLine[]> {
  const found: KnownLine[] = [];
  for (const [index, { hosts, line, marker, type, publicKey }] of entries.entries()) {
    const isExact = matchesHost(hosts, exact, hmacSha1);
    const fits = isExact || (withoutPort !== null && matchesHost(hosts, withoutPort, hmacSha1));
    if (fits) found.push({ place: { file: shown, line }, marker, type, publicKey, isExact });
    if (index % SLICE === SLICE - 1) await yieldToOthers();
  }
  return found;
}

function hmacSha1(salt: string, text: string): string {
  return createHmac('sha1', Buffer.from(salt, 'base64')).update(text).digest('base64');
}

function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function unreadable(shown: string, because: string): Problem {
  return problem(
    'known-hosts-unreadable',
    `Your ${shown} was not read, because ${because}. What it trusts or revokes does not count here.`,
  );
}

/** ssh passes over these lines too, and says so only with -v: a key that was pasted in two lines is never found. */
function passedOver({ shown }: KnownHostsFile, lines: readonly UnreadableLine[]): Problem {
  const named = lines
    .slice(0, MAX_NAMED_LINES)
    .map(({ line, because }) => `line ${line}: ${because}`)
    .join('; ');
  const more = lines.length > MAX_NAMED_LINES ? `; and ${lines.length - MAX_NAMED_LINES} more` : '';
  const what = lines.length === 1 ? '1 line says nothing' : `${lines.length} lines say nothing`;
  return problem(
    'known-hosts-unreadable',
    `In your ${shown}, ${what} to ssh or Leasehold (${named}${more}). What such a line should trust or revoke does not count.`,
    { nextStep: 'Mend or remove the line, then connect again.' },
  );
}
