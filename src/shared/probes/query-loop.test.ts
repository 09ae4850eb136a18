import { describe, expect, it } from 'vitest';
import { QueryLoopReader, queryLoopCommand } from './query-loop.ts';
import { cut, damaged, noise, randomText, sample } from './sample.fixture.ts';

function read(text: string, size = text.length || 1) {
  const reader = new QueryLoopReader();
  const batches = [...cut(text, size).map((piece) => reader.push(piece)), reader.end()];
  return {
    readings: batches.flatMap(({ readings }) => readings),
    unreadable: batches.reduce((sum, { unreadableCount }) => sum + unreadableCount, 0),
    failures: batches.flatMap(({ failures }) => failures),
  };
}

const HEADER = 'index, utilization.gpu [%], power.draw [W], clocks_event_reasons.active\n';

describe('QueryLoopReader', () => {
  it.each([
    ['h100-590-csv-load', { smPct: 100, powerW: 631.95, memoryTemperatureC: 54, throttleBits: 0 }],
    ['h100-mig-590-csv-load', { smPct: null, memPct: null }],
    ['l40s-595-csv-just-after-load', { powerW: 144.97, memoryTemperatureC: null }],
  ])('reads the recorded %s', (name, expected) => {
    const { readings, unreadable } = read(sample(`query--${name}`).text);
    expect(readings).toMatchObject([expected]);
    expect(unreadable).toBe(0);
  });

  it('reads the same from pieces cut anywhere', () => {
    const text = `${HEADER}0, 55 %, 70.10 W, 0x0000000000000004\n1, [N/A], [N/A], [N/A]\n`;
    const whole = read(text);
    expect(whole.readings).toMatchObject([
      { index: 0, smPct: 55, powerW: 70.1, throttleBits: 4 },
      { index: 1, smPct: null, powerW: null, throttleBits: null },
    ]);
    for (const size of [1, 2, 7, 30]) expect(read(text, size)).toEqual(whole);
  });

  it.each([
    ['a row before any header', '0, 55 %, 70 W, 0x0\n'],
    ['a share above 100', `${HEADER}0, 155 %, 70 W, 0x0\n`],
    ['a negative figure', `${HEADER}0, -5 %, 70 W, 0x0\n`],
    ['a decimal comma', `${HEADER}0, 55 %, 70,5 W, 0x0\n`],
    ['a row that lost a cell', `${HEADER}0, 55 %, 70 W\n`],
    ['words', `${HEADER}what is this\n`],
  ])('counts %s as unreadable', (_what, text) => {
    expect(read(text)).toMatchObject({ readings: [], unreadable: 1 });
  });

  it('does not believe a last line that may be cut', () => {
    expect(read(`${HEADER}0, 55 %, 70.10 W, 0x0\n0, 5`).readings).toHaveLength(1);
  });

  it('names a refused field and a lost card', () => {
    const { failures } = read(
      `Field "utilization.ofa" is not a valid field to query.\n${HEADER}[GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost]\n`,
    );
    expect(failures).toMatchObject([
      { kind: 'field-refused', field: 'utilization.ofa' },
      { kind: 'gpu-lost' },
    ]);
  });

  it('never gives an impossible figure, whatever comes', () => {
    const random = noise(31);
    const recorded = sample('query--h100-590-csv-load').text;
    for (let round = 0; round < 100; round += 1) {
      const text = damaged(recorded.repeat(3), random) + randomText(200, random);
      for (const { smPct, temperatureC, index } of read(text, 1 + round).readings) {
        expect(smPct === null || (smPct >= 0 && smPct <= 100)).toBe(true);
        expect(temperatureC === null || temperatureC <= 250).toBe(true);
        expect(Number.isInteger(index)).toBe(true);
      }
    }
  });
});

describe('queryLoopCommand', () => {
  it('takes the older name of the reasons, and then neither', () => {
    expect(queryLoopCommand([])).toContain('clocks_event_reasons.active');
    expect(queryLoopCommand(['clocks_event_reasons.active'])).toContain(
      'clocks_throttle_reasons.active',
    );
    const none = queryLoopCommand([
      'clocks_event_reasons.active',
      'clocks_throttle_reasons.active',
    ]);
    expect(none).not.toContain('reasons');
    expect(queryLoopCommand(['index'])).toBeNull();
  });
});
