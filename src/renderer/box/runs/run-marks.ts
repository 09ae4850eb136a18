import { create } from 'zustand';
import type { Checkpoint } from '../../../shared/runs/checkpoints/checkpoints.ts';
import type { LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';
import { endOf, nameOf, statusWords, textOf } from '../../../shared/runs/launch/run-words.ts';
import type { EventMark } from '../overview/event-marks.ts';

/** Of one run: the newest ones say how it goes, and more stand in each other's way. */
const MAX_CHECKPOINTS = 50;
const MAX_TEXT_CHARS = 200;

/** What this window saw of a run that no list of runs tells. */
interface NotedRun {
  /** When its results were listed last; the newest first. */
  readonly checkpoints: readonly Pick<Checkpoint, 'path' | 'writtenAtMs'>[];
  /** The first line of its log that told of an error while it was followed. */
  readonly error: { readonly atMs: number; readonly text: string } | null;
}

type NotedRuns = Readonly<Record<string, NotedRun>>;

const NOTHING: NotedRun = { checkpoints: [], error: null };
export const NO_NOTED_RUNS: NotedRuns = {};

/** By box and run, until the window closes. */
export const useNotedRuns = create<Readonly<Record<string, NotedRuns>>>(() => ({}));

function note(boxId: string, runId: string, part: Partial<NotedRun>): void {
  useNotedRuns.setState((all) => {
    const runs = all[boxId] ?? NO_NOTED_RUNS;
    return { [boxId]: { ...runs, [runId]: { ...(runs[runId] ?? NOTHING), ...part } } };
  });
}

export function checkpointsNoted(
  boxId: string,
  runId: string,
  checkpoints: NotedRun['checkpoints'],
): void {
  note(boxId, runId, { checkpoints: checkpoints.slice(0, MAX_CHECKPOINTS) });
}

/** Only the first one: what comes after it mostly follows from it. */
export function errorNoted(boxId: string, runId: string, text: string, atMs: number): void {
  const known = useNotedRuns.getState()[boxId]?.[runId]?.error ?? null;
  if (known === null) note(boxId, runId, { error: { atMs, text } });
}

/** What became of the runs of a box, for the charts of its GPUs. */
export function runMarksOf(runs: readonly LaunchedRun[], noted: NotedRuns): readonly EventMark[] {
  return runs.flatMap((run) => {
    const name = nameOf(run);
    const { checkpoints, error } = noted[run.id] ?? NOTHING;
    const mark = (
      kind: string,
      atMs: number,
      tone: EventMark['tone'],
      text: string,
    ): EventMark => ({
      key: `${kind} ${run.id} ${String(atMs)}`,
      atMs,
      label: kind,
      text: text.slice(0, MAX_TEXT_CHARS),
      tone,
      clue: null,
    });
    const { launchedAtMs, status } = run;
    const endMs = endOf(run);
    const words = statusWords(run, true).words;
    return [
      ...(launchedAtMs === null
        ? []
        : [mark('run begins', launchedAtMs, 'info', `${name} was launched.`)]),
      ...checkpoints.map(({ path, writtenAtMs }) =>
        mark('checkpoint', writtenAtMs, 'info', `${name} saved ${textOf(path)}`),
      ),
      ...(error === null
        ? []
        : [mark('first error', error.atMs, 'danger', `${name}: ${error.text}`)]),
      ...(endMs === null
        ? []
        : [
            mark(
              'run ends',
              endMs,
              status.kind === 'failed' ? 'danger' : 'info',
              `${name}: ${words}.`,
            ),
          ]),
    ];
  });
}
