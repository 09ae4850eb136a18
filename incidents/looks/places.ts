// Where runs save, what they hang off, what they are told, and boxes that are forgotten.
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunBox } from '../runs/run-box.ts';
import type { LookIncident } from '../runs/run-incident.ts';
import { at, endsSaying, HOUR_S, hidesMounts, nothing, says, TRAINS, WAITS } from './words.ts';

const SAVES = { script: `head -c 9000 /dev/zero >"$work/step-1.pt"; ${TRAINS}` } as const;
const hidesProcesses = at((box) => box.hideProcesses());
/** The question for what it has written has no end. */
const filesHang = at((box) => box.doesNotReturn('find', 'work'));

/** So full is the root. */
const rootWith = (freeBlocks: number) =>
  at((box) =>
    box.has(
      'stat',
      `case "$*" in *-f*) echo "4096 1000 ${String(freeBlocks)} ${String(freeBlocks)} 1000 900 /" ;; *) exec /usr/bin/stat "$@" ;; esac`,
    ),
  );

/** Process 1 was given this. */
const podHas = (environ: string) => (box: RunBox) => {
  box.forgets('proc/1');
  box.tells('proc/1/stat', `1 (init) S 0 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0\n`);
  box.tells('proc/1/environ', environ);
};
const WANTS_KEY = says('wandb: ERROR No API key configured. Use `wandb login` to log in.');

const CARD = 'proc/driver/nvidia/gpus/0000:3b:00.0/information';
const QUEUE = {
  script: `printf 'echo begins\\nsleep 600 & wait\\n' >"$work/queue.sh"; touch -d "2 hours ago" "$work/queue.sh"; bash "$work/queue.sh" & ${TRAINS}`,
} as const;
const KEY = ['sk', 'aB3dE5fG7hJ9kL1mN3pQ5r'].join('-');
const RESTART = '[default] Worker group FAILED. 2/3 attempts left; will restart worker group';
const longAgo = { remembered: { workedAgoMs: 5 * HOUR_S * 1000 } } as const;

export const placeLooks: readonly LookIncident[] = [
  {
    id: 'CN1',
    label: 'found',
    what: 'checkpoints on the system disk',
    platform: 'gpushare',
    run: SAVES,
    happens: nothing,
  },
  {
    id: 'CN1',
    label: 'clear',
    what: 'the same where the system disk stays',
    platform: 'autodl',
    run: SAVES,
    happens: nothing,
  },
  {
    id: 'CN1',
    label: 'unknown',
    what: 'the box tells of no mounts',
    platform: 'gpushare',
    run: SAVES,
    happens: hidesMounts,
  },
  {
    id: 'NB4',
    label: 'found',
    what: 'checkpoints outside of the Drive',
    platform: 'colab',
    run: SAVES,
    happens: nothing,
  },
  {
    id: 'NB4',
    label: 'clear',
    what: 'nothing is saved',
    platform: 'colab',
    run: WAITS,
    happens: nothing,
  },
  {
    id: 'NB4',
    label: 'unknown',
    what: 'what was written cannot be looked for',
    platform: 'colab',
    run: WAITS,
    happens: filesHang,
  },
  {
    id: 'SLURM5',
    label: 'found',
    what: 'checkpoints in /tmp of the node',
    platform: 'slurm',
    run: SAVES,
    happens: nothing,
  },
  {
    id: 'SLURM5',
    label: 'clear',
    what: 'nothing is saved',
    platform: 'slurm',
    run: WAITS,
    happens: nothing,
  },
  {
    id: 'SLURM5',
    label: 'unknown',
    what: 'what was written cannot be looked for',
    platform: 'slurm',
    run: WAITS,
    happens: filesHang,
  },

  {
    id: 'VAST10',
    label: 'found',
    what: 'nine tenths of a container disk',
    platform: 'vastai',
    run: WAITS,
    happens: rootWith(100),
  },
  {
    id: 'VAST10',
    label: 'clear',
    what: 'half of one',
    platform: 'vastai',
    run: WAITS,
    happens: rootWith(500),
  },
  {
    id: 'VAST10',
    label: 'unknown',
    what: 'the box tells of no mounts',
    platform: 'vastai',
    run: WAITS,
    happens: hidesMounts,
  },
  {
    id: 'GS3',
    label: 'found',
    what: 'a run that uses the netdisk that is not there',
    platform: 'gpushare',
    run: { script: `: /hy-netdisk/out; ${TRAINS}` },
    happens: nothing,
  },
  {
    id: 'GS3',
    label: 'clear',
    what: 'a run that does not',
    platform: 'gpushare',
    run: WAITS,
    happens: nothing,
  },
  {
    id: 'GS3',
    label: 'unknown',
    what: 'the box tells of no mounts',
    platform: 'gpushare',
    run: WAITS,
    happens: hidesMounts,
  },

  {
    id: 'GEN2',
    label: 'found',
    what: 'a run below a login, with its terminal',
    agedS: HOUR_S,
    run: {
      how: 'terminal',
      script: `cp "$(command -v bash)" "$work/sshd"; "$work/sshd" -c 'sh -c "echo begins; sleep 600; :" >"$work/inner.log" 2>&1; :' & ${TRAINS}`,
    },
    happens: nothing,
  },
  {
    id: 'GEN2',
    label: 'clear',
    what: 'a run without a terminal',
    agedS: HOUR_S,
    run: WAITS,
    happens: nothing,
  },
  {
    id: 'GEN2',
    label: 'unknown',
    what: 'a terminal of nobody who is seen',
    agedS: HOUR_S,
    run: { ...WAITS, how: 'terminal' },
    happens: nothing,
  },

  {
    id: 'U34',
    label: 'found',
    what: 'a key in a command',
    run: { script: `: --api-key ${KEY}; ${TRAINS}` },
    happens: nothing,
  },
  {
    id: 'U34',
    label: 'clear',
    what: 'an option that sounds like it',
    run: { script: `: --stop_token 5 --tokenizer llama-3-8b-instruct; ${TRAINS}` },
    happens: nothing,
  },
  {
    id: 'U34',
    label: 'unknown',
    what: 'the box shows no processes',
    also: ['GEN8'],
    run: WAITS,
    happens: hidesProcesses,
  },

  {
    id: 'U2',
    label: 'found',
    what: 'a script is written in its place while it runs',
    run: QUEUE,
    happens: at((box) => {
      const path = join(box.work, 'queue.sh');
      writeFileSync(path, 'echo something else\n');
      const later = Date.now() / 1000 + 60;
      utimesSync(path, later, later);
    }),
  },
  { id: 'U2', label: 'clear', what: 'a script that nobody touches', run: QUEUE, happens: nothing },
  {
    id: 'U2',
    label: 'unknown',
    what: 'a script on a server that went away',
    run: QUEUE,
    happens: at((box) => box.doesNotReturn('stat', 'fd/255')),
  },

  {
    id: 'MN5',
    label: 'found',
    what: 'workers begin again at their first step',
    run: WAITS,
    happens: says(RESTART, 'step 0 loss 9.9'),
  },
  {
    id: 'MN5',
    label: 'clear',
    what: 'workers go on at their checkpoint',
    run: WAITS,
    happens: says(RESTART, 'epoch 3 step 1100 loss 2.2'),
  },
  {
    id: 'MN5',
    label: 'unknown',
    what: 'how far it was is too far up',
    run: WAITS,
    happens: says('x'.repeat(7000), RESTART, 'step 0 loss 9.9'),
  },

  {
    id: 'GEN1',
    label: 'found',
    what: 'nothing has run for five hours',
    also: ['U3'],
    ...longAgo,
    run: WAITS,
    happens: endsSaying(),
  },
  {
    id: 'GEN1',
    label: 'clear',
    what: 'a run that has just ended',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying(),
  },
  {
    id: 'GEN1',
    label: 'unknown',
    what: 'the box shows no processes',
    also: ['GEN8'],
    ...longAgo,
    run: WAITS,
    happens: hidesProcesses,
  },

  {
    id: 'RP1',
    label: 'found',
    what: 'a Pod whose card is not there any more',
    platform: 'runpod',
    prepare: (box) => box.tells(CARD, 'Model: H100\n'),
    run: WAITS,
    happens: at((box) => box.forgets('proc/driver')),
  },
  {
    id: 'RP1',
    label: 'clear',
    what: 'a Pod with its card',
    platform: 'runpod',
    prepare: (box) => box.tells(CARD, 'Model: H100\n'),
    run: WAITS,
    happens: nothing,
  },
  {
    id: 'RP1',
    label: 'unknown',
    what: 'a Pod that an older Leasehold looked at',
    platform: 'runpod',
    remembered: { cards: null },
    run: WAITS,
    happens: nothing,
  },

  {
    id: 'RP12',
    label: 'found',
    what: 'a key that only process 1 was given',
    also: ['U35'],
    platform: 'runpod',
    prepare: podHas('WANDB_API_KEY=x\0'),
    run: WAITS,
    happens: WANTS_KEY,
  },
  {
    id: 'RP12',
    label: 'clear',
    what: 'a key that nobody was given',
    also: ['U35'],
    platform: 'runpod',
    prepare: podHas('A=b\0'),
    run: WAITS,
    happens: WANTS_KEY,
  },
  {
    id: 'RP12',
    label: 'unknown',
    what: 'a process 1 that may not be read',
    also: ['U35'],
    platform: 'runpod',
    prepare: (box) => box.forgets('proc/1'),
    run: WAITS,
    happens: WANTS_KEY,
  },

  {
    id: 'PS13',
    label: 'found',
    what: 'a run that is gone',
    also: ['U3'],
    platform: 'paperspace',
    run: WAITS,
    happens: endsSaying('step 1201'),
  },
  {
    id: 'PS13',
    label: 'clear',
    what: 'a machine on which all is well',
    platform: 'paperspace',
    run: WAITS,
    happens: nothing,
  },
  {
    id: 'PS13',
    label: 'unknown',
    what: 'the box shows no processes',
    also: ['GEN8'],
    platform: 'paperspace',
    run: WAITS,
    happens: hidesProcesses,
  },
];
