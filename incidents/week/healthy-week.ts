import { createRandom } from '../../src/main/demo/random.ts';
import { parseDmon } from '../../src/shared/probes/dmon.ts';
import { sample } from '../../src/shared/probes/sample.fixture.ts';
import { dmonRow, type DmonCells } from '../gpu/dmon-text.ts';

const DAY_S = 24 * 3600;
export const CARDS = 8;
/** Which second looks like which: enough that no two minutes are alike, few enough to be made once. */
const VARIANTS = 48;

export type Phase = 'idle' | 'load' | 'train' | 'save' | 'validate' | 'stall' | 'pause' | 'cut';

/** A part of the week in which a box does one thing. */
export interface Span {
  readonly phase: Phase;
  readonly fromS: number;
  readonly seconds: number;
  /** Counts the runs; a pause belongs to the run before it. */
  readonly run: number;
}

/**
 * A week of a box that is well: runs of some hours that the person stops and starts again, with saves, validation, stalls of
 * the loader, lost links, and nights on which nobody works. The same seed makes the same week.
 */
export function healthyWeek(seed: number, seconds: number): readonly Span[] {
  const random = createRandom(seed);
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low));
  const spans: Span[] = [];
  let [at, run] = [0, 0];
  const add = (phase: Phase, seconds: number): void => {
    spans.push({ phase, fromS: at, seconds, run });
    at += seconds;
  };
  const train = (untilS: number): void => {
    let sinceValidation = 0;
    while (at < untilS) {
      const burst = between(120, 600);
      add('train', burst);
      sinceValidation += burst;
      const chance = random();
      if (chance < 0.35) add('stall', between(2, 5));
      else if (chance < 0.6) add('save', between(4, 15));
      else if (chance < 0.62) add('cut', between(4, 600));
      if (sinceValidation > 1800) {
        add('validate', between(15, 40));
        sinceValidation = 0;
      }
    }
  };
  for (let day = 0; at < seconds; day += 1) {
    const isFree = random() < 0.4;
    const endsAtS = day * DAY_S + (isFree ? between(16, 20) * 3600 : DAY_S);
    while (at < endsAtS) {
      run += 1;
      add('load', between(20, 40));
      train(Math.min(endsAtS, at + between(2, 7) * 3600));
      add('pause', between(60, 480));
    }
    if (at < (day + 1) * DAY_S) add('idle', (day + 1) * DAY_S - at);
  }
  return spans.flatMap((span) => {
    const left = seconds - span.fromS;
    return left <= 0 ? [] : [{ ...span, seconds: Math.min(span.seconds, left) }];
  });
}

type Column = keyof DmonCells;
/** What a recorded second of one card says of the columns that it has. */
function recorded(name: string): readonly DmonCells[] {
  return parseDmon(sample(name).text).readings.map((reading) => ({
    pwr: reading.powerW ?? '-',
    gtemp: reading.temperatureC ?? '-',
    mtemp: reading.memoryTemperatureC ?? '-',
    sm: reading.smPct ?? '-',
    mem: reading.memPct ?? '-',
    mclk: reading.memoryClockMHz ?? '-',
    pclk: reading.smClockMHz ?? '-',
  }));
}

/** The rows of one second of all cards, as dmon prints them, so many variants of each phase. */
export function cyclesOf(seed: number): ReadonlyMap<Phase, readonly string[]> {
  const random = createRandom(seed);
  const load = recorded('dmon--h100-590-load');
  const idle = recorded('dmon--h100-590-idle');
  const pick = (rows: readonly DmonCells[]): DmonCells =>
    rows[Math.floor(random() * rows.length)] ?? {};
  const around = (cells: DmonCells, column: Column, by: number): number => {
    const value = cells[column];
    return typeof value === 'number' ? value + Math.round((random() * 2 - 1) * by) : 0;
  };
  const between = (low: number, high: number): number => Math.round(low + random() * (high - low));
  const cells: Readonly<Record<Exclude<Phase, 'cut'>, () => DmonCells>> = {
    idle: () => ({ ...pick(idle), fb: 4, bar1: 1 }),
    pause: () => ({ ...pick(idle), fb: 4, bar1: 1 }),
    load: () => ({
      ...pick(idle),
      sm: between(0, 30),
      pwr: between(90, 200),
      pclk: 1980,
      fb: between(900, 40_000),
    }),
    train: () => {
      const row = pick(load);
      return {
        ...row,
        sm: between(93, 100),
        pwr: around(row, 'pwr', 90),
        pclk: between(1890, 1980),
        fb: between(61_800, 62_200),
        pviol: random() < 0.1 ? between(1, 6) : 0,
      };
    },
    save: () => ({ ...pick(load), sm: between(0, 4), mem: 0, pwr: between(115, 190), fb: 62_000 }),
    stall: () => ({ ...pick(load), sm: between(0, 20), pwr: between(120, 240), fb: 62_000 }),
    validate: () => ({ ...pick(load), sm: between(30, 75), pwr: between(240, 480), fb: 62_000 }),
  };
  return new Map(
    Object.entries(cells).map(([phase, make]): [Phase, readonly string[]] => [
      phase as Phase,
      Array.from({ length: VARIANTS }, () =>
        Array.from({ length: CARDS }, (_none, index) => dmonRow(index, make())).join(''),
      ),
    ]),
  );
}
