import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import type { TelemetryState } from '../../shared/telemetry/telemetry-state.ts';
import type { ReadingsCycle } from '../../shared/streams/readings-stream.ts';
import type { ExitStatus } from '../ssh/exit-status.ts';
import type { RemoteProcess } from '../ssh/remote-process.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { silentLog } from '../demo/demo-box.fixture.ts';
import { NO_REFUSALS } from '../../shared/telemetry/source-plan.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { watchGpus, type FactsLook } from './gpu-watch.ts';

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

const CSV =
  'index, uuid, pci.bus_id, name, driver_version, memory.total [MiB], power.limit [W], clocks.max.sm [MHz]\n';
const card = (index: number): string =>
  `${String(index)}, GPU-${String(index)}, 00000000:${String(index)}0:00.0, NVIDIA A100, 550.1, 81920 MiB, 400.00 W, 1410 MHz\n`;

interface Answers {
  /** What stands in the section of the cards; null: the look does not end in time. */
  readonly gpus?: string | null;
  readonly tools?: readonly string[];
  readonly hung?: string;
  /** A field that the driver refuses, whatever it refused before. */
  readonly refused?: string;
  /** What `dmon -s <letter> -c 1` prints. */
  readonly tryLetter?: (letter: string) => string;
}

function setUp(answers: Answers = {}, refuses: Problem | null = null) {
  const streams: ScriptedProcess[] = [];
  const commands: string[] = [];
  const looks: string[] = [];
  const current = { ...answers };
  let lose: (reason: Problem) => void = () => undefined;
  const answerLook = (input: string): string => {
    const [mark = ''] = input.split('\n');
    const section = (name: string, text: string, code = 0): string =>
      `\n${mark} begin ${name}\n${text}\n${mark} end ${name} ${String(code)}\n`;
    const tools = (current.tools ?? ['nvidia-smi']).map((tool) => `tool ${tool}\n`).join('');
    return [
      section('machine', tools),
      current.hung === undefined ? '' : section('hung', current.hung),
      current.refused === undefined ? '' : `\n${mark} refused ${current.refused}\n`,
      section('gpus', current.gpus ?? ''),
      section('whole', ''),
    ].join('');
  };
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
    openFiles: () => Promise.reject(new Error('readings need no files')),
    runBytes: () => Promise.reject(new Error('readings are text')),
    run: (command, { input = '' } = {}) => {
      if (refuses !== null) return Promise.resolve(err({ ...refuses, mayHaveRun: false }));
      const [, letter] = /dmon -s (\w) -c 1/.exec(command) ?? [];
      if (letter === undefined) looks.push(input);
      if (letter === undefined && current.gpus === null) {
        return Promise.resolve(err({ ...problem('command-timeout', 'slow'), mayHaveRun: true }));
      }
      const stdout =
        letter === undefined ? answerLook(input) : (current.tryLetter?.(letter) ?? HEADER);
      return Promise.resolve(ok({ stdout, stderr: '', end: { kind: 'exited', code: 0 } }));
    },
    watchCrowding: () => () => undefined,
    openAnother: () => Promise.reject(new Error('a watch changes nothing')),
    close: () => undefined,
  };
  const states: TelemetryState[] = [];
  const readings: ReadingsCycle[] = [];
  const facts: FactsLook[] = [];
  const failedLooks: Problem[] = [];
  const memory = { refusals: NO_REFUSALS, kept: 0 };
  const stop = watchGpus({
    connection,
    scripts: onboxScripts,
    log: silentLog,
    refusals: () => memory.refusals,
    onRefused: (refusals) => {
      memory.refusals = refusals;
      memory.kept += 1;
    },
    onLook: (look) => facts.push(look),
    onLookFailed: (failed) => failedLooks.push(failed),
    onState: (state) => states.push(state),
    onReadings: (cycle) => readings.push(cycle),
  });
  const base = { streams, commands, looks, current, states, readings, facts, failedLooks };
  return { ...base, memory, stop, lose };
}

/** Lets everything run that can run without time passing. */
const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

beforeEach(async () => {
  // Read from the disk once, while time still passes.
  await onboxScripts.run(
    { run: () => Promise.resolve(err(problem('aborted', ''))) } as never,
    'gpu-facts.sh',
  );
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

describe('watchGpus', () => {
  it('reads facts and whole cycles, from text cut anywhere', async () => {
    const { streams, readings, states, facts, commands, stop } = setUp({ gpus: CSV + card(0) });
    await settle();
    expect(commands).toEqual(['nvidia-smi dmon -s pucvmet -d 1']);
    expect(facts).toMatchObject([
      { facts: { gpus: [{ uuid: 'GPU-0', memoryTotalMiB: 81920, throttleBits: null }] } },
    ]);
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
    const { streams, readings, facts, failedLooks, stop } = setUp({ gpus: null });
    await settle();
    streams[0]?.print(`${HEADER}    0    100     50   1000 \n    0    100     50   1000 \n`);
    await settle();
    expect(facts).toEqual([]);
    expect(failedLooks).toMatchObject([{ code: 'gpu-tool-hangs' }]);
    expect(readings).toHaveLength(2);
    stop();
  });

  it('counts what it cannot read instead of guessing', async () => {
    const { streams, states, stop } = setUp();
    await settle();
    streams[0]?.print(`${HEADER}    0    100     50   1000 \n`);
    streams[0]?.print('what is this\n    0    100     50   1000 \n');
    await settle();
    expect(states.at(-1)).toMatchObject({
      kind: 'live',
      unreadableLines: 1,
      unreadableSamples: ['what is this'],
    });
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
      'driver-mismatch',
    ],
    [
      'a container that lost its rules',
      255,
      'Failed to initialize NVML: Unknown Error\n',
      '',
      'gpu-cut-off',
    ],
    [
      'a lost card',
      15,
      'Unable to determine the device handle for GPU 0000:05:00.0: GPU is lost.  Reboot the system to recover this GPU\n',
      '',
      'gpu-lost',
    ],
    ['the number of a driver that is not loaded', 9, '', '', 'driver-not-loaded'],
    ['an end without a reason', 0, '', '', 'gpu-stream-ended'],
    ['an end that nobody saw', null, '', '', 'gpu-stream-ended'],
  ])('names why a stream ended, by %s', async (_how, code, stdout, stderr, expected) => {
    const { streams, states, stop } = setUp();
    await settle();
    streams[0]?.print(stdout);
    streams[0]?.finish(code, stderr);
    await settle();
    expect(states.find(({ kind }) => kind === 'failed')).toMatchObject({
      problem: { code: expected },
    });
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
      const { commands, states, stop } = setUp({}, problem(code, 'not here'));
      await settle();
      const asked = commands.length;
      await vi.advanceTimersByTimeAsync(600_000);
      expect(commands).toHaveLength(asked);
      expect(states.at(-1)).toMatchObject({ kind: 'failed', retryAtMs: null, problem: { code } });
      expect(vi.getTimerCount()).toBe(0);
      stop();
    },
  );

  it('asks for each letter alone when dmon refuses them, and remembers', async () => {
    const { streams, commands, states, memory, stop } = setUp({
      gpus: CSV + card(0),
      tryLetter: (letter) => ('vt'.includes(letter) ? 'no such option\n' : HEADER),
    });
    await settle();
    streams[0]?.finish(2);
    await settle();
    expect(commands.at(-1)).toBe('nvidia-smi dmon -s pucme -d 1');
    expect(memory.refusals).toMatchObject({ letters: ['v', 't'], isDmonUseless: false });
    streams[1]?.print(`${HEADER}    0    100     50   1000 \n    0    1     5   10 \n`);
    await settle();
    expect(states.at(-1)).toMatchObject({ kind: 'live', refused: ['v', 't'] });
    stop();
  });

  it('keeps a field that is refused once, however often a look names it', async () => {
    const { looks, memory, stop } = setUp({ gpus: CSV + card(0), refused: 'kmd_version' });
    await vi.advanceTimersByTimeAsync(90_000);
    expect(looks.length).toBeGreaterThan(2);
    expect(memory).toMatchObject({ refusals: { facts: ['kmd_version'] }, kept: 1 });
    stop();
  });

  it('loops the query where dmon cannot be had, and drops the fields that are refused', async () => {
    const { streams, commands, readings, states, stop } = setUp({ gpus: CSV + card(0) });
    await settle();
    streams[0]?.print('Not supported on the device(s)\nFailed to process command line\n');
    streams[0]?.finish(3);
    await settle();
    expect(commands.at(-1)).toContain('clocks_event_reasons.active');
    streams[1]?.print('Field "clocks_event_reasons.active" is not a valid field to query.\n\n');
    streams[1]?.finish(2);
    await settle();
    expect(commands.at(-1)).toContain('clocks_throttle_reasons.active');
    expect(commands.at(-1)).not.toContain('event');
    expect(commands.at(-1)).toMatch(/ --format=csv -lms 1000$/);
    streams[2]?.print('index, utilization.gpu [%], clocks_throttle_reasons.active\n');
    streams[2]?.print('0, 55 %, 0x0000000000000004\n0, 56 %, 0x0000000000000000\n');
    await settle();
    expect(readings[0]?.readings).toMatchObject([{ index: 0, smPct: 55, throttleBits: 4 }]);
    expect(states.at(-1)).toMatchObject({ kind: 'live', source: 'query-loop' });
    stop();
  });

  it('believes no refusal of a field that it has not asked for, and asks no sooner for it', async () => {
    const { streams, memory, states, stop } = setUp({ gpus: CSV + card(0) });
    await settle();
    for (let round = 0; round < 5; round += 1) {
      streams[round]?.print(`Field "made.up.${String(round)}" is not a valid field to query.\n`);
      streams[round]?.finish(2);
      await settle();
    }
    expect(streams).toHaveLength(1);
    expect(memory.refusals.fields).toEqual([]);
    expect(states.at(-1)).toMatchObject({ kind: 'failed', problem: { code: 'gpu-tool-failed' } });
    stop();
  });

  it('changes to the loop when dmon never shows all cards, but not when a card is lost', async () => {
    const two = `${HEADER}    0    1     5   10 \n    1    1     5   10 \n`;
    const { streams, commands, current, stop } = setUp({ gpus: CSV + card(0) + card(1) + card(2) });
    await settle();
    const printFor = async (seconds: number): Promise<void> => {
      for (let i = 0; i < seconds; i += 1) {
        streams.at(-1)?.print(two);
        await vi.advanceTimersByTimeAsync(1000);
      }
    };
    await printFor(10);
    // Once more, for a card that came back while dmon ran.
    expect(commands).toEqual(Array(2).fill('nvidia-smi dmon -s pucvmet -d 1'));
    await printFor(12);
    expect(commands.at(-1)).toContain('--query-gpu');
    stop();

    const lost = setUp({ gpus: CSV + card(0) + card(1) });
    await settle();
    lost.streams[0]?.print(two + two);
    await vi.advanceTimersByTimeAsync(9000);
    lost.streams[0]?.print('    0    1     5   10 \n    0    1     5   10 \n');
    await settle();
    expect(lost.commands).toHaveLength(1);
    expect(current.gpus).toBeDefined();
    lost.stop();
  });

  it('tries the loop once when dmon answers nothing at all, and dmon again after that', async () => {
    const { streams, commands, states, memory, stop } = setUp({
      gpus: CSV + card(0),
      tryLetter: () => '',
    });
    await settle();
    streams[0]?.finish(1);
    await settle();
    expect(commands.at(-1)).toContain('--query-gpu');
    streams[1]?.finish(1);
    await settle();
    expect(states.at(-1)).toMatchObject({ kind: 'failed', problem: { code: 'gpu-stream-ended' } });
    await vi.advanceTimersByTimeAsync(2000);
    expect(commands.at(-1)).toContain('dmon');
    expect(states.at(-1)).toMatchObject({ kind: 'failed' }); // until the next try brings readings
    expect(memory.refusals).toEqual(NO_REFUSALS);
    stop();
  });

  it('takes AMD’s tool where there is no other, and says so', async () => {
    const { streams, commands, readings, states, stop } = setUp({ tools: ['rocm-smi'] });
    await settle();
    streams[0]?.finish(127, 'sh: 1: nvidia-smi: not found\n');
    await settle();
    expect(commands.at(-1)).toContain('rocm-smi');
    streams[1]?.print('{"card0": {"GPU use (%)": "37"}}\nleasehold-end-of-sample\n');
    streams[1]?.print('{"card0": {"GPU use (%)": "38"}}\nleasehold-end-of-sample\n');
    await settle();
    expect(readings[0]?.readings).toMatchObject([{ index: 0, smPct: 37, powerW: null }]);
    expect(states.at(-1)).toMatchObject({ kind: 'live', source: 'rocm-smi' });
    stop();
  });

  it('notices a stream that goes silent, and starts no second copy beside a hung one', async () => {
    const { streams, current, states, looks, stop } = setUp({ gpus: CSV + card(0) });
    await settle();
    streams[0]?.print(`${HEADER}    0    100     50   1000 \n    0    100     50   1000 \n`);
    await settle();
    current.hung = 'hung 4711\n';
    await vi.advanceTimersByTimeAsync(15_000);
    expect(streams[0]?.wasStopped).toBe(true);
    expect(states.at(-1)).toMatchObject({ kind: 'failed', problem: { code: 'gpu-stream-silent' } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(streams).toHaveLength(1);
    expect(states.at(-1)).toMatchObject({ kind: 'failed', problem: { code: 'gpu-tool-hangs' } });
    // The mark, the refusals, the static part, and whether to look for a hung one.
    expect(looks.at(-1)?.split('\n')[3]).toBe('1');
    delete current.hung;
    await vi.advanceTimersByTimeAsync(40_000);
    expect(streams.length).toBeGreaterThan(1);
    stop();
  });

  it('says that a container was given no GPU, and looks again by itself', async () => {
    const { streams, states, stop } = setUp({ gpus: 'No devices were found' });
    await settle();
    streams[0]?.print('No devices were found\n');
    streams[0]?.finish(6);
    await settle();
    expect(states.at(-1)).toMatchObject({ kind: 'failed', problem: { code: 'no-gpu' } });
    await vi.advanceTimersByTimeAsync(2000);
    streams[1]?.print(`${HEADER}    0    100     50   1000 \n    0    100     50   1000 \n`);
    await settle();
    expect(states.at(-1)).toMatchObject({ kind: 'live', problem: null });
    stop();
  });

  it('goes on with the other cards when one is lost, and says so', async () => {
    const { streams, states, current, facts, stop } = setUp({ gpus: CSV + card(0) + card(1) });
    await settle();
    const both = '    0    100     50   1000 \n    1    100     50   1000 \n';
    streams[0]?.print(HEADER + both + both);
    await settle();
    current.gpus = `${CSV}${card(0)}Unable to determine the device handle for GPU0000:10:00.0: GPU is lost.  Reboot the system to recover this GPU\n`;
    streams[0]?.print('    0    100     50   1000 \n    1      -      -      - \n');
    await vi.advanceTimersByTimeAsync(6000);
    expect(facts).toHaveLength(2);
    expect(states.at(-1)).toMatchObject({ kind: 'live', problem: { code: 'gpu-lost' } });
    current.gpus = CSV + card(0) + card(1);
    for (let i = 0; i < 4; i += 1) {
      streams[0]?.print(both);
      await vi.advanceTimersByTimeAsync(9000);
    }
    expect(states.at(-1)).toMatchObject({ kind: 'live', problem: null });
    stop();
  });

  it('leaves nothing behind when told to stop or when the link goes', async () => {
    for (const end of ['stop', 'lose'] as const) {
      const given = setUp();
      await settle();
      if (end === 'stop') given.stop();
      else given.lose(problem('link-lost', 'gone'));
      await settle();
      expect(given.streams[0]?.wasStopped).toBe(true);
      const looks = given.looks.length;
      await vi.advanceTimersByTimeAsync(120_000);
      expect([given.streams.length, given.looks.length]).toEqual([1, looks]);
      expect(given.states.map(({ kind }) => kind)).toEqual(['starting']);
      expect(vi.getTimerCount()).toBe(0);
    }
  });
});
