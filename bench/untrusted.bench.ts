// How long main stands still while a server tries to make it work, and how much memory that takes: before anybody trusts it, at the
// log-in, and once it has let us in; and with what it answers to each reader of main. `UNTRUSTED_OF` names a part of the servers' names: those alone.
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { onboxFolder } from '../src/main/onbox/onbox-scripts.fixture.ts';
import { shippedWatched } from '../src/main/profiles/profiles.fixture.ts';
import { answersTo, ENDLESS, startAnswering } from '../src/main/ssh/hostile-answers.fixture.ts';
import { startHostileServer } from '../src/main/ssh/hostile-handshake.fixture.ts';
import {
  hostileServers,
  type HostileServerKind,
  type Step,
} from '../src/main/ssh/hostile-servers.fixture.ts';
import {
  HOSTILE_READERS,
  type HostileReaderName,
} from '../src/main/ssh/hostile-readers.fixture.ts';
import type { FloodFigures, FloodOrder } from './flooded-calls.ts';
import { report, type BenchRow } from './harness.ts';
import { BUNDLE, startRuntime } from './main-runtime.ts';
import type { UntrustedFigures, UntrustedMeeting, UntrustedOrder } from './untrusted.runtime.ts';
import { median, percentile } from './windows.ts';

const GOAL_MS = 50;
/** What main may have grown by when all is over; a heap of this size moves by as much by itself. */
const GOAL_GROWTH_MIB = 64;
/** The middle one counts: a noisy moment of the machine is not the server's doing. Of the short ones more are to be had. */
const RUNS: Readonly<Record<Step, number>> = {
  'before trust': 5,
  'at the log-in': 3,
  'once we are in': 3,
};
const FLOOD = { small: 200_000, large: 1500 };
const ANSWERS = { most: Infinity, blocks: 1500 };
/** Of all that a reader is given, so many of the worst are given to it again. */
const AGAIN = 3;
const CALLS = 100;
/** With what it makes most work, of what it may be sent without end. */
const FLOODS: Partial<Record<HostileReaderName, string>> = {
  'the stream of the GPUs': 'rows of a card',
  'a log that is followed': 'lines of a training',
};
const BESIDE = { ...shippedWatched(null), isGpuWorking: null };

const runtime = await startRuntime('./untrusted.runtime.ts', { execArgv: ['--expose-gc'] });

async function measure(order: UntrustedOrder): Promise<UntrustedFigures> {
  runtime.send(order);
  const [figures] = (await once(runtime, 'message')) as [UntrustedFigures];
  return figures;
}

/** What a flood without end on one reader makes of the time that boxes take to answer. */
async function floodRows(reader: HostileReaderName): Promise<readonly BenchRow[]> {
  let blocks = 0;
  const flood = { most: 0, blocks: Infinity, onBlock: () => void (blocks += 1) };
  const flooding = await startAnswering(reader, FLOODS[reader] ?? '', flood);
  const other = await startAnswering(reader, FLOODS[reader] ?? '', { most: 0, blocks: 1 });
  const ports = { floodingPort: flooding.port, otherPort: other.port };
  const order = { reader, ...ports, calls: CALLS, scriptsFolder: onboxFolder, beside: BESIDE };
  runtime.send(order satisfies FloodOrder);
  const [{ quiet, flooded }] = (await once(runtime, 'message')) as [FloodFigures];
  await Promise.all([flooding.stop(), other.stop()]);
  if (blocks < CALLS) throw new Error(`there was no flood on ${reader}`);
  return (['flooding', 'other'] as const).map((box): BenchRow => {
    const [value, baseline] = [percentile(flooded[box], 0.95), percentile(quiet[box], 0.95)];
    const whose = box === 'flooding' ? 'of that box' : 'of another box';
    return {
      measure: `p95 of a call’s answer ${whose} during a flood on ${reader} of ${FLOODS[reader] ?? ''} (baseline: without it)`,
      ...{ value, unit: 'ms', baseline, ratio: value / baseline },
    };
  });
}

interface Met {
  readonly does: UntrustedMeeting['does'];
  readonly start: HostileServerKind['start'];
}

async function measureAll(
  { start, does }: Met,
  runs: number,
): Promise<readonly UntrustedFigures[]> {
  const figures: UntrustedFigures[] = [];
  for (let run = 0; run < runs; run += 1) {
    const { port, stop } = await start();
    figures.push(await measure({ port, does, scriptsFolder: onboxFolder, beside: BESIDE }));
    await stop();
  }
  return figures;
}

const pauseOf = (all: readonly UntrustedFigures[]): number =>
  median(all.map(({ longestPauseMs }) => longestPauseMs));
const growthOf = (all: readonly UntrustedFigures[]): number =>
  median(all.map(({ memoryMiB: [before, , after] }) => after - before));

function rowOf(name: string, step: Step, all: readonly UntrustedFigures[]): BenchRow {
  const memory = [0, 1, 2].map((at) => median(all.map(({ memoryMiB }) => memoryMiB[at] ?? NaN)));
  const cpuMs = median(all.map((each) => each.cpuMs));
  const endings = [...new Set(all.map(({ ending }) => ending))].join(' or ');
  return {
    measure: `${step}: ${name} (${cpuMs.toFixed(0)} ms of the processor; ${memory.map(Math.round).join(', ')} MiB before, at most and after; ${endings})`,
    value: pauseOf(all),
    unit: 'ms',
  };
}

/** The worst that a reader can be given: which that is, and what it takes. */
async function worstFor(
  reader: HostileReaderName,
): Promise<{ readonly what: string; readonly all: readonly UntrustedFigures[] }> {
  const given = (what: string, runs: number): Promise<readonly UntrustedFigures[]> =>
    measureAll({ start: () => startAnswering(reader, what, ANSWERS), does: reader }, runs);
  interface Given {
    readonly what: string;
    readonly all: readonly UntrustedFigures[];
  }
  const byPause = (a: Given, b: Given): number => pauseOf(b.all) - pauseOf(a.all);
  const all: Given[] = [];
  for (const what of [...Object.keys(answersTo(reader)), ...Object.keys(ENDLESS)]) {
    all.push({ what, all: await given(what, 1) });
  }
  const again: Given[] = [];
  for (const each of all.sort(byPause).slice(0, AGAIN)) {
    const more = await given(each.what, RUNS['once we are in'] - 1);
    again.push({ what: each.what, all: [...each.all, ...more] });
  }
  return again.sort(byPause)[0]!;
}

interface Worst {
  readonly name: string;
  readonly value: number;
}

try {
  const harmless = { keyExchanges: 'curve25519-sha256', endsAs: 'link-lost' } as const;
  const harmlessMs = pauseOf(
    await measureAll({ start: () => startHostileServer(harmless), does: 'runs' }, 5),
  );
  const pauses = new Map<Step, Worst>();
  let grown: Worst = { name: 'none', value: -Infinity };
  const rows: BenchRow[] = [];
  const take = (name: string, step: Step, all: readonly UntrustedFigures[]): void => {
    rows.push(rowOf(name, step, all));
    const pause = { name, value: pauseOf(all) };
    if (pause.value > (pauses.get(step)?.value ?? 0)) pauses.set(step, pause);
    if (growthOf(all) > grown.value) grown = { name, value: growthOf(all) };
  };
  const of = process.env['UNTRUSTED_OF'] ?? '';
  for (const [name, kind] of Object.entries(hostileServers(FLOOD))) {
    if (name.includes(of)) take(name, kind.step, await measureAll(kind, RUNS[kind.step]));
  }
  for (const reader of Object.keys(HOSTILE_READERS) as readonly HostileReaderName[]) {
    if (!reader.includes(of)) continue;
    const { what, all } = await worstFor(reader);
    take(`${reader}, of ${what}`, 'once we are in', all);
    if (reader in FLOODS) rows.push(...(await floodRows(reader)));
  }
  const groupMs = pauseOf([await measure('group14')]);
  report({
    name: 'untrusted',
    rows: [
      ...rows,
      ...[...pauses].map(([step, { name, value }]): BenchRow => ({
        measure: `longest pause of main ${step}, with the worst server: ${name} (baseline: making one share of group 14)`,
        value,
        unit: 'ms',
        baseline: groupMs,
        ratio: value / groupMs,
        goal: `under ${String(GOAL_MS)} ms`,
        isMet: value < GOAL_MS,
      })),
      {
        measure: `memory that is not given back, with the worst server: ${grown.name}`,
        value: grown.value,
        unit: 'MiB',
        goal: `under ${String(GOAL_GROWTH_MIB)} MiB`,
        isMet: grown.value < GOAL_GROWTH_MIB,
      },
      {
        measure: 'longest pause with a server that hangs up after its list: what this machine adds',
        value: harmlessMs,
        unit: 'ms',
      },
    ],
  });
} finally {
  if (runtime.connected) {
    const gone = once(runtime, 'exit');
    runtime.send('end');
    await gone;
  }
  rmSync(BUNDLE, { recursive: true, force: true });
}
