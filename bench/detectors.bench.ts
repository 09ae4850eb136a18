// What the detectors cost main: 100 boxes of 8 GPUs, a row per GPU and second.
import { BoxDetectors } from '../src/shared/detectors/box-detectors.ts';
import { details, facts, reading } from '../src/shared/detectors/box.fixture.ts';
import { LIVE } from '../src/shared/detectors/cases.fixture.ts';
import type { GpuReading } from '../src/shared/telemetry/gpu-reading.ts';
import { report, type BenchRow } from './harness.ts';

const BOXES = 100;
const GPUS = 8;
const SECONDS = 120;
/** Until every window is full and every belief settled. */
const WARM_UP_S = 700;
const GOAL_PCT_OF_A_CORE = 5;
const FACTS_EVERY_S = 30;

const CARD = {
  maxSmClockMHz: 1980,
  powerLimitW: 700,
  defaultPowerLimitW: 700,
  memoryTotalMiB: 81_559,
  memoryReservedMiB: 479,
  throttleBits: 0,
  isRemapPending: false,
  pcieGenCurrent: 5,
  pcieGenMax: 5,
  pcieWidthCurrent: 16,
  pcieWidthMax: 16,
};

type Row = (box: number, gpu: number, second: number) => Partial<GpuReading>;

const healthy: Row = (box, gpu, second) => ({
  smPct: 93 + ((box + gpu + second) % 8),
  powerW: 620 + ((box + second) % 30),
  smClockMHz: 1980,
  temperatureC: 60 + (gpu % 8),
  memoryUsedMiB: 40_000,
  powerViolationPct: 0,
  isThermallyHeld: false,
  encoderPct: 0,
  decoderPct: 0,
});
/** Every card of every box is too hot, and half of them wait for data: as much to tell as there can be. */
const sick: Row = (box, gpu, second) => ({
  ...healthy(box, gpu, second),
  smPct: gpu % 2 === 0 ? 98 : 35 + (second % 9),
  smClockMHz: 1000 + ((box + second) % 50),
  powerW: 250,
  isThermallyHeld: true,
});

/** Milliseconds of one core for a second of the whole fleet. */
function measure(row: Row): { readonly msPerSecond: number; readonly told: number } {
  const boxes = Array.from({ length: BOXES }, () => new BoxDetectors());
  // Made beforehand: the readings cost the same whether somebody judges them or not.
  const cycles = Array.from({ length: 60 }, (_, second) =>
    boxes.map((_box, box) =>
      Array.from({ length: GPUS }, (_gpu, index) => reading({ index, ...row(box, index, second) })),
    ),
  );
  let told = 0;
  const second = (atS: number): void => {
    const atMs = atS * 1000;
    for (const [place, box] of boxes.entries()) {
      if (atS % FACTS_EVERY_S === place % FACTS_EVERY_S) {
        const gpus = Array.from({ length: GPUS }, (_, index) => details({ index, ...CARD }));
        box.useTelemetry(LIVE);
        box.useFacts({ facts: { ...facts(), atMs, gpus }, problem: null });
      }
      box.useReadings(atMs, cycles[atS % cycles.length]?.[place] ?? []);
      if (box.judge(atMs)) told += 1;
    }
  };
  for (let atS = 0; atS < WARM_UP_S; atS += 1) second(atS);
  told = 0;
  const startedAtMs = performance.now();
  for (let atS = WARM_UP_S; atS < WARM_UP_S + SECONDS; atS += 1) second(atS);
  return { msPerSecond: (performance.now() - startedAtMs) / SECONDS, told };
}

function rows(name: string, row: Row): readonly BenchRow[] {
  const { msPerSecond, told } = measure(row);
  const pct = msPerSecond / 10;
  return [
    {
      measure: `share of one core, ${BOXES} boxes × ${GPUS} GPUs at 1 Hz, ${name}`,
      value: Math.round(pct * 100) / 100,
      unit: '%',
      goal: `under ${GOAL_PCT_OF_A_CORE}`,
      isMet: pct < GOAL_PCT_OF_A_CORE,
    },
    {
      measure: `reports told, ${name}`,
      value: Math.round((told / SECONDS) * 10) / 10,
      unit: '1/s',
    },
  ];
}

report({ name: 'detectors', rows: [...rows('all healthy', healthy), ...rows('all sick', sick)] });
