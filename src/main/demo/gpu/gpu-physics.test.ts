import { describe, expect, it } from 'vitest';
import { gpuModelNames, type GpuModelName } from '../../../shared/demo/gpu-models.ts';
import { createRandom } from '../random.ts';
import { gpuModels } from './model-figures.ts';
import { advanceGpu, createGpu, type GpuInputs, type GpuState } from './gpu-physics.ts';

function advance(gpu: GpuState, seconds: number, inputs: Partial<GpuInputs>): GpuState {
  const random = createRandom(3);
  let state = gpu;
  for (let second = 0; second < seconds; second += 1) {
    state = advanceGpu(state, {
      load: 'idle',
      isThrottled: false,

      elapsedS: 1,
      random,
      ...inputs,
    });
  }
  return state;
}

const busy = (name: GpuModelName): GpuState =>
  advance(createGpu(0, name), 120, { load: 'training' });

describe.each(gpuModelNames)('%s', (name) => {
  const model = gpuModels[name];

  it('reaches plausible figures under load and stays within its limits', () => {
    const gpu = busy(name);
    expect(gpu.powerW).toBeGreaterThan(model.powerLimitW * 0.75);
    expect(gpu.powerW).toBeLessThan(model.powerLimitW * 1.03);
    expect(gpu.smClockMHz).toBeLessThanOrEqual(model.maxSmClockMHz);
    expect(gpu.smClockMHz).toBeGreaterThan(model.maxSmClockMHz * 0.7);
    expect(gpu.memoryUsedMiB).toBeGreaterThan(model.memoryTotalMiB * 0.5);
    expect(gpu.memoryUsedMiB).toBeLessThan(model.memoryTotalMiB);
    expect(gpu.memoryClockMHz).toBe(model.memoryClockMHz);
    expect(gpu.memoryTemperatureC === null).toBe(!model.hasMemorySensor);
  });

  it('falls to its idle figures when the job is gone, its memory at once and its warmth last', () => {
    const gpu = busy(name);
    const next = advance(gpu, 1, {});
    expect([next.smPct, next.memoryUsedMiB, next.isIdle]).toEqual([0, 0, true]);
    expect(next.temperatureC).toBeGreaterThan(gpu.temperatureC - 3);
    const later = advance(gpu, 10, {});
    expect(later.smClockMHz).toBe(model.idleSmClockMHz);
    expect(later.powerW).toBeCloseTo(model.idlePowerW, 0);
    const cold = advance(gpu, 200, {});
    expect(cold.temperatureC).toBeCloseTo(createGpu(0, name).temperatureC, 0);
  });

  it('throttled: low clock and low power at high use, hot, and counting the time', () => {
    const gpu = advance(busy(name), 60, { load: 'training', isThrottled: true });
    expect(gpu.smPct).toBeGreaterThan(40);
    expect(gpu.smClockMHz).toBeLessThan(model.maxSmClockMHz * 0.55);
    expect(gpu.powerW).toBeLessThan(busy(name).powerW * 0.9);
    expect(gpu.temperatureC).toBeGreaterThan(80);
    expect([gpu.heldByHeatUs, gpu.isPowerCapped]).toEqual([60e6, false]);
  });
});

it('keeps the clocks of an L40S up for a few seconds, as in the recording', () => {
  const clocks = Array.from(
    { length: 5 },
    (_, place) => advance(busy('L40S'), place + 1, {}).memoryClockMHz,
  );
  expect(clocks).toEqual([9001, 9001, 9001, 405, 405]);
});

it('keeps memory but no load for a stopped job', () => {
  const gpu = advance(busy('H200'), 5, { load: 'held' });
  expect(gpu.smPct).toBe(0);
  expect(gpu.memoryUsedMiB).toBe(busy('H200').memoryUsedMiB);
});

it('dips while a checkpoint is saved', () => {
  expect(advance(busy('H200'), 1, { load: 'saving' }).smPct).toBeLessThan(20);
});
