import type { KnownLine } from '../../shared/boxes/known-hosts/judge-host-key.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { Listing } from '../storage/rows.ts';
import type { OfferedHostKey, PastHostKey, StoredHostKey, Trust } from './host-key.ts';

/** As which machine known_hosts files are asked, and which of them: what OpenSSH knows of a host before it dials. */
export interface HostKeyLookup {
  readonly address: Trust['address'];
  /** HostKeyAlias: looked up in place of the address, which then says nothing. */
  readonly hostKeyAlias: string | null;
  /** UserKnownHostsFile: read in place of the person's usual files. Empty: those. */
  readonly knownHostsFiles: readonly string[];
}

/** What the person's own known_hosts files say about a machine, and what in them could not be read. */
export interface KnownElsewhere {
  readonly lines: readonly KnownLine[];
  readonly problems: readonly Problem[];
}

/**
 * The host keys that are trusted, of any machine: a box, or a hop on the way to one. A machine is named by an id that
 * stays the same when its name or address changes.
 */
export interface HostKeyStore {
  /** SECURITY: null says that none was ever trusted. A key that cannot be read is a problem, never null. */
  current(machineId: string): Result<StoredHostKey | null, Problem>;
  /** Makes this the one key of the machine; the one before it is kept as history. */
  store(machineId: string, key: OfferedHostKey, atMs: number, trust: Trust): Result<null, Problem>;
  /** The machine has proved that it has its current key, at this address. */
  seen(machineId: string, atMs: number, address: Trust['address']): Result<null, Problem>;
  /** Newest first. */
  history(machineId: string): Result<Listing<PastHostKey>, Problem>;
  /** What the person's known_hosts files say about a machine. */
  knownElsewhere(lookup: HostKeyLookup): Promise<KnownElsewhere>;
}
