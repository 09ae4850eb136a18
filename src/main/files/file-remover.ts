import { dirname, join } from 'node:path';
import type { DeletePlan, DeleteReport, LeftFile } from '../../shared/files/delete-plan.ts';
import { isWithin, joinPath, nameOf, parentOf } from '../../shared/files/box-path.ts';
import {
  doomedResults,
  whyNotDelete,
  type DoomedResult,
  type RunRoot,
} from '../../shared/files/judge-delete.ts';
import type { PlanRef } from '../../shared/plan/plan.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ChangePass } from '../../shared/teardown/change-pass.ts';
import { PlanKeeper } from '../plan/plan-keeper.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import type { FileSessions } from './file-sessions.ts';
import { untilAborted } from '../streams/until-aborted.ts';
import { whileMarked } from '../transfer/apart.ts';
import type { HomeFault } from '../transfer/home-check.ts';
import { findRunRoots, type RunsKnown } from './run-roots.ts';
import { MAX_WALKED, walkTree, type Walked } from './walk-tree.ts';

/** Reads the copies on this computer again: those that are not what was proven. */
export type ReadCopies = (
  boxId: string,
  copies: readonly DoomedResult[],
) => Promise<Result<readonly HomeFault[], Problem>>;

interface KeptDelete {
  readonly chosen: readonly string[];
  readonly doomed: readonly Walked[];
}

/** As many as a report names; the others are counted in its sentence. */
const MAX_LEFT = 100;

/**
 * SECURITY: deletes what a plan has shown, and nothing else. What a run has left goes only where it is proven that this computer has
 * it, and what nobody knows is not deleted.
 */
export class FileRemover {
  readonly #sessions: FileSessions;
  readonly #runs: RunsKnown;
  readonly #readCopies: ReadCopies;
  readonly #plans = new PlanKeeper<KeptDelete>();

  constructor(sessions: FileSessions, runs: RunsKnown, readCopies: ReadCopies) {
    this.#sessions = sessions;
    this.#runs = runs;
    this.#readCopies = readCopies;
  }

  /** Looks at all that would go. Changes nothing. */
  plan(boxId: string, paths: readonly string[]): Promise<Result<DeletePlan, Problem>> {
    return this.#sessions.use(boxId, async (files) => {
      const chosen: string[] = [];
      const doomed: Walked[] = [];
      // What lies in another one that is chosen goes with that: a search finds both.
      const outer = paths.filter(
        (path) => !paths.some((one) => one !== path && isWithin(path, one)),
      );
      for (const path of outer) {
        const real = await placeOf(files, path);
        if (!real.ok) return real;
        const walked = await walkTree(files, real.value);
        if (!walked.ok) return walked;
        chosen.push(real.value);
        doomed.push(...walked.value);
        if (doomed.length > MAX_WALKED) return err(tooMany());
      }
      const roots = await this.#judge(boxId, files, { chosen, doomed });
      if (!roots.ok) return roots;
      const shown = { chosen, ...sumOf(doomed) };
      const kept = { chosen, doomed };
      return ok({ ...shown, plan: this.#plans.keep(boxId, kept, JSON.stringify(shown)) });
    });
  }

  /** Stopped, it leaves what is not gone yet. */
  delete(
    boxId: string,
    shown: PlanRef,
    pass: ChangePass,
    signal?: AbortSignal,
  ): Promise<Result<DeleteReport, Problem>> {
    return this.#sessions.use(boxId, (files) =>
      this.#plans.carryOut(boxId, shown, async (kept) => {
        // A run may have begun to write there since.
        const roots = await this.#judge(boxId, files, kept);
        if (!roots.ok) return roots;
        const results = doomedResults(kept.doomed, roots.value);
        if (results.length > 0) {
          const reading = this.#readCopies(boxId, results);
          const faults = await (signal === undefined ? reading : untilAborted(reading, signal));
          if (faults === null) return err(stopped());
          if (!faults.ok) return err(refusal(faults.error.message));
          const [first] = faults.value;
          if (first !== undefined) return err(refusal(faultWords(first, faults.value.length)));
          const because =
            (await whyNotApart(files, kept.doomed, results)) ??
            (await this.#whyOtherBytes(boxId, kept, roots.value));
          if (because !== null) return err(refusal(because));
          // That took its time.
          const again = await this.#judge(boxId, files, kept);
          if (!again.ok) return again;
        }
        if (signal?.aborted === true) return err(stopped());
        if (!pass.take('delete', shown.digest)) return err(pass.whyNot);
        return ok(await removeAll(files, kept.doomed, pass, signal));
      }),
    );
  }

  /** For quitting. */
  close(): void {
    this.#plans.close();
  }

  /** Of disks that do not tell each writing: whether a result there still is what came home; null: it is. */
  async #whyOtherBytes(
    boxId: string,
    { doomed }: KeptDelete,
    roots: readonly RunRoot[],
  ): Promise<string | null> {
    for (const root of roots.filter(({ proven }) => proven?.tellsWrites === false)) {
      const results = doomedResults(doomed, [root]).map(({ file }) => file);
      if (results.length === 0) continue;
      const paths = results.map(({ path }) => path);
      const hashed = await this.#runs.hash(boxId, root.path, paths);
      if (!hashed.ok) return hashed.error.message;
      const other = results.find(({ path, sha256 }) => hashed.value.get(path) !== sha256);
      if (other !== undefined) {
        return `“${other.path}” is a result of the run “${root.runName}”, and it is not proven that this computer has it as it is now.`;
      }
    }
    return null;
  }

  /** Where runs have what goes; or why it does not go. */
  async #judge(
    boxId: string,
    files: BoxFiles,
    { chosen, doomed }: KeptDelete,
  ): Promise<Result<readonly RunRoot[], Problem>> {
    const home = await files.realPath('.');
    if (!home.ok) return home;
    const held = chosen.find((path) => path === '/' || isWithin(home.value, path));
    if (held !== undefined) {
      return err(refusal('The home folder lies in it.'));
    }
    const odd = doomed.find(({ file }) => !file.hasUsableName);
    if (odd !== undefined) {
      return err(refusal(`A name in ${parentOf(odd.path) ?? '/'} is no UTF-8.`));
    }
    const roots = await findRunRoots(boxId, files, this.#runs, chosen);
    if (!roots.ok) return err(refusal(roots.error.message));
    const because = whyNotDelete(chosen, doomed, roots.value);
    return because === null ? roots : err(refusal(because));
  }
}

/**
 * SECURITY: whether a copy would go along, because its folder here is one of those on the box from which something goes; null: none would. The
 * copies were just read, so that their folders are there, with no link on the way.
 */
async function whyNotApart(
  files: BoxFiles,
  doomed: readonly Walked[],
  results: readonly DoomedResult[],
): Promise<string | null> {
  const here = new Set(results.map(({ to, file }) => dirname(join(to, ...file.path.split('/')))));
  const there = new Set(doomed.map(({ path }) => parentOf(path) ?? '/'));
  const apart = await whileMarked<null>(here, async (mark) => {
    for (const folder of there) {
      const seen = await files.stat(joinPath(folder, mark));
      if (seen.ok) return err(problem('file-not-deleted', sameFolder(folder)));
      if (seen.error.code !== 'no-such-file') return seen;
    }
    return ok(null);
  });
  return apart.ok ? null : apart.error.message;
}

const sameFolder = (folder: string): string =>
  `${folder} is the very folder in which the copies lie: they would go with it.`;

/** An entry by its whole path: every link on the way is followed, and the entry itself, which may be one, is not. */
async function placeOf(files: BoxFiles, path: string): Promise<Result<string, Problem>> {
  const parent = parentOf(path);
  if (parent === null) return ok('/');
  const name = nameOf(path);
  if (name === '.' || name === '..') return err(refusal('Its name means another folder.'));
  const real = await files.realPath(parent);
  return real.ok ? ok(joinPath(real.value, name)) : real;
}

/** What a folder holds goes before it. What is not what was shown stays, and so does the folder it is in. */
async function removeAll(
  files: BoxFiles,
  doomed: readonly Walked[],
  pass: ChangePass,
  signal?: AbortSignal,
): Promise<DeleteReport> {
  const left: LeftFile[] = [];
  let removed = 0;
  for (const each of [...doomed].reverse()) {
    const done = signal?.aborted === true ? err(stopped()) : await removeOne(files, each, pass);
    if (done.ok) removed += 1;
    else {
      if (left.length < MAX_LEFT) left.push({ path: each.path, problem: done.error });
      // Without the box there is nothing more to try, and what became of the last one is not known.
      if (ENDS_ALL.has(done.error.code)) break;
    }
  }
  return { removed, left };
}

const ENDS_ALL: ReadonlySet<string> = new Set([
  ...['link-lost', 'command-timeout', 'not-connected', 'aborted'],
]);

const stopped = (): Problem => problem('aborted', 'Deleting was stopped.');

async function removeOne(
  files: BoxFiles,
  { path, file }: Walked,
  pass: ChangePass,
): Promise<Result<null, Problem>> {
  const now = await files.stat(path);
  if (!now.ok) return now.error.code === 'no-such-file' ? ok(null) : now;
  const { kind, sizeBytes, modifiedAtMs } = now.value;
  const isSame =
    kind === file.kind &&
    (kind === 'folder' || (sizeBytes === file.sizeBytes && modifiedAtMs === file.modifiedAtMs));
  if (!isSame) return err(problem('file-changed', 'It was changed since it was shown.'));
  const removed = await files.remove(path, pass);
  if (!removed.ok) return removed;
  const after = await files.stat(path);
  if (after.ok)
    return err(problem('file-failed', 'The box says that it is deleted, and it is there.'));
  return after.error.code === 'no-such-file' ? ok(null) : after;
}

function sumOf(doomed: readonly Walked[]): Omit<DeletePlan, 'plan' | 'chosen'> {
  const plain = doomed.filter(({ file }) => file.kind === 'file');
  const folders = doomed.filter(({ file }) => file.kind === 'folder').length;
  const sizes = plain.map(({ file }) => file.sizeBytes);
  const known = sizes.filter((size) => size !== null);
  return {
    files: plain.length,
    folders,
    others: doomed.length - plain.length - folders,
    bytes: known.length === sizes.length ? known.reduce((sum, each) => sum + each, 0) : null,
  };
}

function faultWords({ path, because }: HomeFault, count: number): string {
  const more = `${String(count - 1)} more ${count === 2 ? 'copy' : 'copies'} failed the check.`;
  const others = count === 1 ? '' : ` ${more}`;
  return `“${path}” is not safe on this computer: ${because}.${others} Bring the results home again first.`;
}

function refusal(because: string): Problem {
  return problem('file-not-deleted', `Nothing was deleted. ${because}`);
}

function tooMany(): Problem {
  return problem('files-too-many', 'Together they hold more than 20 000 entries.');
}
