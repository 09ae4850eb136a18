import { describe, expect, it } from 'vitest';
import { AmdReader, parseAmdReadings, readAmdFacts } from './amd.ts';
import { readMarkedSections } from './marked-sections.ts';
import { noise, randomText } from './sample.fixture.ts';

// Written by hand after the names that both tools use; no recording of a whole box was at hand.
const SMI = {
  gpu_data: [
    {
      gpu: 1,
      usage: { gfx_activity: { value: 40, unit: '%' }, umc_activity: 'N/A' },
      power: { socket_power: { value: 239, unit: 'W' } },
      clock: { gfx_0: { clk: { value: 1300, unit: 'MHz' } } },
      temperature: {
        edge: 'N/A',
        hotspot: { value: 61, unit: 'C' },
        mem: { value: 58, unit: 'C' },
      },
      mem_usage: { used_vram: { value: 283, unit: 'MB' } },
    },
    { gpu: 0, usage: 'N/A', mem_usage: 'N/A' },
  ],
};
const ROCM = {
  card0: {
    'GPU use (%)': '37',
    'Average Graphics Package Power (W)': '22.0',
    'Temperature (Sensor edge) (C)': '44.0',
    'sclk clock speed:': '(1500Mhz)',
    'VRAM Total Used Memory (B)': '1073741824',
  },
  system: { 'Driver version': '6.7.0' },
};

describe('parseAmdReadings', () => {
  it('reads what both tools print, and leaves the rest unknown', () => {
    expect(parseAmdReadings(JSON.stringify(SMI))).toMatchObject([
      { index: 0, smPct: null, powerW: null, memoryUsedMiB: null },
      { index: 1, smPct: 40, memPct: null, powerW: 239, temperatureC: 61, smClockMHz: 1300 },
    ]);
    expect(parseAmdReadings(JSON.stringify(SMI.gpu_data))).toHaveLength(2);
    expect(parseAmdReadings(`WARNING: no permission\n${JSON.stringify(ROCM)}`)).toMatchObject([
      { index: 0, smPct: 37, powerW: 22, temperatureC: 44, smClockMHz: 1500, memoryUsedMiB: 1024 },
    ]);
  });

  it.each(['', '{}', '[]', 'null', '{"card0": 3}', '[{"gpu": -1}]', '{"gpu_data": [{'])(
    'takes %j for no reading',
    (text) => expect(parseAmdReadings(text)).toBeNull(),
  );

  it('reads the names of other versions, and takes memory that is allocated for no activity', () => {
    const old = { card0: { 'GPU use (%)': '12', 'GPU memory use (%)': '7' } };
    expect(parseAmdReadings(JSON.stringify(old))).toMatchObject([{ smPct: 12, memPct: 7 }]);
    const young = {
      card1: {
        'GPU Memory Allocated (VRAM%)': '91',
        'GPU Memory Read/Write Activity (%)': '8',
        'Current Socket Graphics Package Power (W)': '141.0',
        'Temperature (Sensor junction) (C)': 'N/A',
      },
    };
    expect(parseAmdReadings(JSON.stringify(young))).toMatchObject([
      { index: 1, smPct: null, memPct: 8, powerW: 141, temperatureC: null, memoryUsedMiB: null },
    ]);
  });

  it('reads units beside the figures, as older versions write them', () => {
    const card = {
      gpu: 0,
      usage: { gfx_activity: '97 %', umc_activity: 'N/A' },
      power: { current_power: '310 W' },
      clock: { gfx_0: { clk: '1950 MHz' } },
      temperature: { edge_temperature: '48 °C', hotspot_temperature: 'N/A', mem: '55 °C' },
    };
    expect(parseAmdReadings(JSON.stringify([card]))).toMatchObject([
      { smPct: 97, memPct: null, powerW: 310, smClockMHz: 1950, temperatureC: 48 },
    ]);
  });

  it('refuses a figure in another unit, and one that cannot be true', () => {
    const card = {
      gpu: 0,
      usage: { gfx_activity: { value: 400, unit: '%' } },
      power: { socket_power: { value: 3, unit: 'kW' } },
    };
    expect(parseAmdReadings(JSON.stringify([card]))).toMatchObject([{ smPct: null, powerW: null }]);
  });
});

describe('AmdReader', () => {
  it('reads sample after sample from pieces, and counts what is none', () => {
    const reader = new AmdReader();
    const text = `${JSON.stringify(SMI, null, 2)}\n\nleasehold-end-of-sample\nrubbish\nleasehold-end-of-sample\n${JSON.stringify(ROCM)}\nleasehold-end-of-sample\n{"half`;
    let readings = 0;
    let unreadable = 0;
    for (const piece of text.match(/[^]{1,13}/g) ?? []) {
      const batch = reader.push(piece);
      readings += batch.readings.length;
      unreadable += batch.unreadableCount;
    }
    unreadable += reader.end().unreadableCount;
    expect([readings, unreadable]).toEqual([3, 2]);
  });

  it('keeps no more than a sample’s worth of noise', () => {
    const reader = new AmdReader();
    const random = noise(3);
    let unreadable = 0;
    for (let i = 0; i < 40; i += 1) {
      unreadable += reader.push(`${randomText(60_000, random)}\n`).unreadableCount;
    }
    expect(unreadable).toBeGreaterThan(0);
  });
});

describe('readAmdFacts', () => {
  it('reads name and memory of each card; null where nobody asked', () => {
    const text = (name: string, json: unknown): string =>
      `m begin ${name}\n${JSON.stringify(json)}\nm end ${name} 0\n`;
    const smi = {
      gpu_data: [
        {
          gpu: 0,
          asic: { market_name: 'MI300X' },
          vram: { size: { value: 196592, unit: 'MB' } },
          bus: { bdf: '0000:05:00.0' },
        },
      ],
    };
    expect(readAmdFacts(readMarkedSections(text('amd-static', smi), 'm'))).toMatchObject([
      { name: 'MI300X', memoryTotalMiB: 196_592, uuid: '0000:05:00', maxSmClockMHz: null },
    ]);
    expect(readAmdFacts(readMarkedSections(text('rocm', ROCM), 'm'))).toMatchObject([
      { index: 0, name: 'AMD GPU', driverVersion: '6.7.0', uuid: '#0' },
    ]);
    const unnamed = { card0: { 'Card series': '0x1002', 'PCI Bus': '0000:07:00.0' } };
    expect(readAmdFacts(readMarkedSections(text('rocm', unnamed), 'm'))).toMatchObject([
      { name: 'AMD GPU', uuid: '0000:07:00' },
    ]);
    expect(readAmdFacts(readMarkedSections(text('gpus', {}), 'm'))).toBeNull();
  });
});
