import { describe, expect, it } from 'vitest';
import { damaged, noise, sample, sampleNames } from '../probes/sample.fixture.ts';
import { parseDmon } from '../probes/dmon.ts';
import { DmonCycles } from '../probes/dmon-cycles.ts';
import { parseKernelLog } from '../probes/xid.ts';
import type { GpuDetails } from '../telemetry/gpu-facts.ts';
import type { GpuReading } from '../telemetry/gpu-reading.ts';
import { details, facts, reading } from './box.fixture.ts';
import { BoxDetectors } from './box-detectors.ts';
import {
  answerOf,
  caseNames,
  feed,
  LIVE,
  momentsOf,
  readCase,
  replay,
  type Case,
  type Moment,
} from './cases.fixture.ts';
import { detectors } from './catalog.ts';
import type { JudgedBox } from './box-findings.ts';
import type { DetectorId } from './finding.ts';

/** Cases of which a sample decides nothing, so that losing some changes nothing. */
const longCases = caseNames
  .map((name) => ({ name, given: readCase(name) }))
  .filter(({ given }) => given.seconds >= 60 && given.failed === undefined);

const found = ({ findings }: JudgedBox): readonly DetectorId[] =>
  findings.map(({ detector }) => detector);

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

describe.each(longCases)('$name', ({ given }) => {
  const usual = found(replay(given));

  it('is the same with repeated and late samples', () => {
    const random = noise(3);
    const messy = momentsOf(given).flatMap((moment, i, all): Moment[] => {
      const late = all[i - 1];
      return random() < 0.3 && late !== undefined ? [moment, late, moment] : [moment, moment];
    });
    expect(found(replay(given, messy))).toEqual(usual);
  });

  it('is the same when single samples are missing', () => {
    // The looks of the slow probe come with every thirtieth second: those stay.
    const thin = momentsOf(given).filter(({ atMs }) => atMs % 30_000 === 0 || atMs % 4000 !== 0);
    expect(found(replay(given, thin))).toEqual(usual);
  });

  it('neither throws nor makes up times when everything comes in disorder', () => {
    const { findings } = replay(given, shuffled(momentsOf(given), noise(5)));
    for (const { sinceMs, lastSeenMs } of findings) expect(sinceMs).toBeLessThanOrEqual(lastSeenMs);
  });

  it('knows nothing any more when the data stop, and calls nothing clear', () => {
    const box = new BoxDetectors();
    const moments = momentsOf(given);
    for (const moment of moments) feed(box, given, moment);
    const endMs = moments.at(-1)?.atMs ?? 0;
    for (let atMs = endMs; atMs <= endMs + 300_000; atMs += 5000) box.judge(atMs);
    const report = box.findings;
    expect(new Set(detectors.map(({ id }) => answerOf(report, id)))).toEqual(new Set(['unknown']));
    expect(found(report)).toEqual(usual); // still shown, as not seen since
    for (const finding of report.findings)
      expect(finding.lastSeenMs).toBeLessThanOrEqual(endMs + 180_000);
  });
});

describe('no input throws', () => {
  function swallow(readings: readonly GpuReading[], log: string): void {
    const box = new BoxDetectors();
    const { rows, outcome } = parseKernelLog(log);
    const grouping = new DmonCycles();
    const cycles = [...grouping.push(readings), ...grouping.end()];
    for (let atS = 0; atS < 60; atS += 1) {
      const atMs = atS * 1000;
      box.useTelemetry(LIVE);
      if (atS % 30 === 0) {
        const kernelLog = { outcome, events: rows, source: 'dmesg' as const };
        box.useFacts({ facts: { ...facts(), atMs, gpus: [details()], kernelLog }, problem: null });
      }
      box.useReadings(atMs, cycles[atS % Math.max(1, cycles.length)] ?? []);
      box.judge(atMs);
    }
    for (const { clues } of box.findings.findings) {
      for (const each of clues) if (each.kind === 'figure') expect(each.value).not.toBeNaN();
    }
  }

  const texts = ['dmon', 'query', 'query-form', 'xid', 'df', 'cgroup'].flatMap((probe) =>
    sampleNames(probe),
  );

  it.each(texts)('%s', (name) => {
    const { text } = sample(name);
    swallow(parseDmon(text).readings, text);
    for (const seed of [1, 2, 3]) {
      const bad = damaged(text, noise(seed));
      swallow(parseDmon(bad).readings, bad);
    }
  });

  it('takes absurd numbers, times and places', () => {
    const random = noise(11);
    const absurd = [NaN, Infinity, -Infinity, -1, 0, 1e308, null, 0xffff_ffff];
    const pick = (): number | null => absurd[Math.floor(random() * absurd.length)] ?? null;
    const box = new BoxDetectors();
    box.useTelemetry(LIVE);
    for (let i = 0; i < 2000; i += 1) {
      const atMs = random() < 0.1 ? (pick() ?? 0) : i * 1000;
      const rows = [0, 1, pick() ?? 2].map((index) =>
        reading({
          index,
          smPct: pick(),
          powerW: pick(),
          smClockMHz: pick(),
          memoryUsedMiB: pick(),
        }),
      );
      const told: Partial<GpuDetails> = {
        maxSmClockMHz: pick(),
        memoryTotalMiB: pick(),
        powerLimitW: pick(),
      };
      if (i % 30 === 0)
        box.useFacts({ facts: { ...facts(), atMs, gpus: [details(told)] }, problem: null });
      box.useReadings(atMs, rows);
      box.judge(atMs);
    }
    expect(box.findings.atMs).not.toBe(0);
  });

  it('keeps no more cards than a box can have, whatever it prints', () => {
    const box = new BoxDetectors();
    const rows = Array.from({ length: 5000 }, (_, index) => reading({ index, smPct: 1 }));
    for (let atS = 0; atS <= 20; atS += 1) box.useReadings(atS * 1000, rows);
    box.judge(20_000);
    const indices = box.findings.unknown.flatMap(({ gpus }) => gpus);
    expect(Math.max(...indices)).toBe(255);
  });
});

describe('a noisy border does not flap', () => {
  const H100 = {
    maxSmClockMHz: 1980,
    powerLimitW: 700,
    memoryTotalMiB: 81_559,
    memoryReservedMiB: 479,
    throttleBits: 0,
  };
  type Wobble = (random: () => number) => Partial<GpuReading>;
  const around = (middle: number, by: number, random: () => number): number =>
    Math.max(0, Math.round(middle + by * (2 * random() - 1)));

  it.each<[DetectorId, Wobble]>([
    ['U24', (random) => ({ smPct: around(70, 30, random), memoryUsedMiB: 9000 })],
    ['U24', (random) => ({ smPct: around(10, 8, random), memoryUsedMiB: 9000 })],
    [
      'U21',
      (random) => ({
        smPct: 98,
        powerW: around(400, 120, random),
        smClockMHz: around(1188, 300, random),
      }),
    ],
    ['U10', (random) => ({ smPct: 98, memoryUsedMiB: around(78_640, 1500, random) })],
    ['U23', (random) => ({ smPct: 98, smClockMHz: 1000, isThermallyHeld: random() < 0.5 })],
    ['idle', (random) => ({ smPct: around(3, 3, random), memoryUsedMiB: 0 })],
  ])('%s', (id, wobble) => {
    const random = noise(17);
    const box = new BoxDetectors();
    box.useTelemetry(LIVE);
    const answers: string[] = [];
    for (let atS = 0; atS < 4 * 3600; atS += 1) {
      const atMs = atS * 1000;
      if (atS % 30 === 0)
        box.useFacts({ facts: { ...facts(), atMs, gpus: [details(H100)] }, problem: null });
      box.useReadings(atMs, [reading(wobble(random))]);
      box.judge(atMs);
      const answer = answerOf(box.findings, id);
      if (answer !== 'unknown' && answer !== answers.at(-1)) answers.push(answer);
    }
    // Four hours on the border: at most one change of mind.
    expect(answers.length).toBeLessThanOrEqual(2);
  });
});

it('tells again only what is new: at once what changed, numbers every ten seconds', () => {
  const given: Case = readCase('U24--found-h100-latency-bound');
  const box = new BoxDetectors();
  const toldAtS = momentsOf({ ...given, seconds: 180 })
    .filter((moment) => feed(box, given, moment))
    .map(({ atMs }) => atMs / 1000);
  const foundAtS = toldAtS.filter((atS) => atS >= 90);
  expect(foundAtS[0]).toBe(90); // 15 s until the window tells, 75 s until it is believed
  for (const [i, atS] of foundAtS.slice(1).entries()) expect(atS - (foundAtS[i] ?? 0)).toBe(10);
});
