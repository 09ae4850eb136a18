import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProblemCode } from '../../shared/problem.ts';
import type { GpuFactsState } from '../../shared/telemetry/gpu-facts.ts';
import type { MarkKind, TelemetryMark } from '../../shared/telemetry/mark.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import { eventually, silentLog } from '../demo/demo-box.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { openConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd } from '../ssh/sshd.fixture.ts';
import { openTemporaryDatabase } from '../storage/database.ts';
import { HeardHub } from '../streams/stream-hub.fixture.ts';
import { Telemetry } from './telemetry.ts';

/** A card whose state is the word in the file `mode`, in the words of nvidia.md §1.4. */
const NVIDIA_SMI = `#!/bin/sh
here=\${0%/*}
mode() { cat "$here/mode"; }
answer() {
  case $(mode) in
    lost) echo 'Unable to determine the device handle for GPU 0000:01:00.0: GPU is lost.  Reboot the system to recover this GPU'; exit 15 ;;
    mismatch) echo 'Failed to initialize NVML: Driver/library version mismatch'; echo 'NVML library version: 580.173'; exit 18 ;;
    no-driver) echo "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running."; exit 9 ;;
    no-gpu) echo 'No devices were found'; exit 6 ;;
    cut-off) echo 'Failed to initialize NVML: Unknown Error'; exit 255 ;;
    ended) exit 0 ;;
  esac
}
answer
case "$*" in
  dmon*)
    printf '# gpu    pwr  gtemp     sm   pclk\\n# Idx      W      C      %%    MHz\\n'
    while [ "$(mode)" = live ]; do
      printf '    0    300     50     99   1980\\n'
      sleep 0.2
    done
    answer
    ;;
  *--query-gpu=*)
    printf 'index, uuid, pci.bus_id, name, driver_version, clocks_event_reasons_counters.sw_power_cap [us]\\n'
    printf '0, GPU-a, 00000000:01:00.0, NVIDIA H100, %s, %s us\\n' "$(cat "$here/driver")" "$(cat "$here/counter")"
    ;;
  *--query-compute-apps*) printf 'pid, process_name, used_gpu_memory [MiB], gpu_uuid\\n' ;;
esac
`;

/** The box's clock, which somebody may set. */
const DATE = `#!/bin/sh
[ "$*" = +%s ] || exec /bin/date "$@"
expr "$(/bin/date +%s)" + "$(cat "\${0%/*}/clock")"
`;

interface Box {
  set(file: 'mode' | 'counter' | 'driver' | 'clock', word: string): void;
  readonly states: readonly TelemetryState[];
  marks(): readonly TelemetryMark[];
  liveAgain(): Promise<unknown>;
  /** How many looks listed no card. */
  emptyLooks(): number;
}

/** A real sshd with the simulated tools, whose readings have begun; everything is gone afterwards. */
async function withBox(work: (box: Box) => Promise<void>): Promise<void> {
  const bin = mkdtempSync(join(tmpdir(), 'leasehold-recovery-'));
  // Whole at once: the tools read it at any time.
  const set: Box['set'] = (file, word) => {
    writeFileSync(join(bin, `${file}.new`), `${word}\n`);
    renameSync(join(bin, `${file}.new`), join(bin, file));
  };
  mkdirSync(bin, { recursive: true });
  set('mode', 'live');
  set('counter', '5000000');
  set('driver', '580.1');
  set('clock', '0');
  for (const [name, body] of [
    ['nvidia-smi', NVIDIA_SMI],
    ['date', DATE],
  ] as const) {
    writeFileSync(join(bin, name), body);
    chmodSync(join(bin, name), 0o755);
  }
  const sshd = await startSshd({ path: `${bin}:/usr/bin:/bin` });
  const database = openTemporaryDatabase();
  const hub = new HeardHub();
  const telemetry = new Telemetry({
    hub,
    table: database.history,
    refusals: database.refusals,
    scripts: onboxScripts,
    log: silentLog,
    onProblem: () => undefined,
  });
  const opened = await openConnection({
    address: { host: '127.0.0.1', port: sshd.port, user: sshd.user },
    credentials: [{ kind: 'key', privateKey: sshd.privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  const states: TelemetryState[] = [];
  const looks: unknown[] = [];
  const followed = telemetry.follow({
    boxId: 'box',
    log: silentLog,
    onChange: ({ telemetry: state, gpus }) => {
      if (state !== undefined) states.push(state);
      if (gpus !== undefined && gpus !== null) looks.push(gpus);
    },
  });
  const marks: TelemetryMark[] = [];
  hub.hear('gpu-marks', 'box', (more: readonly TelemetryMark[]) => void marks.push(...more));
  let emptyLooks = 0;
  hub.hear('gpu-facts', 'box', ({ facts }: GpuFactsState) => {
    if (facts?.gpus.length === 0) emptyLooks += 1;
  });
  const isLive = (): boolean => states.at(-1)?.kind === 'live';
  followed.useConnection(opened.value, 'up');
  await eventually(() => isLive() && looks.length > 0, Boolean);
  try {
    await work({
      set,
      states,
      marks: () => marks,
      liveAgain: () => eventually(isLive, Boolean),
      emptyLooks: () => emptyLooks,
    });
  } finally {
    followed.close();
    opened.value.close();
    await opened.value.closed;
    telemetry.close();
    hub.dispose();
    database.close();
    await sshd.stop();
    rmSync(bin, { recursive: true, force: true });
  }
}

// At the same time: each waits for its own retry.
describe.runIf(hasSshd).concurrent('over a real sshd, by itself', () => {
  it.for<[mode: string, code: ProblemCode]>([
    ['lost', 'gpu-lost'],
    ['mismatch', 'driver-mismatch'],
    ['no-driver', 'driver-not-loaded'],
    ['no-gpu', 'no-gpu'],
    ['cut-off', 'gpu-cut-off'],
    ['ended', 'gpu-stream-ended'],
  ])('names "%s" as %s and reads again when it is over', async ([mode, code], { expect: want }) => {
    await withBox(async ({ set, states, marks, liveAgain }) => {
      set('mode', mode);
      const failed = await eventually(
        () => states.at(-1),
        (state) => state?.kind === 'failed',
      );
      want(failed?.kind === 'failed' && failed.problem.code).toBe(code);
      want(failed?.kind === 'failed' && failed.problem.nextStep).not.toBe('');
      set('mode', 'live');
      await liveAgain();
      const kinds = marks().map(({ kind }) => kind);
      want(kinds).toContain('stream-failed');
      want(kinds).toContain('stream-back');
    });
  });

  it('tells once that the only card is gone, however often it looks, and once that it is back', async () => {
    await withBox(async ({ set, marks, emptyLooks, liveAgain }) => {
      const count = (kind: MarkKind): number => marks().filter((mark) => mark.kind === kind).length;
      set('mode', 'lost');
      await eventually(emptyLooks, (looks) => looks > 1);
      expect(count('gpu-lost')).toBe(1);
      set('mode', 'live');
      await liveAgain();
      await eventually(() => count('gpu-back'), Boolean);
      expect([count('gpu-lost'), count('gpu-back')]).toEqual([1, 1]);
    });
  });

  it.for<[what: string, file: 'counter' | 'driver' | 'clock', word: string, kind: MarkKind]>([
    ['a card that was reset', 'counter', '10', 'gpu-reset'],
    ['another driver', 'driver', '590.2', 'driver-change'],
    ['a clock that was set', 'clock', '7200', 'box-clock-jump'],
  ])('notices %s at the look after the stream has ended', async ([, file, word, kind]) => {
    await withBox(async ({ set, marks, liveAgain }) => {
      set(file, word);
      set('mode', 'ended');
      await eventually(() => marks().some((mark) => mark.kind === 'stream-failed'), Boolean);
      set('mode', 'live');
      await liveAgain();
      await eventually(() => marks().some((mark) => mark.kind === kind), Boolean);
      expect(marks().filter((mark) => mark.kind === kind)).toHaveLength(1);
    });
  });
});
