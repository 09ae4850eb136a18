import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endingLooks } from './looks/endings.ts';
import { falseStarts } from './looks/false-starts.ts';
import { lastWords, survivedWords } from './looks/last-words.ts';
import { logLooks } from './looks/logs.ts';
import { machineLooks } from './looks/machine.ts';
import { podAndStackLooks } from './looks/pods-and-stacks.ts';
import { savingLooks } from './looks/saving.ts';
import { scriptLooks } from './looks/scripts.ts';
import { waiterLooks } from './looks/waiters.ts';
import { placeLooks } from './looks/places.ts';
import { platformDisks } from './looks/platform-disks.ts';
import { runsToldApart } from './looks/runs-told-apart.ts';
import { GIB, HOUR_S, nothing, says, silence, TRAINS, WAITS } from './looks/words.ts';
import type { LookIncident } from './runs/run-incident.ts';

export const patrolLooks: readonly LookIncident[] = [
  ...platformDisks,
  ...logLooks,
  ...endingLooks,
  ...machineLooks,
  ...waiterLooks,
  ...lastWords,
  ...survivedWords,
  ...placeLooks,
  ...runsToldApart,
  ...falseStarts,
  ...savingLooks,
  ...podAndStackLooks,
  ...scriptLooks,
  {
    id: 'U6',
    label: 'found',
    what: 'the disk on which a run saves is full',
    needs: 'mounts',
    run: {
      ...WAITS,
      disk: 'few-bytes',
      script: `head -c 900000 /dev/zero >"$work/step-1.pt.tmp" 2>/dev/null; ${TRAINS}`,
    },
    happens: nothing,
  },
  {
    id: 'U6',
    label: 'found',
    what: 'a save failed for want of space, and the run goes on',
    run: WAITS,
    happens: says("OSError: [Errno 28] No space left on device: 'step-12.pt'"),
  },
  {
    id: 'U6',
    label: 'clear',
    what: 'a small disk with room',
    needs: 'mounts',
    run: { ...WAITS, disk: 'few-bytes' },
    happens: nothing,
  },
  {
    id: 'U6',
    label: 'clear',
    what: 'a log that speaks of space and of nothing that failed',
    run: WAITS,
    happens: says('No space left to explore: search space of 12 trials is done, 3 best kept'),
  },
  {
    id: 'U6',
    label: 'unknown',
    what: 'the box tells of no mounts',
    run: WAITS,
    happens: (box) => {
      box.hideMounts();
      return Promise.resolve();
    },
  },

  {
    id: 'U7',
    label: 'found',
    what: 'the disk has bytes and no inodes',
    needs: 'mounts',
    run: {
      disk: 'few-inodes',
      script: `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do touch "$work/image-$i.png" 2>/dev/null || break; done; ${TRAINS}`,
    },
    happens: nothing,
  },
  {
    id: 'U7',
    label: 'clear',
    what: 'half of the inodes are left',
    needs: 'mounts',
    run: {
      disk: 'few-inodes',
      script: `for i in 1 2 3 4; do touch "$work/image-$i.png"; done; ${TRAINS}`,
    },
    happens: nothing,
  },
  {
    id: 'U7',
    label: 'unknown',
    what: 'the box tells of no mounts',
    run: WAITS,
    happens: (box) => {
      box.hideMounts();
      return Promise.resolve();
    },
  },

  {
    id: 'U9',
    label: 'found',
    what: 'the kernel ended a worker since the last look',
    run: WAITS,
    happens: (box) => {
      box.countMemoryKills(3);
      return Promise.resolve();
    },
  },
  {
    id: 'U9',
    label: 'found',
    what: '96 % of the limit are used',
    run: WAITS,
    happens: (box) => {
      box.useMemory(30.8 * GIB);
      return Promise.resolve();
    },
  },
  {
    id: 'U9',
    label: 'clear',
    what: '80 % of the limit',
    run: WAITS,
    happens: (box) => {
      box.useMemory(25.6 * GIB);
      return Promise.resolve();
    },
  },
  {
    id: 'U9',
    label: 'clear',
    what: 'a counter that stood at two before',
    run: WAITS,
    happens: nothing,
  },
  {
    id: 'U9',
    label: 'unknown',
    what: 'no control group, and the host tells nothing',
    run: WAITS,
    happens: (box) => {
      box.hideMemory();
      return Promise.resolve();
    },
  },

  {
    id: 'U16',
    label: 'found',
    what: 'three loops wait for markers of runs that are over',
    also: ['U3'],
    agedS: HOUR_S,
    run: WAITS,
    happens: async (box) => {
      for (const cell of ['a', 'b', 'c'])
        await box.startBeside(`while [ ! -e /nowhere/${cell}.done ]; do sleep 600; done`);
      await box.signal('SIGKILL');
    },
  },
  {
    id: 'U16',
    label: 'clear',
    what: 'one loop waits for the run that is there',
    agedS: HOUR_S,
    run: WAITS,
    happens: async (box) => {
      await box.startBeside(`while kill -0 ${String(box.pid)}; do sleep 600; done`);
    },
  },
  {
    id: 'U16',
    label: 'unknown',
    what: 'the box shows no processes',
    also: ['GEN8'],
    agedS: HOUR_S,
    run: WAITS,
    happens: (box) => {
      box.hideProcesses();
      return Promise.resolve();
    },
  },

  {
    id: 'U35',
    label: 'found',
    what: 'the tracker says that it is disabled',
    run: { ...WAITS, env: { WANDB_MODE: 'offline' } },
    happens: says('wandb: ERROR Disabled WandB due to initialization error'),
  },
  {
    id: 'U35',
    label: 'clear',
    what: 'it began to sync',
    run: {
      ...WAITS,
      env: { WANDB_MODE: 'online' },
      script: `echo "wandb: Syncing run golden-lion-7"; ${TRAINS}`,
    },
    agedS: HOUR_S,
    happens: nothing,
  },
  {
    id: 'U35',
    label: 'clear',
    what: 'nobody asked for a tracker',
    run: WAITS,
    agedS: HOUR_S,
    happens: nothing,
  },
  {
    id: 'U35',
    label: 'unknown',
    what: 'it began a moment ago',
    run: { ...WAITS, env: { WANDB_MODE: 'online' } },
    happens: nothing,
  },

  {
    id: 'U43',
    label: 'found',
    what: 'the log is silent for half an hour, and checkpoints are written',
    agedS: HOUR_S,
    run: WAITS,
    happens: (box) => {
      silence(box, 1800);
      writeFileSync(join(box.work, 'step-9.pt'), 'weights');
      return Promise.resolve();
    },
  },
  {
    id: 'U43',
    label: 'clear',
    what: 'it speaks each minute',
    agedS: HOUR_S,
    run: WAITS,
    happens: (box) => {
      silence(box, 50);
      return Promise.resolve();
    },
  },
  {
    id: 'U43',
    label: 'clear',
    what: 'it is told to print each line at once, and has none',
    agedS: HOUR_S,
    run: { ...WAITS, env: { PYTHONUNBUFFERED: '1' } },
    happens: (box) => {
      silence(box, 1800);
      writeFileSync(join(box.work, 'step-9.pt'), 'weights');
      return Promise.resolve();
    },
  },
  {
    id: 'U43',
    label: 'unknown',
    what: 'silent for half an hour, and nothing else moves',
    agedS: HOUR_S,
    run: WAITS,
    happens: (box) => {
      silence(box, 1800);
      return Promise.resolve();
    },
  },

  {
    id: 'GS2',
    label: 'found',
    what: 'an hour-long run goes through the accelerator',
    agedS: HOUR_S,
    run: { ...WAITS, env: { https_proxy: 'http://turbo.gpushare.com:30000' } },
    happens: nothing,
  },
  {
    id: 'GS2',
    label: 'clear',
    what: 'a proxy of the person’s own',
    agedS: HOUR_S,
    run: { ...WAITS, env: { https_proxy: 'http://proxy.example:3128' } },
    happens: nothing,
  },
  {
    id: 'GS2',
    label: 'clear',
    what: 'a download that has just begun',
    run: { ...WAITS, env: { http_proxy: 'http://turbo2.gpushare.com:30000' } },
    happens: nothing,
  },
  {
    id: 'GS2',
    label: 'unknown',
    what: 'the box shows no processes',
    also: ['GEN8'],
    run: WAITS,
    happens: (box) => {
      box.hideProcesses();
      return Promise.resolve();
    },
  },
];
