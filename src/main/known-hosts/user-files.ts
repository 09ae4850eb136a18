import { createHmac } from 'node:crypto';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readLine, type KnownHostsEntry } from '../../shared/boxes/known-hosts/entry.ts';
import type { KnownLine } from '../../shared/boxes/known-hosts/judge-host-key.ts';
import { lookupNames, matchesHost } from '../../shared/boxes/known-hosts/match-host.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { KnownElsewhere } from '../ssh/host-key-store.ts';
import type { Trust } from '../ssh/host-key.ts';
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

/** The files that ssh reads by default, in its order (ssh_config(5): UserKnownHostsFile, GlobalKnownHostsFile). */
export function usualKnownHostsFiles(
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): readonly KnownHostsFile[] {
  const system =
    platform === 'win32' ? join(env['ProgramData'] ?? 'C:\\ProgramData', 'ssh') : '/etc/ssh';
  return [
    ...['known_hosts', 'known_hosts2'].map((name) => ({
      path: join(homedir(), '.ssh', name),
      shown: `~/.ssh/${name}`,
    })),
    ...['ssh_known_hosts', 'ssh_known_hosts2'].map((name) => ({
      path: join(system, name),
      shown: join(system, name),
    })),
  ];
}

/** Looks machines up in the person's own known_hosts files. They are only read, never written. */
export function openKnownHosts(
  files: readonly KnownHostsFile[],
): (address: Trust['address']) => Promise<KnownElsewhere> {
  const read = new Map<string, Cached>();

  return async ({ host, port }) => {
    const lines: KnownLine[] = [];
    const problems: Problem[] = [];
    for (const file of files) {
      const entries = await readCached(read, file);
      if (entries.ok) lines.push(...(await find(entries.value, file, host, port)));
      else problems.push(entries.error);
    }
    return { lines, problems };
  };
}

interface Cached {
  readonly version: string;
  readonly entries: readonly KnownHostsEntry[];
}

/** Read anew whenever the file is another than the last time. */
async function readCached(
  cache: Map<string, Cached>,
  { path, shown }: KnownHostsFile,
): Promise<Result<readonly KnownHostsEntry[], Problem>> {
  try {
    const handle = await open(path, 'r');
    try {
      const { size, mtimeNs, ctimeNs, ino } = await handle.stat({ bigint: true });
      if (size > MAX_BYTES) return err(unreadable(shown, 'it is larger than 16 MiB'));
      const version = [size, mtimeNs, ctimeNs, ino].join(' ');
      const known = cache.get(path);
      if (known?.version === version) return ok(known.entries);
      // Bytes outside ASCII stay what they are: in a name they match nothing, and a key has none.
      const entries = await parse(await handle.readFile('latin1'));
      cache.set(path, { version, entries });
      return ok(entries);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const errno = errnoOf(cause);
    if (errno === null) throw cause;
    if (errno === 'ENOENT' || errno === 'ENOTDIR') return ok([]);
    return err(unreadable(shown, `this machine answered ${errno}`));
  }
}

async function parse(text: string): Promise<readonly KnownHostsEntry[]> {
  const entries: KnownHostsEntry[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const found = readLine(line, index + 1);
    // A line that ssh passes over says nothing about any host.
    if (found !== null && !('because' in found)) entries.push(found);
    if (index % SLICE === SLICE - 1) await yieldToOthers();
  }
  return entries;
}

async function find(
  entries: readonly KnownHostsEntry[],
  { shown }: KnownHostsFile,
  host: string,
  port: number,
): Promise<KnownLine[]> {
  const { exact, withoutPort } = lookupNames(host, port);
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
