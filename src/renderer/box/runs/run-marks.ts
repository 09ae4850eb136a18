import type { LaunchedRun } from '../../../shared/runs/launch/launched-run.ts';
import { endOf, nameOf, statusWords, textOf } from '../../../shared/runs/launch/run-words.ts';
import { NO_EVENTS, type EventsByRun } from '../../../shared/runs/run-events.ts';
import type { EventMark } from '../overview/event-marks.ts';

const MAX_TEXT_CHARS = 200;

/** What became of the runs of a box, for the charts of its GPUs. */
export function runMarksOf(
  runs: readonly LaunchedRun[],
  events: EventsByRun,
): readonly EventMark[] {
  return runs.flatMap((run) => {
    const name = nameOf(run);
    const { checkpoints, error } = events[run.id] ?? NO_EVENTS;
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
        : [mark('first error', error.atMs, 'danger', `${name}: ${textOf(error.text)}`)]),
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
