import type { LookBeside } from '../../shared/patrol/look-detector.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { MAX_LOG_CHARS, runLogStream, type RunLogDelta } from '../../shared/streams/runs-stream.ts';
import { MAX_PART_BYTES } from '../../shared/runs/launch/log-part.ts';
import type { RunLog } from '../../shared/runs/launch/launched-run.ts';
import type { Connections } from '../boxes/box-roster.ts';
import { FolderFinds } from '../files/folder-finds.ts';
import { again, MARK } from '../linear.fixture.ts';
import type { Log } from '../log/log.ts';
import { createRedactor } from '../log/redact.ts';
import type { OnboxScripts } from '../onbox/onbox-scripts.ts';
import { tick } from '../patrol/tick.ts';
import { GpuHolders } from '../processes/gpu-holders.ts';
import { FollowedLog } from '../runs/followed-log.ts';
import { listResults, LONG_LIST } from '../runs/list-results.ts';
import { LogReader } from '../runs/log-reader.ts';
import { lookAtRuns } from '../runs/look-at-runs.ts';
import { lookAtQueue } from '../runs/queue/look-at-queue.ts';
import type { HistoryTable } from '../storage/history-table.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { BoxHistory } from '../telemetry/box-history.ts';
import { BoxTelemetry } from '../telemetry/box-telemetry.ts';
import { lookAtFacts } from '../telemetry/facts-probe.ts';
import { RefusalMemory } from '../telemetry/refusal-memory.ts';
import type { BoxTunnels } from '../tunnels/box-tunnels.ts';
import { ServiceOpener } from '../tunnels/service-opener.ts';
import type { Bytes } from './hostile-bytes.fixture.ts';
import type { SshConnection } from './ssh-connection.ts';

/** What a reader stands on in main. */
export interface Around {
  readonly connection: SshConnection;
  readonly scripts: OnboxScripts;
  readonly beside: LookBeside;
}

/** Something of main that reads what a box answers, as it does that once the box is trusted. */
export interface HostileReader {
  /** What the answer is around the hostile bytes; it is asked once for each of these. `MARK` is the mark of the question. */
  readonly frames: readonly ((bytes: string) => string)[];
  /** Lines that it takes for what it asked for. */
  readonly rows: Readonly<Record<string, Bytes>>;
  /** What it takes at most; the answer is as long as that nearly, if nothing else is said. */
  readonly takes?: number;
  /** In characters, what it may come to for a window. */
  readonly gives?: number;
  /** How its question is told from all others that main asks of the box, which are answered; if nothing is said, there are none. */
  readonly asksThis?: (input: string) => boolean;
  read(around: Around): Promise<Result<unknown, Problem>>;
}

/** How a hostile box answers another call. */
export const STILL_HERE = 'still here';
const BOX = 'b';
/** What the box tells of, where it tells of any run. */
export const RUN = 'r-20261130-101112-00012345';
const QUIET = { info() {}, warn() {}, error() {}, debug() {} } as unknown as Log;
const live = (): AbortSignal => new AbortController().signal;
const rosterOf = (connection: SshConnection): Connections => ({ connectionOf: () => connection });

const section = (name: string, bytes: string): string =>
  `${MARK} begin ${name}\n${bytes}\n${MARK} end ${name} 0\n`;
const WHOLE = section('whole', '');
/** One section after the other has all of it; then each has its share. */
const sections = (...names: readonly string[]): HostileReader['frames'] => [
  ...names.map((name) => (bytes: string) => section(name, bytes) + WHOLE),
  (bytes) => {
    const share = Math.ceil(bytes.length / names.length);
    const parts = names.map((name, at) => section(name, bytes.slice(at * share, (at + 1) * share)));
    return parts.join('') + WHOLE;
  },
];
const between = (before: string, after: string) => (bytes: string) => before + bytes + after;
const behindMark = (...lines: readonly string[]): string =>
  lines.map((line) => `${MARK} ${line}\n`).join('');
/** A text of these lines, each with another number in the place of `#`. */
const counted =
  (line: string): Bytes =>
  (length) => {
    const lines: string[] = [];
    for (let [at, chars] = [0, 0]; chars < length; at += 1) {
      const next = line.replaceAll('#', String(at));
      lines.push(next);
      chars += next.length;
    }
    return lines.join('').slice(0, length);
  };

/** The end of what main makes of its GPUs, or all of it. */
async function watchOf({ connection, scripts }: Around): Promise<Result<unknown, Problem>> {
  const hub = new StreamHub();
  const sent = watcher(hub);
  const history = new BoxHistory({
    ...{ table: {} as HistoryTable, box: null, known: [], lastStoredMs: null },
  });
  const store = { read: () => null, write: () => undefined };
  let telemetry: BoxTelemetry | null = null;
  const failed = new Promise<Problem>((resolve) => {
    telemetry = new BoxTelemetry({
      ...{ boxId: BOX, hub, history, scripts, log: QUIET },
      refusals: new RefusalMemory(BOX, store),
      onReadings: () => undefined,
      onFacts: () => undefined,
      onChange: (change) => {
        if (change.telemetry?.kind === 'failed') resolve(change.telemetry.problem);
      },
    });
    for (const stream of ['readings', 'gpu-facts', 'gpu-marks'] as const) hub.open(1, stream, BOX);
    telemetry.useConnection(connection, 'up');
  });
  const because = await failed;
  (telemetry as BoxTelemetry | null)?.close();
  hub.dispose();
  return sent.chars > 0 ? ok({ because, ...sent }) : err(because);
}

/** A window that takes all that is sent to it. */
function watcher(hub: StreamHub): { readonly chars: number } {
  const sent = { chars: 0 };
  hub.addClient(1, ({ deltas }) => {
    sent.chars += JSON.stringify(deltas).length;
  });
  return sent;
}

const STREAM_ROWS = {
  'rows of a card': (length: number) =>
    `# gpu   pwr  temp    sm   mem   enc   dec  mclk  pclk\n# Idx     W     C     %     %     %     %   MHz   MHz\n${again('    0    59    72   100     2     0     0  3504  1708\n')(length)}`,
  'rows of ever other cards': (length: number) =>
    `# gpu   pwr  temp    sm   mem   enc   dec  mclk  pclk\n# Idx     W     C     %     %     %     %   MHz   MHz\n${counted('#   59    72   100     2     0     0  3504  1708\n')(length)}`,
  'the beginning of a head': again('gpu\n'),
  'its head again and again': again('# gpu   pwr\n# Idx     W\n'),
  'fields that it does not know': again('Field "aROUND" is not a valid field to query.\n'),
  'rows of a query': (length: number) =>
    `index, utilization.gpu [%], power.draw [W]\n${counted('#, 5 %, 70.00 W\n')(length)}`,
};
const FACTS =
  'machine cpu hung gpus list table apps processes mig kernel temperature amd-static amd-metric rocm';
const CARDS =
  'index, uuid, pci.bus_id, name, driver_version, memory.total [MiB], power.limit [W], clocks.max.sm [MHz]\n';

/** What main asks of a box once it has trusted it, by what it is for. */
export const HOSTILE_READERS = {
  'the stream of the GPUs': {
    frames: [between('', '')],
    rows: STREAM_ROWS,
    // A program of the box, which knows nothing of marks.
    asksThis: (input) => input === '',
    read: watchOf,
  },
  'facts of the GPUs': {
    frames: sections(...FACTS.split(' ')),
    rows: {
      cards: (length) =>
        `${CARDS}${counted('#, GPU-#, 00000000:#:00.0, NVIDIA A100, 550.1, 81920 MiB, 400.00 W, 1410 MHz\n')(length)}`,
      'cards of AMD': (length) => `[${counted('{"gpu":#,"asic":{"market_name":"a"}},')(length)}{}]`,
      'words of its machine': counted('tool a# \nuptime #\n'),
      'a report of cards': counted('GPU 0000#:00:00.0\n    GPU T.Limit Temp : 5 C\n'),
    },
    read: ({ connection, scripts }) =>
      lookAtFacts(connection, scripts, {
        ...{ refused: [], isFirst: true, isSuspect: false, signal: live() },
      }),
  },
  'a patrol': {
    frames: sections('machine', 'runs', 'table', 'tmux', 'memory', 'kernel', 'mounts', 'space'),
    rows: {
      'mounts of other names': counted('# 35 98:0 / /m# rw - ext4 /dev/sda rw\n'),
      'other processes': counted('pid #\nstart #\ncommand python -m train#\n'),
    },
    read: ({ connection, scripts, beside }) => tick(connection, scripts, null, beside),
  },
  'the list of runs': {
    frames: [
      between('', behindMark('table yes', 'home /h', 'now 9', 'life a/1', 'older 0', 'whole')),
      between(behindMark(`run ${RUN}`, 'about'), behindMark('now 9', 'older 0', 'whole')),
    ],
    rows: {
      'other runs': counted(`${MARK} run r-20261130-101112-00012345\n${MARK} log # 1\n`),
      'a run with all of its words': again(
        `${MARK} run ${RUN}\n${MARK} about {"a":1\n${MARK} end exit 1\n`,
      ),
    },
    read: ({ connection, scripts }) => lookAtRuns(connection, scripts),
  },
  'a queue': {
    frames: [
      between(
        `\n${behindMark('now 9', 'cells a')}`,
        `\n${behindMark('journal 0')}\n${behindMark('whole')}`,
      ),
      between(`\n${behindMark('now 9', 'cells a', '', 'journal 0')}`, `\n${behindMark('whole')}`),
      between('', ''),
    ],
    rows: {
      cells: counted('cell #\tpython train.py --seed #\n'),
      'ends of cells': counted('exit # 0 1764500000 .\n'),
      'escapes in a cell': again('\\\\\\n\\t'),
    },
    takes: 10 * 1024 * 1024,
    gives: 10 * 1024 * 1024,
    read: ({ connection, scripts }) => lookAtQueue(connection, scripts, { queue: RUN, run: RUN }),
  },
  'a list of results': {
    frames: [between(behindMark('folder 1 yes /w'), `\0\n${MARK} whole\n`), between('', '')],
    rows: {
      files: counted('f 12 1764500000.123456789 1764500000.123456789 7 a/#\0'),
      'names that are no UTF-8': again('f 12 1764500000 1764500000 7 \u00ff\u00fe\0'),
    },
    read: ({ connection, scripts }) =>
      listResults(connection, scripts, { folder: '/w', results: '.' }),
  },
  'a long list of results': {
    frames: [between(behindMark('folder 1 yes /w'), `\0\n${MARK} whole\n`)],
    rows: { files: counted('f 12 1764500000.123456789 1764500000.123456789 7 a/#\0') },
    takes: LONG_LIST.bytes,
    gives: 2 * LONG_LIST.bytes,
    read: ({ connection, scripts }) =>
      listResults(connection, scripts, { folder: '/w', results: '.' }, { bounds: LONG_LIST }),
  },
  'a log that is followed': {
    frames: [between(behindMark('from 0 of 9'), '')],
    rows: {
      'lines of a training': again('epoch 1 step 10/100 loss=0.5 lr 1e-3\n'),
      'ever other figures': counted('step # name#=0.5\n'),
    },
    takes: 2 * 1024 * 1024,
    // A zero byte is written in six characters.
    gives: 7 * MAX_LOG_CHARS,
    asksThis: (input) => input.includes('$LEASEHOLD_UNTIL'),
    read: followLog,
  },
  'a part of a log': {
    frames: [between(behindMark('from 0 of 9'), ''), between('', '')],
    rows: {},
    gives: 7 * MAX_PART_BYTES,
    read: ({ connection, scripts }) =>
      logReader(connection, scripts).read(BOX, { runId: RUN }, { from: 0, until: 2 ** 30 }),
  },
  'a search in a log': {
    frames: [between(behindMark('size 9'), behindMark('lines 9'))],
    rows: { places: counted('#:Traceback (most recent call last):\n') },
    read: async ({ connection, scripts }) => {
      const reader = logReader(connection, scripts);
      await reader.find(BOX, { runId: RUN }, { kind: 'text', text: 'a' });
      return reader.find(BOX, { runId: RUN }, { kind: 'first-error' });
    },
  },
  'a search in folders': {
    frames: [between(behindMark('folder'), `\0\n${MARK} whole\n`), between('', '')],
    rows: { entries: counted('f 12 1700000000 644 ../#/b\0') },
    read: async ({ connection, scripts }) => {
      const finds = new FolderFinds(rosterOf(connection), scripts);
      let part = await finds.begin(BOX, '/w', 'a');
      while (part.ok && part.value.rest !== null) part = await finds.more(BOX, part.value.rest);
      return part;
    },
  },
  'ports that listen': {
    frames: [between('', '')],
    rows: {
      ports: counted('L # 0100007F python#\n'),
      'ports of addresses': counted('L # 00000000000000000000000000000001 \u202e#\n'),
    },
    read: ({ connection, scripts }) =>
      opener(scripts).listListening({ connection } as unknown as BoxTunnels),
  },
  'who holds the GPUs': {
    frames: sections('machine', 'holders', 'gpus', 'apps', 'processes'),
    rows: { holders: counted('pid #\nstart #\nuser a#\ncard GPU-#\n') },
    read: ({ connection, scripts }) => {
      const holders = new GpuHolders({ roster: rosterOf(connection), scripts });
      return holders.look(BOX).finally(() => holders.close());
    },
  },
} satisfies Readonly<Record<string, HostileReader>>;
export type HostileReaderName = keyof typeof HOSTILE_READERS;

export const isReader = (name: string): name is HostileReaderName => name in HOSTILE_READERS;

const logReader = (connection: SshConnection, scripts: OnboxScripts): LogReader =>
  new LogReader({ roster: rosterOf(connection), scripts, redact: createRedactor().redact });

const opener = (scripts: OnboxScripts): ServiceOpener =>
  new ServiceOpener({ scripts, eventFolders: () => [], registerSecret: () => undefined });

/** To its end, while a window looks at it and at its figures. */
async function followLog({ connection, scripts }: Around): Promise<Result<unknown, Problem>> {
  const hub = new StreamHub();
  let state: RunLog = { text: '', bytes: 0, isCut: false, state: 'opening', problem: null };
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (over = resolve));
  hub.addClient(1, ({ deltas }) => {
    for (const delta of deltas as readonly RunLogDelta[]) {
      // Figures come the same way, in deltas of their own.
      if (!('more' in delta || 'state' in delta)) continue;
      state = runLogStream.apply(state, delta);
    }
    if (state.state === 'whole' || state.state === 'stopped') over();
  });
  const log = new FollowedLog({
    ...{ boxId: BOX, log: { runId: RUN }, hub, scripts, roster: rosterOf(connection) },
    resultsOf: () => Promise.resolve(null),
    onListed: () => undefined,
    onError: () => undefined,
    isOver: () => true,
    progressOf: () => ['step {step}/{total} {*}loss={x}!'],
    redact: createRedactor().redact,
  });
  hub.open(1, 'run-log', `${BOX} ${RUN}`);
  hub.open(1, 'run-metrics', `${BOX} ${RUN}`);
  await ended;
  await log.close();
  hub.dispose();
  return state.problem === null ? ok(state) : err(state.problem);
}

/** All that the reader is asked for, on one link; and whether a call is answered then. */
export async function readAll(
  name: HostileReaderName,
  around: Around,
): Promise<Result<readonly Result<unknown, Problem>[], Problem>> {
  const { frames, read }: HostileReader = HOSTILE_READERS[name];
  const told: Result<unknown, Problem>[] = [];
  for (let asked = 0; asked < frames.length; asked += 1) told.push(await read(around));
  const next = await around.connection.run('true');
  if (!next.ok) return next;
  return next.value.stdout.trim() === STILL_HERE
    ? ok(told)
    : err(problem('command-not-run', 'The next call was not answered.'));
}
