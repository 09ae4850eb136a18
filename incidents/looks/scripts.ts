// Scripts that a shell reads while it runs them: real ones, which somebody writes to or takes the name of.
import { chmodSync, copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunBox } from '../runs/run-box.ts';
import type { LookIncident } from '../runs/run-incident.ts';
import { at, HOUR_S, nothing, TRAINS } from './words.ts';

const TEXT = 'echo cell 1\nsleep 1000 & wait\necho cell 2\n';
const NEXT = 'echo another cell\nsleep 2000 & wait\necho and one more\n';
const fileOf = (box: RunBox, name = 'queue.sh'): string => join(box.work, name);

/** A queue that a bash began an hour ago. */
const queued = (words: string) => ({
  id: 'U2' as const,
  agedS: HOUR_S,
  run: {
    script: `printf '${TEXT.replaceAll('\n', '\\n')}' >"$work/queue.sh"; chmod +x "$work/queue.sh"; touch -d '2 hours ago' "$work/queue.sh"; ${words} & ${TRAINS}`,
  },
});
const BY_BASH = 'bash "$work/queue.sh"';

export const scriptLooks: readonly LookIncident[] = [
  {
    ...queued(BY_BASH),
    label: 'found',
    what: 'an upload writes another text into it',
    happens: at((box) => writeFileSync(fileOf(box), NEXT)),
  },
  {
    ...queued('env -i /bin/bash -eu "$work/queue.sh"'),
    label: 'found',
    what: 'an editor writes one more line at its top',
    happens: at((box) => writeFileSync(fileOf(box), `export SEED=7\n${TEXT}`)),
  },
  {
    ...queued(BY_BASH),
    label: 'clear',
    what: 'a new file takes its name, as rsync and git do it',
    happens: at((box) => {
      writeFileSync(fileOf(box, '.queue.sh.x7'), NEXT);
      renameSync(fileOf(box, '.queue.sh.x7'), fileOf(box));
    }),
  },
  {
    ...queued(BY_BASH),
    label: 'clear',
    what: 'an editor keeps the old one under another name, and writes a new one',
    happens: at((box) => {
      renameSync(fileOf(box), fileOf(box, 'queue.sh~'));
      writeFileSync(fileOf(box), NEXT);
    }),
  },
  {
    ...queued(BY_BASH),
    label: 'clear',
    what: 'nobody writes to it, but its rights change, and another is made from it',
    happens: at((box) => {
      chmodSync(fileOf(box), 0o700);
      copyFileSync(fileOf(box), fileOf(box, 'queue-2.sh'));
    }),
  },
  {
    ...queued(`bash -c ". '$work/queue.sh'"`),
    label: 'clear',
    what: 'a shell that has read all of it at once, and another text in its place',
    happens: at((box) => writeFileSync(fileOf(box), NEXT)),
  },
  { ...queued(BY_BASH), label: 'clear', what: 'a queue that goes on', happens: nothing },
];
