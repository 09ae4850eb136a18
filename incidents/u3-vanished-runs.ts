import {
  appendFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RunIncident } from './runs/run-incident.ts';

const TRAINS = 'echo "epoch 3 step 1200 loss 2.114"; wait_here; ';
const TRACEBACK =
  'printf "%s\\n" "Traceback (most recent call last):" "  File \\"train.py\\", line 88, in <module>" "    main()" ';
const WAITS = { script: TRAINS } as const;

export const u3VanishedRuns: readonly RunIncident[] = [
  // Found: the cause is proven.
  {
    id: 'U3',
    label: 'found',
    cause: 'own-error',
    what: 'a traceback, and the end',
    run: { script: `${TRAINS}${TRACEBACK}"KeyError: 'lr'"; exit 1` },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'own-error',
    what: 'a traceback after three that were survived',
    run: {
      script: `for i in 1 2 3; do ${TRACEBACK}"OSError: [Errno 5] Input/output error"; echo retrying; for j in 1 2 3 4 5 6 7 8; do echo "step $j"; done; done; ${TRAINS}${TRACEBACK}"RuntimeError: CUDA error: an illegal memory access was encountered"; exit 1`,
    },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'own-error',
    what: 'a megabyte in one line before the traceback',
    run: {
      script: `${TRAINS}head -c 1000000 /dev/zero | tr "\\\\000" x; echo; ${TRACEBACK}"ValueError: too many values to unpack"; exit 1`,
    },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'own-error',
    what: 'a traceback of its own while the kernel killed somebody else for memory',
    run: { script: `${TRAINS}${TRACEBACK}"KeyError: 'model.head'"; exit 1` },
    happens: async (box) => {
      await box.goOnToItsEnd();
      box.countMemoryKills(3);
    },
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'out-of-memory',
    what: 'killed without a word, and the group’s counter rose',
    run: WAITS,
    happens: async (box) => {
      await box.signal('SIGKILL');
      box.countMemoryKills(3);
    },
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'out-of-memory',
    what: 'a shell says Killed, and the counter rose',
    run: { ...WAITS, how: 'wrapped' },
    happens: async (box) => {
      const whole = box.untilGone();
      await box.signal('SIGKILL', box.inner);
      await whole;
      box.countMemoryKills(3);
    },
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'out-of-memory',
    what: 'the kernel’s own limit of 24 MiB',
    needs: 'memory-groups',
    run: { memoryLimitMiB: 24, script: `${TRAINS}x=$(head -c 300000000 /dev/zero | tr '\\000' x)` },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'out-of-memory',
    what: 'a worker is killed and the run ends with what the loader says',
    run: {
      script: `${TRAINS}${TRACEBACK}"RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed. "; exit 1`,
    },
    happens: async (box) => {
      await box.goOnToItsEnd();
      box.countMemoryKills(3);
    },
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'disk-full',
    what: 'a save on a disk that has no bytes left',
    needs: 'mounts',
    run: {
      disk: 'few-bytes',
      script: `${TRAINS}head -c 900000 /dev/zero >"$work/step-12.pt.tmp" || exit 1`,
    },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'disk-full',
    what: 'a disk with bytes and no inodes',
    needs: 'mounts',
    run: {
      disk: 'few-inodes',
      script: `${TRAINS}for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do touch "$work/image-$i.png" || exit 1; done`,
    },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'disk-full',
    what: 'a write that failed for want of space',
    run: { script: `${TRAINS}head -c 65536 /dev/zero >/dev/full || exit 1` },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'disk-full',
    what: 'torch’s words for it',
    run: {
      script: `${TRAINS}${TRACEBACK}"RuntimeError: [enforce fail at inline_container.cc:603] . unexpected pos 1280 vs 1178"; echo "terminate called"; exit 1`,
    },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'killed',
    what: 'somebody sends TERM, and the shell says so',
    run: { ...WAITS, how: 'wrapped' },
    happens: async (box) => {
      const whole = box.untilGone();
      await box.signal('SIGTERM', box.inner);
      await whole;
    },
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'killed',
    what: 'somebody sends KILL, and no memory was short',
    run: { ...WAITS, how: 'wrapped' },
    happens: async (box) => {
      const whole = box.untilGone();
      await box.signal('SIGKILL', box.inner);
      await whole;
    },
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'killed',
    what: 'a person presses the keys that interrupt',
    run: { script: `trap '${TRACEBACK}"KeyboardInterrupt"; exit 130' INT; ${TRAINS}` },
    happens: (box) => box.signal('SIGINT'),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'hang-up',
    what: 'the terminal is closed, and torchrun says what it heard',
    run: {
      how: 'terminal',
      script: `trap 'echo "[W api.py:200] Received SIGHUP death signal, shutting down workers"; exit 1' HUP; ${TRAINS}`,
    },
    happens: (box) => box.closeTerminal(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'finished',
    what: 'a marker of its own, and the end',
    run: { script: `${TRAINS}: >"$work/DONE"` },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'finished',
    what: 'a marker, although another process was killed for memory',
    run: { script: `${TRAINS}: >"$work/cell-3.done"` },
    happens: async (box) => {
      await box.goOnToItsEnd();
      box.countMemoryKills(3);
    },
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'reboot',
    what: 'another boot',
    run: WAITS,
    happens: async (box) => {
      await box.signal('SIGKILL');
      box.boot('ffffffff-1111-4222-8333-444455556666');
      box.startInit();
      box.countMemoryKills(0);
    },
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'container-restart',
    what: 'another process 1',
    run: WAITS,
    happens: async (box) => {
      await box.signal('SIGKILL');
      box.startInit();
    },
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'walltime',
    what: 'the scheduler’s time limit',
    run: {
      script: `${TRAINS}echo "slurmstepd: error: *** JOB 4711 ON node7 CANCELLED AT 2026-11-22T06:00:00 DUE TO TIME LIMIT ***"; exit 1`,
    },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'found',
    cause: 'preempted',
    what: 'another job took its place',
    run: {
      script: `${TRAINS}echo "slurmstepd: error: *** JOB 4711 ON node7 CANCELLED AT 2026-11-22T06:00:00 DUE TO PREEMPTION ***"; exit 1`,
    },
    happens: (box) => box.goOnToItsEnd(),
  },

  // Clear: it runs, and looks otherwise.
  {
    id: 'U3',
    label: 'clear',
    what: 'nothing happens',
    run: WAITS,
    happens: () => Promise.resolve(),
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'its log says that it was killed',
    run: { script: `echo "Killed"; echo "Out of memory"; ${TRAINS}` },
    happens: () => Promise.resolve(),
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'its log was moved away, and another one made',
    run: WAITS,
    happens: (box) => {
      renameSync(box.log, `${box.log}.1`);
      writeFileSync(box.log, '');
      return Promise.resolve();
    },
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'its log was emptied',
    run: WAITS,
    happens: (box) => {
      truncateSync(box.log);
      return Promise.resolve();
    },
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'its log was deleted',
    run: WAITS,
    happens: (box) => {
      rmSync(box.log);
      return Promise.resolve();
    },
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'its log’s name is a line of the patrol’s own answer',
    run: { ...WAITS, logName: 'x -> y\nrun 1\n$(reboot) `id` "; end.log' },
    happens: () => Promise.resolve(),
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'its folder was deleted under it',
    run: { ...WAITS },
    happens: (box) => {
      rmSync(box.work, { recursive: true });
      return Promise.resolve();
    },
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'another process of the box was killed for memory',
    run: WAITS,
    happens: (box) => {
      box.countMemoryKills(7);
      return Promise.resolve();
    },
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'its log is full of bytes that are no text',
    run: { script: `head -c 4000 /dev/urandom; ${TRAINS}` },
    happens: (box) => {
      appendFileSync(box.log, Buffer.from([0, 1, 2, 255, 10, 27]));
      return Promise.resolve();
    },
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'it was stopped, and not ended',
    run: WAITS,
    happens: (box) => {
      process.kill(box.pid, 'SIGSTOP');
      return Promise.resolve();
    },
  },
  {
    id: 'U3',
    label: 'clear',
    what: 'it ignores the hang-up of its terminal',
    run: { how: 'terminal', script: `trap '' HUP; ${TRAINS}` },
    happens: (box) => box.loseTerminal(),
  },

  // Unknown: it is gone, and nothing proves why; or nobody can say whether it is gone.
  {
    id: 'U3',
    label: 'unknown',
    what: 'killed without a word, and no counter rose',
    run: WAITS,
    happens: (box) => box.signal('SIGKILL'),
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'killed without a word, and the same command in the same folder goes on beside it',
    run: { ...WAITS, twins: 1 },
    happens: (box) => box.signal('SIGKILL'),
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'one of eight of a sweep in one folder is killed, and another one left the marker of success',
    run: { script: TRAINS, twins: 7 },
    happens: async (box) => {
      writeFileSync(join(box.work, 'DONE'), '');
      await box.signal('SIGKILL', box.twins[0]);
      await box.signal('SIGKILL');
    },
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'it says that training is done, and leaves nothing that proves it',
    run: { script: `${TRAINS}echo "Training done. Success."` },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'its terminal was closed, and it says nothing',
    run: { ...WAITS, how: 'terminal' },
    happens: (box) => box.closeTerminal(),
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'the marker of the run before it lies there',
    run: { script: `touch -d "2 hours ago" "$work/DONE"; ${TRAINS}` },
    happens: (box) => box.signal('SIGKILL'),
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'a shell says Killed, and the counter of memory is not told',
    run: { ...WAITS, how: 'wrapped' },
    happens: async (box) => {
      const whole = box.untilGone();
      await box.signal('SIGKILL', box.inner);
      await whole;
      box.hideMemory();
    },
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'the box shows no processes',
    run: WAITS,
    happens: (box) => {
      box.hideProcesses();
      return Promise.resolve();
    },
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'its log is on a full disk and ends in the middle',
    needs: 'mounts',
    run: {
      disk: 'few-bytes',
      script: `${TRAINS}exec >"$work/own.log" 2>&1; head -c 900000 /dev/zero; echo gone; exit 1`,
    },
    happens: (box) => box.goOnToItsEnd(),
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'killed without a word, and the next run writes its own traceback into the same log',
    run: WAITS,
    happens: async (box) => {
      await box.signal('SIGKILL');
      await box.beginAnother(
        `exec >"$log" 2>&1; ${TRACEBACK}"FileNotFoundError: config.yaml"; echo >"$said"; sleep 1000 & wait`,
        false,
      );
    },
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'killed without a word, and a later run wrote into the emptied log and ended',
    run: {
      script: `for i in 1 2 3 4 5 6 7 8 9; do echo "epoch $i of a long log that was there before"; done; ${TRAINS}`,
    },
    happens: async (box) => {
      await box.signal('SIGKILL');
      await box.beginAnother(
        `exec >"$log" 2>&1; ${TRACEBACK}"FileNotFoundError: config.yaml"`,
        true,
      );
    },
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'another file has taken the name of its log',
    run: WAITS,
    happens: async (box) => {
      await box.signal('SIGKILL');
      renameSync(box.log, `${box.log}.1`);
      writeFileSync(box.log, 'Traceback (most recent call last):\nMemoryError\n');
    },
  },
  {
    id: 'U3',
    label: 'unknown',
    what: 'a link to an endless file has taken the name of its log',
    run: WAITS,
    happens: async (box) => {
      await box.signal('SIGKILL');
      rmSync(box.log);
      symlinkSync('/dev/zero', box.log);
    },
  },
];
