import {
  formatKnownHosts,
  type TrustedMachine,
} from '../../shared/boxes/known-hosts/format-known-hosts.ts';
import type { Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { replaceFile, sweepTemporaries } from '../storage/atomic-file.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { readOwnText } from '../storage/own-text.ts';
import type { Listing } from '../storage/rows.ts';
import { createSerial } from '../storage/serial.ts';

export const KNOWN_HOSTS_FILE = 'known_hosts';

export interface OwnKnownHostsOptions {
  readonly file: string;
  readonly trusted: () => Result<Listing<TrustedMachine>, Problem>;
  /** The file is not what the database says; ssh would judge by an older state. */
  readonly onProblem: (problem: Problem) => void;
}

/** Leasehold's known_hosts for the system's OpenSSH. The database is the truth, and the file is written from it. */
export interface OwnKnownHosts {
  /** Writes the file if the database says something else than it does. */
  readonly update: () => void;
  /** Resolves when everything asked for so far is written, or was reported. */
  readonly settled: () => Promise<void>;
}

export function openOwnKnownHosts({
  file,
  trusted,
  onProblem,
}: OwnKnownHostsOptions): OwnKnownHosts {
  const serial = createSerial();
  return {
    update: () => {
      void serial.run(async () => {
        const written = await write(file, trusted);
        if (!written.ok) onProblem(written.error);
      });
    },
    settled: serial.settled,
  };
}

async function write(
  file: string,
  trusted: OwnKnownHostsOptions['trusted'],
): Promise<Result<null, Problem>> {
  const listed = trusted();
  if (!listed.ok) return listed;
  const text = formatKnownHosts(listed.value.rows);
  try {
    await sweepTemporaries(file);
    if ((await textOf(file)) !== text) await replaceFile(file, text);
    return ok(null);
  } catch (cause) {
    return err(
      fileProblem(cause, {
        failed: 'The known_hosts file for the system’s ssh was not written',
        file,
        otherwise: 'known-hosts-not-saved',
      }),
    );
  }
}

async function textOf(file: string): Promise<string | null> {
  try {
    return await readOwnText(file);
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') return null;
    throw cause;
  }
}
