import { describe, expect, it } from 'vitest';
import { LogMetricsReader } from './log-metrics.ts';
import { progressError, progressPatterns, readByPatterns } from './progress-pattern.ts';

function read(pattern: string, line: string) {
  expect(progressError(pattern)).toBeNull();
  return readByPatterns(line, progressPatterns([pattern]))?.read ?? null;
}
const NOTHING = { step: null, total: null, epoch: null, epochs: null, values: [] };

describe('a pattern of the person’s own', () => {
  it.each([
    [
      'step {step}/{total} loss={loss}',
      '[12:00] step 120/1000 loss=0.42, lr 1',
      { step: 120, total: 1000, values: [{ name: 'loss', value: 0.42 }] },
    ],
    ['it {step}:', 'it   7: x', { step: 7 }],
    ['[{step}/{total}]', '[  5/100]', { step: 5, total: 100 }],
    ['{step};{loss}', '5;6 | 12;-1.5e-3', { step: 5, values: [{ name: 'loss', value: 6 }] }],
    ['{step}, {total}', '1,000, 2,000 steps', null],
    ['{step} of {total}', '1,000 of 2,000 steps', { step: 1000, total: 2000 }],
    ['{step},{total},{loss}', '120,1000,0.5', { step: 120, total: 1000 }],
    [
      'ep {epoch}/{epochs} {*}acc: {acc}',
      'ep 0.5/3 (a b c) acc: nan',
      { epoch: 0.5, epochs: 3, values: [{ name: 'acc', value: NaN }] },
    ],
    ['loss {loss}', 'loss is high, loss -inf', { values: [{ name: 'loss', value: -Infinity }] }],
    // Where it does not fit at first, it is looked for further on.
    ['step {step} ', 'step x step 4 step 5 ', { step: 4 }],
    ['step {step}', 'step 4.5', null],
    ['step {step}', 'step -4', null],
    ['speed {speed}', 'speed 1.2k', null],
    ['v{version}', 'v1.2.3', null],
    ['loss {loss}.', 'loss 12.', { values: [{ name: 'loss', value: 12 }] }],
    ['Step {step}', 'step 4', null],
    ['a(.*)+$ {step}', 'aaaa 4', null],
    ['a(.*)+$ {step}', 'a(.*)+$ 4', { step: 4 }],
  ])('%s, of %j', (pattern, line, expected) => {
    const found = read(pattern, line);
    if (expected === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ ...expected });
  });

  it('tells only what the line has', () => {
    expect(read('step {step}', 'step 4 loss 3')).toEqual({ ...NOTHING, step: 4 });
  });

  it.each([
    ['step', 'It reads nothing'],
    ['a {*} b', 'It reads nothing'],
    ['step {step}{total}', 'Put text between {step} and {total}'],
    ['step {step}{*}', 'Put text between {step} and {*}'],
    ['step {Step}', '“{Step}” is no placeholder. Expected {step}, {total}'],
    ['step {}', '“{}” is no placeholder'],
    ['step {step', '“{step” is no placeholder'],
    ['step {step}}', 'A “}” without its “{”'],
    ['{{step}}', '“{{step}” is no placeholder'],
    ['{loss} {loss}', '{loss} stands there twice'],
    ['of {total}', '{total} is how many steps there are'],
    ['of {epochs}', '{epochs} is how many epochs there are'],
    [`${'x'.repeat(120)}{step}`, 'Use at most 120 characters.'],
    ['a\n{step}', 'Write it on one line.'],
    [' ', 'Give it a value'],
  ])('is refused: %j', (pattern, says) => {
    expect(progressError(pattern)).toContain(says);
    expect(progressPatterns([pattern])).toEqual([]);
  });
});

it(
  'takes four times as long for a line four times as long, whatever stands in it',
  { timeout: 120_000 },
  () => {
    const patterns = progressPatterns([
      'a a {*} a {x}',
      '{x}z{*}{y}z',
      ' {x} {*} {y} {*} {z} end',
      `${'a'.repeat(100)}b{x}`,
      '1{x},2{*}3{y}',
    ]);
    expect(patterns.length).toBe(4);
    const costMs = (line: string): number => {
      const times = [1, 2].map(() => {
        const before = process.cpuUsage();
        expect(readByPatterns(line, patterns)).toBeNull();
        const { user, system } = process.cpuUsage(before);
        return (user + system) / 1000;
      });
      return Math.min(...times);
    };
    for (const unit of ['a', 'a a a 1.2k ', '1,', '1 ', ' ']) {
      const [fourth, whole] = [256 * 1024, 1024 * 1024].map((length) =>
        costMs(unit.repeat(length / unit.length)),
      );
      // As in linear-readers.test.ts: 4 where it is linear, 16 where it grows with the square.
      expect(whole, JSON.stringify(unit)).toBeLessThan(9 * Math.max(4, fourth ?? 0));
    }
  },
);

describe('a log with a pattern of its own', () => {
  function reader(progress: readonly string[], ...lines: readonly (readonly [string, number])[]) {
    const made = new LogMetricsReader((text) => text, progress);
    for (const [line, atMs] of lines) made.take(`${line}\n`, atMs);
    return made.takeChange();
  }

  it('tells position, end and figures, which known readers would not find', () => {
    const lines = Array.from({ length: 10 }, (_, i): readonly [string, number] => [
      `fitted ${String(i + 1)} out of 100; L = 0.5 ~ 7`,
      i * 1000,
    ]);
    expect(reader([], ...lines)).toBeNull();
    const change = reader(['fitted {step} out of {total}; L = {objective} '], ...lines);
    expect(change?.position).toMatchObject({ unit: 'step', done: 10, total: 100, perS: 1 });
    expect(change?.position?.end).toEqual({ fromMs: 99_000, toMs: 99_000 });
    expect(change?.changes).toMatchObject([{ name: 'objective', steps: { length: 10 } }]);
  });

  it('comes before what known readers count, and lets them read other figures', () => {
    const change = reader(
      ['done {step}|{total}'],
      [' 50%|██| 8/16 [00:04<00:04, 2.0it/s]', 0],
      ['done 3|30 step 99', 1],
      ['step 7 loss 0.25', 2],
      [' 50%|██| 9/16 [00:04<00:04, 2.0it/s]', 3],
    );
    expect(change?.position).toMatchObject({ unit: 'step', done: 3, total: 30 });
    expect(change?.changes).toMatchObject([{ name: 'loss', steps: [3], values: [0.25] }]);
  });

  it('takes steps behind an epoch for those of the epoch, and all epochs for the run', () => {
    const lines = [['e 2 of 4: s 5 of 10', 0]] as const;
    expect(reader(['e {epoch} of {*}s {step} of {total}'], ...lines)?.position).toMatchObject({
      isOfRound: true,
      done: 5,
    });
    const whole = reader(['e {epoch} of {epochs}: s {step} of {total}'], ...lines);
    expect(whole?.position).toMatchObject({ unit: 'epoch', total: 4, isOfRound: false });
  });

  it('says no total where a step is beyond it', () => {
    expect(reader(['s {step}/{total}.'], ['s 11/10.', 0])?.position).toMatchObject({
      done: 11,
      total: null,
    });
  });
});
