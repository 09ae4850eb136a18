// What waits on a box for something else: real loops and tails.
import { rmSync } from 'node:fs';
import type { LookIncident } from '../runs/run-incident.ts';
import { HOUR_S, WAITS } from './words.ts';

export const waiterLooks: readonly LookIncident[] = [
  {
    id: 'U16',
    label: 'found',
    what: 'three tails follow logs of runs of yesterday',
    agedS: HOUR_S,
    run: WAITS,
    happens: async (box) => {
      for (const name of ['a', 'b', 'c']) {
        await box.startBeside(
          `echo done >"$PWD/${name}.log"; touch -d yesterday "$PWD/${name}.log"; exec tail -f "$PWD/${name}.log"`,
        );
      }
    },
  },
  {
    id: 'U16',
    label: 'found',
    what: 'two wait for processes that are gone',
    agedS: HOUR_S,
    run: WAITS,
    happens: async (box) => {
      for (const seconds of [600, 700]) {
        await box.startBeside(
          `while kill -0 999999 2>/dev/null || [ -n "$0" ]; do sleep ${String(seconds)}; done`,
        );
      }
    },
  },
  {
    id: 'U16',
    label: 'clear',
    what: 'an editor follows logs of its own, and others those of the machine',
    agedS: HOUR_S,
    run: WAITS,
    happens: async (box) => {
      await box.startBeside(
        'mkdir -p "$PWD/.vscode-server/data/logs"; : >"$PWD/.vscode-server/data/logs/a.log"; touch -d yesterday "$PWD/.vscode-server/data/logs/a.log"; exec tail -f "$PWD/.vscode-server/data/logs/a.log"',
      );
      await box.startBeside('exec tail -f /dev/null');
      await box.startBeside('exec tail -F /var/log/dpkg.log');
      await box.startBeside('exec tail -F /var/log/alternatives.log');
    },
  },
  {
    id: 'U16',
    label: 'clear',
    what: 'tails of logs that a program writes by itself, not by its output',
    agedS: HOUR_S,
    run: WAITS,
    happens: async (box) => {
      for (const name of ['a', 'b']) {
        await box.startBeside(
          `exec 5>"$PWD/${name}.log"; touch -d yesterday "$PWD/${name}.log"; sleep 1000`,
        );
        await box.startBeside(
          `until [ -e "$PWD/${name}.log" ]; do :; done; exec tail -f "$PWD/${name}.log"`,
        );
      }
    },
  },
  {
    id: 'U16',
    label: 'clear',
    what: 'two loops that look after the box for as long as it is up, and no run',
    also: ['U3'],
    agedS: HOUR_S,
    run: WAITS,
    happens: async (box) => {
      await box.startBeside('while true; do [ -d /data ] && : backup; sleep 600; done');
      await box.startBeside('while :; do if [ -e /data/stop ]; then : sync; fi; sleep 600; done');
      await box.signal('SIGKILL');
      rmSync(box.log);
    },
  },
];
