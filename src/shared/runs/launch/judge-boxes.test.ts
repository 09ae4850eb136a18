import { describe, expect, it } from 'vitest';
import { block, pass, unknown } from './checks/judged.ts';
import { judgeBoxes, type BoxChoice } from './judge-boxes.ts';

const box = (name: string, differs: Partial<BoxChoice> = {}): BoxChoice => ({
  name,
  platform: 'runpod',
  cannot: null,
  gpus: null,
  pricePerHour: null,
  ...differs,
});
const order = (platforms: readonly string[] | undefined, ...boxes: readonly BoxChoice[]) =>
  judgeBoxes(platforms, boxes).map(({ name }) => name);
const costs = (amount: number) => ({ pricePerHour: { currency: 'USD' as const, micros: amount } });

describe('boxes for a request', () => {
  it('stand in the order of its platforms, and those of others last', () => {
    const vast = box('b', { platform: 'vastai' });
    const other = box('c', { platform: 'lambda' });
    const unsaid = box('d', { platform: null });
    expect(order(['vastai', 'runpod'], other, unsaid, box('a'), vast)).toEqual([
      ...['b', 'a', 'c', 'd'],
    ]);
    expect(order(undefined, other, box('a'), vast)).toEqual(['c', 'a', 'b']);
  });

  it('stand behind where the GPUs do not do, are not known, or nobody can ask', () => {
    const fits = box('fits', { platform: 'lambda', gpus: pass('has it') });
    expect(
      order(
        ['runpod'],
        box('off', { cannot: 'not reached', gpus: pass('has it') }),
        box('lacks', { gpus: block('lacks it', null, 'x') }),
        box('unknown', { gpus: unknown('not known') }),
        fits,
      ),
    ).toEqual(['fits', 'unknown', 'lacks', 'off']);
  });

  it('stand by their price where all else is alike, unknown ones last', () => {
    expect(order(['runpod'], box('x'), box('b', costs(2)), box('a', costs(1)))).toEqual([
      ...['a', 'b', 'x'],
    ]);
  });

  it('stand as they came where their prices are in several currencies', () => {
    const euros = { pricePerHour: { currency: 'EUR' as const, micros: 1 } };
    expect(order(undefined, box('x'), box('b', costs(2)), box('a', euros))).toEqual([
      ...['b', 'a', 'x'],
    ]);
  });

  it('say why', () => {
    const [best, worst] = judgeBoxes(
      ['runpod', 'vastai'],
      [box('b', { platform: 'lambda', cannot: 'it did not answer' }), box('a')],
    );
    expect(best).toEqual({
      name: 'a',
      fits: true,
      because: ['RunPod: choice 1 of 2', 'price not known'],
    });
    expect(worst).toMatchObject({ fits: false });
    expect(worst?.because.slice(0, 2)).toEqual([
      'it did not answer',
      'Lambda: not among the platforms of the request',
    ]);
  });
});
