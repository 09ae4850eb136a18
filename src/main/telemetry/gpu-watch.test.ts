import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { GpuFacts } from '../../shared/telemetry/gpu-facts.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import type { Log } from '../log/log.ts';
import type { ExitStatus } from '../ssh/exit-status.ts';
import type { RemoteProcess } from '../ssh/remote-process.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { watchGpus } from './gpu-watch.ts';

const HEADER = `# gpu    pwr     sm   pclk
# Idx      W      %    MHz
`;

/** A command on the box whose output and end the test decides. */
class ScriptedProcess {
  readonly #pieces: string[] = [];
  #wake: () => void = () => undefined;
  #isOver = false;
  #exit: (status: ExitStatus) => void = () => undefined;
  readonly exited = new Promise<ExitStatus>((resolve) => (this.#exit = resolve));
  stderr = '';
  wasStopped = false;

  print(text: string): void {
    this.#pieces.push(text);
    this.#wake();
  }

  finish(code: number | null, stderr = ''): void {
    this.stderr = stderr;
    this.#isOver = true;
    this.#exit(code === null ? { kind: 'unknown', because: null } : { kind: 'exited', code });
    this.#wake();
  }

  async *stdout(): AsyncGenerator<string, void> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) yield piece;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  endInput(): void {
    // dmon takes no input
  }
}

function setUp(factsOutput = '', refuses: Problem | null = null) {
  const streams: ScriptedProcess[] = [];
  const commands: string[] = [];
  let lose: (reason: Problem) => void = () => undefined;
  const connection: SshConnection = {
    latencyMs: 1,
    banner: null,
    checkSftp: () => Promise.reject(new Error('readings need no files')),
    closed: new Promise((resolve) => (lose = resolve)),
    isGone: () => false,
    prove: () => Promise.resolve(true),
    openStream: () => Promise.reject(new Error('readings open no tunnel')),
    openFastLane: () => Promise.reject(new Error('readings open no tunnel')),
    listenOnBox: () => Promise.reject(new Error('readings open no tunnel')),
    start: (command, signal) => {
      commands.push(command);
      if (refuses !== null) return Promise.resolve(err(refuses));
      const started = new ScriptedProcess();
      signal?.addEventListener('abort', () => {
        started.wasStopped = true;
        started.finish(null);
      });
      streams.push(started);
      return Promise.resolve(ok(started as unknown as RemoteProcess));
    },
    openTerminal: () => Promise.reject(new Error('a watch opens no terminal')),
    run: (command) => {
      commands.push(command);
      return Promise.resolve(
        factsOutput === ''
          ? err({ ...problem('command-timeout', 'slow'), mayHaveRun: true })
          : ok({ stdout: factsOutput, stderr: '', end: { kind: 'exited', code: 0 } }),
      );
    },
    watchCrowding: () => () => undefined,
    openAnother: () => Promise.reject(new Error('a watch changes nothing')),
    close: () => undefined,
  };
  const states: TelemetryState[] = [];
  const readings: ReadingsCycle[] = [];
  const facts: (readonly GpuFacts[])[] = [];
  const stop = watchGpus(connection, {
    log: { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log,
    onFacts: (gpus) => facts.push(gpus),
    onState: (state) => states.push(state),
    onReadings: (cycle) => readings.push(cycle),
  });
  return { streams, commands, states, readings, facts, stop, lose };
}

/** Lets everything run that can run without time passing. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('watchGpus', () => {
  it('reads facts, then whole cycles, from text cut anywhere', async () => {
    const { streams, readings, states, facts, stop } = setUp(
      'index, uuid, name, driver_version, memory.total [MiB], power.limit [W], clocks.max.sm [MHz]\n' +
        '0, GPU-a, NVIDIA A100, 550.1, 81920 MiB, 400.00 W, 1410 MHz\n',
    );
    await settle();
    expect(facts).toEqual([[expect.objectContaining({ uuid: 'GPU-a', memoryTotalMiB: 81920 })]]);
    const [stream] = streams;
    for (const piece of `${HEADER}    0    100     50   1000 \n    1      -     60   1100 \n    0    101`.match(
      /.{1,7}|\n/gs,
    ) ?? []) {
      stream?.print(piece);
    }
    stream?.print('     51   1001 \n');
    await settle();
    stream?.print('    1    201     61   1101 \n');
    await settle();
    expect(
      readings.map((cycle) => cycle.readings.map(({ index, powerW }) => [index, powerW])),
    ).toEqual([
      [
        [0, 100],
        [1, null],
      ],
      [
        [0, 101],
        [1, 201],
      ],
    ]);
    expect(states.map(({ kind }) => kind)).toEqual(['starting', 'live']);
    stop();
  });

  it('goes on without facts when they do not come', async () => {
    const { streams, readings, facts, stop } = setUp();
    await settle();
    streams[0]?.print(`${HEADER}    0    100     50   1000 \n    0    100     50   1000 \n`);
    await settle();
    expect(facts).toEqual([]);
    expect(readings).toHaveLength(2);
    stop();
  });

  it('counts what it cannot read instead of guessing', async () => {
    const { streams, states, stop } = setUp();
    await settle();
    streams[0]?.print(`${HEADER}    0    100     50   1000 \n`);
    streams[0]?.print('what is this\n    0    100     50   1000 \n');
    await settle();
    expect(states.at(-1)).toMatchObject({ kind: 'live', unreadableLines: 1 });
    stop();
  });

  it.each<[string, number | null, string, string, string]>([
    ['its own words', 0, 'No devices were found\n', '', 'no-gpu'],
    ['words on stderr', 127, '', 'sh: 1: nvidia-smi: not found\n', 'no-gpu-tool'],
    ['the exit code where it said nothing', 127, '', '', 'no-gpu-tool'],
    [
      'a broken driver',
      18,
      'Failed to initialize NVML: Driver/library version mismatch\n',
      '',
      'driver-broken',
    ],
    ['an end without a reason', 0, '', '', 'gpu-tool-failed'],
    ['an end that nobody saw', null, '', '', 'gpu-tool-failed'],
  ])('names why a stream ended, by %s', async (_how, code, stdout, stderr, expected) => {
    const { streams, states, stop } = setUp();
    await settle();
    streams[0]?.print(stdout);
    streams[0]?.finish(code, stderr);
    await settle();
    expect(states.at(-1)).toMatchObject({ kind: 'failed', problem: { code: expected } });
    stop();
  });

  it('starts an ended stream again, waiting longer each time', async () => {
    const { streams, stop } = setUp();
    await settle();
    for (const [ended, waitMs] of [
      [0, 1200],
      [1, 2400],
      [2, 4800],
    ] as const) {
      streams[ended]?.finish(1);
      await settle();
      expect(streams).toHaveLength(ended + 1);
      await vi.advanceTimersByTimeAsync(waitMs);
      expect(streams).toHaveLength(ended + 2);
    }
    stop();
  });

  it.each(['exec-refused', 'command-not-run'] as const)(
    'asks once, and not again, where commands are not run (%s)',
    async (code) => {
      const { commands, states, stop } = setUp('', problem(code, 'not here'));
      await settle();
      const asked = commands.length;
      await vi.advanceTimersByTimeAsync(600_000);
      expect(commands).toHaveLength(asked);
      expect(states.at(-1)).toMatchObject({ kind: 'failed', retryAtMs: null, problem: { code } });
      expect(vi.getTimerCount()).toBe(0);
      stop();
    },
  );

  it('leaves nothing behind when told to stop or when the link goes', async () => {
    for (const end of ['stop', 'lose'] as const) {
      const given = setUp();
      await settle();
      if (end === 'stop') given.stop();
      else given.lose(problem('link-lost', 'gone'));
      await settle();
      expect(given.streams[0]?.wasStopped).toBe(true);
      await vi.advanceTimersByTimeAsync(120_000);
      expect(given.streams).toHaveLength(1);
      expect(given.states.map(({ kind }) => kind)).toEqual(['starting']);
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});
