import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Plan } from '../../shared/plan/plan.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { PlanKeeper } from './plan-keeper.ts';

const LASTS_MS = 60_000;
const FAILED = err(problem('not-connected', 'The box is not connected.'));

let keeper: PlanKeeper<string>;
let done: string[];
let plan: Plan;

beforeEach(() => {
  vi.useFakeTimers();
  keeper = new PlanKeeper(LASTS_MS);
  done = [];
  plan = keeper.keep('box-a', 'the address', 'what is seen of it');
});
afterEach(() => {
  keeper.close();
  vi.useRealTimers();
});

const act = (content: string) => {
  done.push(content);
  return Promise.resolve(ok('done'));
};
const refusedBecause = (code: string) => ({ ok: false, error: { code } });

describe('a plan', () => {
  it('is carried out as it was shown, and once', async () => {
    expect(await keeper.carryOut('box-a', plan, act)).toEqual(ok('done'));
    expect(await keeper.carryOut('box-a', plan, act)).toMatchObject(refusedBecause('plan-gone'));
    expect(done).toEqual(['the address']);
  });

  it('is carried out once where it is asked for twice at the same time', async () => {
    const twice = await Promise.all([
      keeper.carryOut('box-a', plan, act),
      keeper.carryOut('box-a', plan, act),
    ]);
    expect(twice.map((each) => each.ok)).toEqual([true, false]);
    expect(done).toEqual(['the address']);
  });

  it('may be looked at as often as is wanted', () => {
    expect([keeper.peek('box-a', plan), keeper.peek('box-a', plan)]).toEqual([
      ok('the address'),
      ok('the address'),
    ]);
  });

  it('expires, and nothing of it is left in memory by then', async () => {
    const secret = { address: 'https://ntfy.invalid/topic' };
    const secrets = new PlanKeeper<typeof secret>(LASTS_MS);
    const shown = secrets.keep('box-a', secret, 'masked');
    vi.advanceTimersByTime(LASTS_MS - 1);
    expect(secrets.peek('box-a', shown)).toEqual(ok(secret));
    vi.advanceTimersByTime(1);
    // A clock that was set back brings nothing back.
    vi.setSystemTime(0);
    const late = vi.fn(act as never);
    expect(await secrets.carryOut('box-a', shown, late)).toMatchObject(
      refusedBecause('plan-expired'),
    );
    expect(late).not.toHaveBeenCalled();
  });

  it('expires by the clock where a timer was late, as after sleep', () => {
    vi.setSystemTime(Date.now() + LASTS_MS);
    expect(keeper.peek('box-a', plan)).toMatchObject(refusedBecause('plan-expired'));
  });

  it('is not carried out where something else was shown', async () => {
    const other = { ...plan, digest: '0'.repeat(64) };
    expect(await keeper.carryOut('box-a', other, act)).toMatchObject(
      refusedBecause('plan-changed'),
    );
    const newer = keeper.keep('box-a', 'another address', 'what is seen of it');
    expect(newer.digest).toBe(plan.digest);
    expect(await keeper.carryOut('box-a', plan, act)).toMatchObject(refusedBecause('plan-gone'));
    expect(await keeper.carryOut('box-a', newer, act)).toEqual(ok('done'));
    expect(done).toEqual(['another address']);
  });

  it('is no other box’s', async () => {
    keeper.keep('box-b', 'of b', 'what is seen of it');
    expect(await keeper.carryOut('box-b', plan, act)).toMatchObject(refusedBecause('plan-gone'));
    expect(await keeper.carryOut('box-c', plan, act)).toMatchObject(refusedBecause('plan-gone'));
    expect(done).toEqual([]);
  });

  it('that failed may be tried again until it expires, unless something newer was shown', async () => {
    expect(await keeper.carryOut('box-a', plan, () => Promise.resolve(FAILED))).toEqual(FAILED);
    expect(keeper.peek('box-a', plan)).toEqual(ok('the address'));
    const newer = keeper.keep('box-a', 'newer', 'n');
    const failing = keeper.carryOut('box-a', newer, () => {
      plan = keeper.keep('box-a', 'newest', 'n');
      return Promise.resolve(FAILED);
    });
    expect(await failing).toEqual(FAILED);
    expect(keeper.peek('box-a', plan)).toEqual(ok('newest'));
    vi.advanceTimersByTime(LASTS_MS);
    expect(keeper.peek('box-a', plan)).toMatchObject(refusedBecause('plan-expired'));
  });

  it('is forgotten at quit, also one that fails only then', async () => {
    const late = keeper.keep('box-b', 'of b', 'b');
    const failing = keeper.carryOut('box-b', late, () => {
      keeper.close();
      return Promise.resolve(FAILED);
    });
    expect(await failing).toEqual(FAILED);
    expect(keeper.peek('box-a', plan)).toMatchObject(refusedBecause('plan-gone'));
    expect(keeper.peek('box-b', late)).toMatchObject(refusedBecause('plan-gone'));
    expect(vi.getTimerCount()).toBe(0);
  });
});
