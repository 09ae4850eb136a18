import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { LaunchedRun } from '../../shared/runs/launch/launched-run.ts';
import type { RunLook } from '../../shared/runs/launch/run-look.ts';
import { nameOf } from '../../shared/runs/launch/run-words.ts';
import { lastTurn, turnOf } from '../../shared/runs/resume/run-turn.ts';
import { rootOf, type ResultRoot } from '../../shared/transfer/result-root.ts';
import { findFolder } from '../transfer/named-folders.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { NamedBox } from './named-box.ts';

/** Where results are that a command line names: a launched run, or a folder by its whole path. */
export type FoundRoot =
  | { readonly kind: 'found'; readonly run: ResultRoot }
  | Exclude<FoundRun, { readonly kind: 'found' }>;

/** The same for a folder that no run has told of. */
export async function findRoot(
  connection: SshConnection,
  { scripts }: Pick<NamedBox, 'scripts'>,
  wanted: string,
): Promise<Result<FoundRoot, Problem>> {
  if (!/^[/~]/.test(wanted)) return findRun(connection, { scripts }, wanted);
  const found = await findFolder(connection, scripts, wanted);
  return found.ok ? ok({ kind: 'found', run: rootOf(found.value) }) : found;
}

/** Several runs may have one name, and then only an id says which is meant. */
export type FoundRun =
  | { readonly kind: 'found'; readonly run: LaunchedRun }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly ids: readonly string[] };

/** The run of that id, or else the only one of that name. */
export async function findRun(
  connection: SshConnection,
  { scripts }: Pick<NamedBox, 'scripts'>,
  wanted: string,
): Promise<Result<FoundRun, Problem>> {
  const looked = await lookAtRuns(connection, scripts);
  return looked.ok ? ok(chooseRun(looked.value, wanted)) : looked;
}

export function chooseRun({ runs }: RunLook, wanted: string): FoundRun {
  const byId = runs.find(({ id }) => id === wanted);
  if (byId !== undefined) return { kind: 'found', run: byId };
  const called = runs.filter((run) => nameOf(run) === wanted);
  const [run] = called;
  if (run === undefined) return { kind: 'none' };
  return called.length === 1
    ? { kind: 'found', run }
    : { kind: 'several', ids: called.map(({ id }) => id) };
}

/** What is said where no one run is meant. */
export function notChosen(found: Exclude<FoundRun, { kind: 'found' }>, wanted: string): string {
  return found.kind === 'none'
    ? `No launched run on the box is called ${wanted}.`
    : `Several runs are called ${wanted}; give the id of one: ${found.ids.join(', ')}.`;
}

/** The newest of the runs that go on after each other, by the id of any of them, or else by the name that only these have. */
export async function findChain(
  connection: SshConnection,
  { scripts }: Pick<NamedBox, 'scripts'>,
  wanted: string,
  kind: 'run' | 'queue',
): Promise<Result<LaunchedRun, Problem>> {
  const looked = await lookAtRuns(connection, scripts);
  if (!looked.ok) return looked;
  const { runs } = looked.value;
  const notListed = (says: string) => err(problem('run-not-listed', says));
  const called = runs.filter((run) => run.id === wanted);
  const meant = called.length > 0 ? called : runs.filter((run) => nameOf(run) === wanted);
  const fit = meant.filter(({ queue }) => kind === 'run' || queue !== undefined);
  const ids = [...new Set(fit.map((run) => turnOf(run).id))];
  const [id] = ids;
  if (id === undefined) {
    return notListed(
      meant.length > 0
        ? `${wanted} is no ${kind}.`
        : `No ${kind === 'run' ? 'launched run' : kind} on the box is called ${wanted}.`,
    );
  }
  if (ids.length > 1) {
    return notListed(
      `Several ${kind}s are called ${wanted}; give the id of one: ${ids.join(', ')}.`,
    );
  }
  const run = lastTurn(id, runs);
  return run === undefined
    ? notListed(`The box does not list the newest run of ${wanted}.`)
    : ok(run);
}
