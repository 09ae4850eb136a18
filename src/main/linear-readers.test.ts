import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openConfig } from '../shared/boxes/ssh-config/config-boxes.ts';
import { treeOf } from '../shared/boxes/ssh-config/config.fixture.ts';
import { judgeLook } from '../shared/patrol/judge-look.ts';
import { judgeVanished } from '../shared/patrol/judge-vanished.ts';
import { goneLook, LOOK, RUN, RUN_LOG } from '../shared/patrol/look.fixture.ts';
import { patrolMemory } from '../shared/patrol/patrol-memory.ts';
import { readPatrol } from '../shared/patrol/read-patrol.ts';
import { selectSeen } from '../shared/patrol/select-seen.ts';
import { AmdReader, readAmdFacts } from '../shared/probes/amd.ts';
import { parseCardReport } from '../shared/probes/card-forms.ts';
import { cgroupFiles, parseCgroup } from '../shared/probes/cgroup.ts';
import { readCpuCounters } from '../shared/probes/cpu-counters.ts';
import { DmonReader } from '../shared/probes/dmon.ts';
import { parseGpuFacts } from '../shared/probes/gpu-facts.ts';
import { LineSplitter } from '../shared/probes/line-splitter.ts';
import { parseListeningPorts } from '../shared/probes/listening-ports.ts';
import { readMarkedSections } from '../shared/probes/marked-sections.ts';
import { parseMeasured } from '../shared/probes/mounts.ts';
import { readMigParts } from '../shared/probes/mig-parts.ts';
import { filledLines } from '../shared/probes/probe-output.ts';
import { QueryLoopReader } from '../shared/probes/query-loop.ts';
import { readPairs } from '../shared/probes/word-lines.ts';
import { XidReader } from '../shared/probes/xid.ts';
import { readQueueLook } from '../shared/runs/queue/read-queue-look.ts';
import { cardsByLine } from '../shared/runs/queue/workload.ts';
import { draftEntry } from '../shared/gotchas/draft-entry.ts';
import { incidentOfLog } from '../shared/gotchas/entry-draft.ts';
import { buildIndex } from '../shared/gotchas/search.ts';
import { readImageHead } from '../shared/files/image-head.ts';
import { linesBehindMark } from '../shared/runs/launch/marked-parts.ts';
import { readRunResults } from '../shared/runs/launch/read-run-results.ts';
import { CsvMetricsReader } from '../shared/runs/metric-files/csv-metrics.ts';
import { readScalarEvent } from '../shared/runs/metric-files/event-scalars.ts';
import { firstRecordIn, TfRecordReader } from '../shared/runs/metric-files/tf-records.ts';
import { LogMetricsReader } from '../shared/runs/progress/log-metrics.ts';
import { progressIn } from '../shared/runs/progress/pattern-progress.ts';
import { readLinks } from '../shared/runs/launch/read-links.ts';
import { readCellTails } from '../shared/runs/sweep/cell-figures.ts';
import { figuresInParts } from '../shared/runs/sweep/cell-files.ts';
import { readParameters } from '../shared/runs/sweep/make-cells.ts';
import { progressPatterns, readByPatterns } from '../shared/runs/progress/progress-pattern.ts';
import { SeriesSet } from '../shared/runs/progress/series-set.ts';
import { parseSentSecrets } from '../shared/secrets/secret-on-box.ts';
import { parseSendSecret } from '../shared/secrets/sent-secret.ts';
import { readSentinels } from '../shared/sentinels/sentinel-look.ts';
import { salvageText } from '../shared/salvage.ts';
import { doAtOnce } from '../shared/steps.ts';
import { readOrders } from '../shared/teardown/read-orders.ts';
import { readOutside } from '../shared/teardown/read-outside.ts';
import { readSecrets } from '../shared/teardown/read-secrets.ts';
import { TreeLookReader } from '../shared/transfer/read-tree-look.ts';
import { readTreeRecord } from '../shared/transfer/tree-record.ts';
import { compareFigures } from '../shared/verify/numbers/compare-figures.ts';
import { keyText, parseKey } from '../shared/verify/numbers/number-key.ts';
import { shippedWatched } from './profiles/profiles.fixture.ts';
import { createRedactor } from './log/redact.ts';
import {
  again,
  costOf,
  excess,
  GRAIN_MS,
  MARK,
  MAX_RATIO,
  MAX_TRIES,
  SMALL,
  slowOf,
  type Reader,
} from './linear.fixture.ts';
import { eachJsonNumber } from './verify/numbers/json-numbers.ts';
import { readWeighed } from '../shared/transfer/weighed-folder.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CLOCK = { askedAtMs: 0, answeredAtMs: 1000 };
/** All names that a reader of such an answer asks for, each with a share of the text. */
const SECTIONS =
  'amd-static apps artefacts beside cpu fills gpus holders host hung kernel list machine memory mountinfo mounts open own processes rocm runs scontrol space squeue table temperature tmux waiters known-0 known-end-0 s-0 space-0 inodes-0 place-0'.split(
    ' ',
  );
function sectionsOf(text: string): string {
  const share = Math.ceil(text.length / SECTIONS.length);
  const parts = SECTIONS.map(
    (name, at) =>
      `${MARK} begin ${name}\n${text.slice(at * share, (at + 1) * share)}\n${MARK} end ${name} 0\n`,
  );
  return `${parts.join('')}${MARK} begin whole\n\n${MARK} end whole 0\n`;
}
const answer =
  (read: (stdout: string) => unknown): Reader =>
  (text) =>
    read(sectionsOf(text));
function pushed(reader: {
  readonly push: (chunk: string) => unknown;
  readonly end: () => unknown;
}): (text: string) => void {
  return (text) => {
    for (let at = 0; at < text.length; at += 16_384) reader.push(text.slice(at, at + 16_384));
    reader.end();
  };
}
const withLog = (end: string) => ({
  ...LOOK,
  runs: [{ ...RUN, logs: [{ ...RUN_LOG, end, start: end }] }],
});

const part = (name: string, row: string, length: number): string =>
  `${MARK} begin ${name}\n${again(row)(length)}\n${MARK} end ${name} 0\n`;
const patrolOf = (length: number): string =>
  [
    part('table', '7 1 7 7 0 S 1 2 1 500 10 x\n', length / 2),
    part('runs', 'pid 12\nstart 1\n', length / 4),
    part('tmux', '$0 1 1 0 0 a\n', length / 4),
  ].join('');

const WATCHED = shippedWatched('lambda');

/** As a person may write them, the worst of them. */
const PATTERNS = [
  'a {*} a.{x}',
  '{x}z{*}{y}z',
  '1{x}/2{*} {y}',
  'step {step}/{total} {*}loss={x}!',
];

/** Readers that take more than a text, or another thing than one. */
const OTHERS: Readonly<Record<string, Reader>> = {
  AmdReader: (text) => pushed(new AmdReader())(text),
  DmonReader: (text) => pushed(new DmonReader())(text),
  LineSplitter: (text) => pushed(new LineSplitter(() => undefined))(text),
  // What is walked has proven to be JSON before, and is about as long as the text.
  eachJsonNumber: (text) => {
    const part = text.slice(0, text.length / 8);
    eachJsonNumber(
      JSON.stringify({ [part]: [1, { [part]: part }], nested: part.split('') }),
      () => 0,
    );
  },
  parseKey: (text) => [parseKey(text), keyText({ parts: [text], row: null })],
  compareFigures: (text) => compareFigures(text, text),
  readQueueLook: (text) =>
    doAtOnce(
      readQueueLook(
        `\n${MARK} now 9\n\n${MARK} cells sum\n${text}\n${MARK} journal 0\n${text}\n${MARK} whole\n`,
        MARK,
        { run: 'r', atMs: 0 },
      ),
    ),
  readLinks: (text) => readLinks(`${MARK} links\n/w\0${text.replaceAll('\n', '\0')}\0`, MARK, '/w'),
  filledLines: (text) => [...filledLines(text)],
  linesBehindMark: (text) => [...linesBehindMark(text, MARK)],
  readWeighed: (text) => readWeighed(text, ['/data', '/runs']),
  CsvMetricsReader: (text) => {
    const reader = new CsvMetricsReader(new SeriesSet((same) => same));
    reader.take('a,b\n');
    for (let at = 0; at < text.length; at += 16_384) reader.take(text.slice(at, at + 16_384));
  },
  TfRecordReader: (text) => {
    const bytes = Buffer.from(text, 'latin1');
    readScalarEvent(bytes);
    const reader = new TfRecordReader(readScalarEvent);
    for (let at = 0; at < bytes.length; at += 16_384) reader.take(bytes.subarray(at, at + 16_384));
  },
  LogMetricsReader: (text) => {
    const reader = new LogMetricsReader((same) => same, PATTERNS);
    for (let at = 0; at < text.length; at += 16_384) reader.take(text.slice(at, at + 16_384), at);
    reader.end(null);
    reader.takeChange();
  },
  QueryLoopReader: (text) => pushed(new QueryLoopReader())(text),
  XidReader: (text) => pushed(new XidReader())(text),
  parseCardReport: (text) => parseCardReport('details', text),
  parseCgroup: (text) =>
    cgroupFiles.map((file) => parseCgroup(file, text.slice(0, text.length / 4))),
  cardsByLine: (text) => cardsByLine(text, [{ index: 0, uuid: 'GPU-0' }]),
  parseGpuFacts: answer((stdout) => parseGpuFacts(stdout, MARK, CLOCK)),
  parseListeningPorts: (text) => parseListeningPorts(text),
  parseMeasured: answer((stdout) =>
    parseMeasured(stdout, MARK, { mounts: LOOK.mounts, places: ['/'] }),
  ),
  parseSendSecret: (text) => parseSendSecret(text, { bytes: 1, sha256: '' }),
  parseSentSecrets: (text) =>
    parseSentSecrets(text, [{ name: 'A', path: '/a', bytes: 1, sentAtMs: 0 }]),
  progressIn: (text) => progressIn(text, PATTERNS),
  readByPatterns: (text) => readByPatterns(text, progressPatterns(PATTERNS)),
  readAmdFacts: answer((stdout) => readAmdFacts(readMarkedSections(stdout, MARK))),
  readCpuCounters: (text) => readCpuCounters(text, readPairs(text)),
  readMigParts: (text) => readMigParts([], text, text),
  'the runs of a patrol': (text) =>
    readPatrol(`${MARK} begin runs\n${text}\n${MARK} end runs 0\n`, MARK, [], CLOCK),
  readPatrol: answer((stdout) => readPatrol(stdout, MARK, ['/work/train.log'], CLOCK)),
  TreeLookReader: (text) => {
    const reader = new TreeLookReader(MARK, () => undefined);
    for (const line of `${MARK} folder /w\n${text}`.split('\n')) reader.take(line);
    return reader.end();
  },
  readRunResults: (text) => {
    const listed = `${MARK} folder 1 yes /w\n${text.replaceAll('\n', '\0')}\0\n${MARK} whole\n`;
    const textsOf = (from: number, to: number): string[] => [listed.slice(from, to)];
    return doAtOnce(readRunResults(listed, MARK, { atMs: 0, maxFiles: 1_000_000, textsOf }));
  },
  readTreeRecord: (text) => readTreeRecord(`${'0'.repeat(64)}\n${text}`),
  readOrders: (text) => {
    const orders = text.replaceAll(`${MARK} note`, `${MARK} order`);
    return readOrders(`${orders}\n${MARK} whole\n`, MARK);
  },
  readOutside: (text) => {
    const files = `${MARK} files\n${text.replaceAll('\n', '\0')}\0\n${MARK} end\n`;
    readOutside(`${MARK} life a\n${files}\n${MARK} whole\n`, MARK, ['/a', '/b']);
    readOutside(text, MARK, []);
  },
  readSecrets: (text) => {
    const digits = Buffer.from(text.slice(0, text.length / 2).replaceAll('\n', '\0')).toString(
      'hex',
    );
    readSecrets(`${MARK} user 1\n${MARK} secrets\n${digits}\n${MARK} whole\n`, MARK);
    readSecrets(text, MARK);
  },
  draftEntry: (text) =>
    draftEntry(incidentOfLog(text), { index: buildIndex([]), byId: new Map() }, (same) => same),
  firstRecordIn: (text) => firstRecordIn(Buffer.from(text, 'latin1')),
  readImageHead: (text) => {
    readImageHead(Buffer.from(`\u00ff\u00d8\u00ff${text}`, 'latin1'));
    readImageHead(Buffer.from('\u00ff\u00d8'.concat('\u00ff'.repeat(text.length)), 'latin1'));
  },
  figuresInParts: (text) => {
    const bytes = Buffer.from(text, 'latin1');
    for (const kind of ['tensorboard', 'csv', 'jsonl'] as const) {
      figuresInParts(
        { kind },
        [
          { from: 0, bytes },
          { from: 9, bytes },
        ],
        {
          redact: (same) => same,
          decode: (some) => Buffer.from(some).toString('latin1'),
        },
      );
    }
  },
  readSentinels: answer((stdout) => readSentinels(stdout, MARK, 1, CLOCK)),
  readCellTails: (text) => readCellTails(`${MARK} cell 1 9\n${text}`, MARK, (same) => same),
  redact: (text) => createRedactor().redact(text),
  salvageText: (text) => {
    salvageText(patrolMemory, text);
    salvageText(patrolMemory, `{"runs":[{"command":"${text}`);
  },
  'a log’s end, by all rules': (text) => {
    const look = withLog(text);
    judgeLook(look, null, { ...WATCHED, isGpuWorking: null, missing: [] });
    selectSeen(look, [], { ms: 1, bytes: 1 });
  },
  'the last words of a run that is gone': (text) => judgeVanished(RUN, LOOK, goneLook(text), null),
};

/** Called by one of those above with a part of what came. */
const WITHIN: Readonly<Record<string, string>> = {
  linesInSteps: 'readQueueLook',
  classifyLine: 'triage',
  doesGoOn: 'triage',
  hasFigures: 'triage',
  hasEndedWell: 'triage',
  isComment: 'triage',
  isEpilogue: 'triage',
  isRetried: 'triage',
  placeOfLastFigures: 'triage',
  readTracebacks: 'triage',
  speaksOfAnEnd: 'triage',
  readBootId: 'readPatrol',
  readKeptEnds: 'readPatrol',
  readKnownLogs: 'readPatrol',
  readMachine: 'readPatrol',
  readMounts: 'readPatrol',
  readNames: 'readPatrol',
  readRuns: 'readPatrol',
  readTicks: 'readPatrol',
  readUptimeS: 'readPatrol',
  readWaiters: 'readPatrol',
  isReadFault: 'readSentinels',
  pathAnswer: 'readSentinels',
  unreadOf: 'readSentinels',
  escapedPath: 'parseMeasured',
  nameOfPart: 'parseReportText',
  parseAmdReadings: 'AmdReader',
  parseQueryRow: 'parseQuery',
  imageKindOf: 'readImageHead',
  // Of the line that tells most its first 240 characters.
  signFrom: 'draftEntry',
  readScalarEvent: 'TfRecordReader',
  UnreadableLines: 'DmonReader',
  ReportTreeBuilder: 'parseReportText',
  FigureTable: 'LogMetricsReader',
  SeriesKeeper: 'LogMetricsReader',
  SeriesSet: 'LogMetricsReader',
  readCell: 'parseQuery',
};

/** What they take is not a box's: our own words, the person's, or a name that was bounded where it was read. */
const NOT_OF_A_BOX = [
  'createScript',
  'readCellList',
  'requestOfShare',
  'findPattern',
  'findScript',
  'killScript',
  'attachCommand',
  'isOfARun',
  'encodePaste',
  'judgePaste',
  'pushFolder',
  'secretLine',
  'tokenName',
  'variableOfToken',
  'usualSecretPath',
  'isVariableName',
  'isSecretPath',
  'unknown',
  'overText',
  'restartText',
  'isRunId',
  'runFolder',
  'lastTurn',
  'boxWord',
  'firstWord',
  'pythonOf',
  'scriptOf',
  'aboutText',
  'aboutOver',
  'splitShellWords',
  'parseSshCommand',
  'judgeHost',
  'judgeUser',
  'judgePort',
  'parsePort',
  'judgeIdentityFile',
  'isIpV6',
  'splitDestination',
  'parseJumpHost',
  'splitJumpHosts',
  'parseForward',
  'parseTags',
  'microsOf',
  'readAmount',
  'platformsTyped',
  'approvedEnd',
  'block',
  'blockedUnseen',
  'expandTokens',
  'bar',
  'forAnyShell',
  'markStart',
  'markStartAndEnd',
  'quoteForAnyShell',
  'csvText',
  'rebootLine',
  'shellWord',
  'currencySign',
  'isKnownCurrency',
  'scopesOf',
  'scopeOfPlatform',
  'trapsOf',
  'passingCheckpoint',
  'judgeFolder',
  'suggestBoxName',
  'compareIds',
  'runEndText',
  // The name of a figure, which is short where it was read.
  'kindOf',
  'isTraining',
];

const ROOMS = [
  '.',
  'boxes',
  'boxes/flavour',
  'evidence',
  'files',
  'gotchas',
  'manifest',
  'probes',
  'patrol',
  'triage',
  'recovery',
  'secrets',
  'questions',
  'terminal',
  'push',
  'sentinels',
  'runs/checkpoints',
  'runs/launch',
  'runs/launch/checks',
  'runs/metric-files',
  'runs/progress',
  'runs/queue',
  'runs/resume',
  'runs/sweep',
  'teardown',
  'transfer',
  'transfer/continuous',
  'tunnels',
  'verify/numbers',
];

const SIGNATURE = /^export (?:async )?function(\*?) (\w+)(?:<[^(]*>)?\(\s*([^)]*)/gm;
const TAKES_TEXT = /^\w+\??: string(?: \| null)?(?:,|$)/;
const TAKES_PARTS =
  /^(?:\w+|\{[^}]*\}): (?:readonly )?(?:Pairs|MarkedSections|Uint8Array|LogLine(?:\[\])?)(?:,|$)|^\w+: \w+,\s*text: string|: readonly FilePart\[\]/;
/** Of a class: what is told piece by piece. */
const TAKES_PIECES = /^ {2}\w+\(\w+: (?:string|Uint8Array)(?:,|\))/m;

/** The readers of these rooms: those that can be measured as they are, and the names of all others. */
async function findReaders() {
  const own: Record<string, Reader> = {};
  const named: string[] = [];
  for (const room of ROOMS) {
    const folder = `${ROOT}shared/${room}/`;
    const files = readdirSync(folder).filter((file) => /^(?!.*(?:test|fixture)).*\.ts$/.test(file));
    for (const file of files) {
      const source = readFileSync(folder + file, 'utf8');
      const exported = (await import(/* @vite-ignore */ folder + file)) as Record<string, Reader>;
      for (const [, steps, name = '', given = ''] of source.matchAll(SIGNATURE)) {
        if (NOT_OF_A_BOX.includes(name) || name in OTHERS || name in WITHIN) continue;
        const read = exported[name];
        if (TAKES_TEXT.test(given) && read !== undefined && steps === '') {
          own[name] = (text) =>
            (read as (...given: readonly unknown[]) => unknown)(text, MARK, 200);
        } else if (TAKES_TEXT.test(given) || TAKES_PARTS.test(given)) named.push(name);
      }
      for (const body of source.split(/^export class /m).slice(1)) {
        const name = /^\w+/.exec(body)?.[0] ?? '';
        if (!TAKES_PIECES.test(body.split('\n}\n')[0] ?? '')) continue;
        if (!(name in OTHERS) && !(name in WITHIN) && !NOT_OF_A_BOX.includes(name))
          named.push(name);
      }
    }
  }
  return { own, named };
}

it('what grows with the square is found, and what a collector adds to is not', async () => {
  const ratioOf = (cost: (length: number) => number): Promise<number | null> =>
    excess(({ length }) => cost(length / SMALL), again('x'));
  expect(await ratioOf((size) => 10 * size)).toBeNull();
  expect(await ratioOf((size) => 10 * size * Math.log2(size + 1))).toBeNull();
  expect(await ratioOf((size) => (size > 4 ? 25 : 10) * size)).toBeNull();
  expect(await ratioOf((size) => 5 * size * size)).toBeCloseTo(16);
  expect(await ratioOf((size) => 50 * size * size)).toBeCloseTo(16);
  expect(await ratioOf((size) => size * size + size)).toBeGreaterThan(MAX_RATIO);
});

const { own, named } = await findReaders();

// One test for each: all of them in one took a busy machine ten minutes.
it.each(Object.entries({ ...own, ...OTHERS }))(
  '%s takes four times as long for four times as much, whatever it is',
  async (name, read) => {
    expect(await slowOf({ [name]: read })).toEqual([]);
  },
);

it('a patrol of many runs, processes and terminals takes four times as long for four times as many', async () => {
  // What compares those of one kind with those of another is not seen where there is one kind alone.
  const cost = costOf((text) => readPatrol(text, MARK, [], CLOCK));
  expect(await excess(cost, patrolOf)).toBeNull();
});

it('a file of ours of which the end is missing is read in four times as long for four times as much', async () => {
  const cut = { brackets: again('[[]'), quotes: (length: number) => `${again('\\"')(length)}\\` };
  expect(await slowOf({ salvageText: (text) => salvageText(patrolMemory, text) }, cut)).toEqual([]);
});

it('are all in the table: what reads bytes of a box is measured, or is a part of what is', () => {
  expect(Object.keys(own).length).toBeGreaterThan(25);
  expect(named).toEqual([]);
  const measured = new Set([...Object.keys(own), ...Object.keys(OTHERS)]);
  expect(Object.values(WITHIN).filter((name) => !measured.has(name))).toEqual([]);
});

it('read the time in an SSH config at once, however many digits stand before a letter', () => {
  for (const digits of [33, 400]) {
    const config = `Host a\n  ServerAliveInterval ${'0'.repeat(digits)}x\n`;
    const { hosts, toBox } = openConfig(treeOf({ config }), { name: 'me', home: '/home/me' });
    const box = hosts.map(toBox)[0];
    expect(box?.notes).toMatchObject([{ because: 'not a time' }]);
  }
});

it('tell apart the values of a parameter, of which a person may list ten thousand', async () => {
  const values = (count: number): string =>
    `x: ${Array.from({ length: count }, (_, at) => String(at)).join(', ')}`;
  const cost = costOf(readParameters);
  const oneMs = Math.max(GRAIN_MS, await cost(values(2000), MAX_TRIES));
  // Sixteen times as many: comparing each with each would cost far more than that.
  expect((await cost(values(32_000), 2)) / oneMs).toBeLessThan(MAX_RATIO ** 2);
});
