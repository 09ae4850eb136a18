import { realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { isSqliteError } from '../storage/connection.ts';
import { usualDataFolder } from '../storage/data-folder.ts';
import { prepareFolder } from '../storage/folder.ts';
import { holdAgain } from '../storage/hold-again.ts';
import type { Holding } from '../storage/hold-file.ts';
import { sha256 } from '../storage/sha256.ts';
import { nearestFolder } from './apart.ts';
import { notWritten } from './fetch-file.ts';
import { idOf } from './folder-id.ts';

const TARGETS = 'pulling';

/**
 * Where it is kept which folders here pulls are under way to: in the usual data folder of who is logged in, also where another one is in use, so that
 * two of them see each other's pulls. Where nothing can be written there, in the one in use.
 */
export function targetsOf(
  folder: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): string {
  const usual = join(usualDataFolder(env, platform), TARGETS);
  return prepareFolder(usual, NOT_BROUGHT) === null ? usual : join(folder, TARGETS);
}

const NOT_BROUGHT = 'The results were not brought home';

/**
 * Keeps a folder of this computer for one pull, of whichever box and by whichever process, with all that lies in it. Two of them would write
 * into one part: what the first has proven and named, the second would still be writing to.
 */
export async function holdTarget(
  targets: string,
  to: string,
): Promise<Result<() => void, Problem>> {
  const fault = prepareFolder(targets, NOT_BROUGHT);
  if (fault !== null) return err(fault);
  const held: (() => void)[] = [];
  const release = (): void => {
    for (const each of held) each();
  };
  try {
    // It need not be there, and may have several names.
    const near = await nearestFolder(to);
    const place = join(await realpath(near), relative(near, to));
    for (const folder of withAbove(place)) {
      // Several pulls may be below one folder, and none then into that.
      const holding = folder === place ? 'alone' : 'with others';
      for (const name of await namesOf(folder)) {
        const one = holdWhereLocks(join(targets, sha256(name).slice(0, 32)), holding);
        if (one === null) {
          release();
          return err(taken(folder === place ? `${to} or a folder in it` : folder));
        }
        held.push(one);
      }
    }
    return ok(release);
  } catch (cause) {
    release();
    if (!isSqliteError(cause)) return err(notWritten(cause, to));
    const said = `The results were not brought home, because it cannot be told whether another pull is at ${to}.`;
    return err(problem('results-not-pulled', said, { detail: `${cause.code}: ${cause.message}` }));
  }
}

/** As SQLite tells of a disk without locks. */
const NO_LOCKS: ReadonlySet<string> = new Set([
  'SQLITE_IOERR_LOCK',
  'SQLITE_NOLFS',
  'SQLITE_PROTOCOL',
]);

function holdWhereLocks(file: string, holding: Holding): (() => void) | null {
  try {
    return holdAgain(file, holding);
  } catch (cause) {
    if (isSqliteError(cause) && NO_LOCKS.has(cause.code)) return () => undefined;
    throw cause;
  }
}

/** Its path, and where it is there its number, which it has by whatever name it is mounted. */
async function namesOf(folder: string): Promise<readonly string[]> {
  const id = await idOf(folder);
  return id === null ? [folder] : [folder, `${id.device}:${id.inode}`];
}

/** A folder, and each that it lies in. */
const withAbove = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...withAbove(dirname(folder))];

const taken = (where: string): Problem =>
  problem('target-taken', `Another pull is bringing results into ${where}.`);
