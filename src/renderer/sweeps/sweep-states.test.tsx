import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { planRefOf } from '../../shared/plan/plan.ts';
import { problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import type { LaunchedShare, SweepPlan } from '../../shared/runs/sweep/sweep-plan.ts';
import { samplePlan } from '../box/runs/launch/launch.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { StreamProvider } from '../state/stream-context.ts';
import { openTestWindow } from '../test-window.fixture.ts';
import { SweepPlanView } from './sweep-plan-view.tsx';

const [ALPHA, BETA] = [
  '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
  '0b6f2a34-13c0-4a6e-9d2b-6b9e0d3f7c11',
] as const;
const { plan, ...share } = samplePlan();
const clear = { ...share, checks: [] };
const PLAN: SweepPlan = {
  plan,
  ...{ sweepId: 's-20260101-000000-00000000', name: 'halves' },
  file: { name: 'sweep', what: 'All cells.', text: 'the same for both' },
  shares: [
    { boxId: ALPHA, place: 'alpha', cells: 1, plan: clear, problem: null },
    { boxId: BETA, place: 'beta', cells: 1, plan: clear, problem: null },
  ],
};
const launched = (boxId: string, place: string, because: LaunchedShare['problem']) => ({
  ...{ boxId, place, run: 'r-20260101-000000-00000000', problem: because },
});
const lost = problem('link-lost', 'beta is not connected.');

let bridge: FakeBridge;
const user = userEvent.setup({ delay: null });
const onLaunched = vi.fn();
const nothing = (): void => undefined;
beforeEach(() => {
  bridge = openTestWindow();
  onLaunched.mockClear();
});
afterEach(cleanup);
const show = (shown: SweepPlan) =>
  render(<SweepPlanView plan={shown} onBack={nothing} onAgain={nothing} onLaunched={onLaunched} />);
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

it('a launch that began in part says where, why not elsewhere, and tries only the others again', async () => {
  show(PLAN);
  bridge.answer(
    'runs:launch-sweep',
    ok({
      sweepId: PLAN.sweepId,
      canRepeat: true,
      shares: [launched(ALPHA, 'alpha', null), launched(BETA, 'beta', lost)],
    }),
  );
  await user.click(button('Launch'));
  expect(await screen.findByText(/Begun on 1 of 2 boxes/)).toBeTruthy();
  expect(screen.getByText(/Trying again starts nothing twice/)).toBeTruthy();
  expect(within(screen.getByRole('region', { name: 'alpha' })).getByText(/Begun/)).toBeTruthy();
  expect(
    within(screen.getByRole('region', { name: 'beta' })).getByText(/beta is not connected/),
  ).toBeTruthy();
  // What has begun cannot be gone back from.
  expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  expect(onLaunched).not.toHaveBeenCalled();
  bridge.answer(
    'runs:launch-sweep',
    ok({
      sweepId: PLAN.sweepId,
      canRepeat: false,
      shares: [launched(ALPHA, 'alpha', null), launched(BETA, 'beta', null)],
    }),
  );
  await user.click(button('Try the others again'));
  await vi.waitFor(() => expect(onLaunched).toHaveBeenCalledWith(PLAN.sweepId));
  const [first, second] = bridge.callsTo('runs:launch-sweep');
  expect(second).toEqual(first);
});

it('a plan that is used up in part leads to the sweep, and launches nothing more', async () => {
  show(PLAN);
  bridge.answer(
    'runs:launch-sweep',
    ok({
      sweepId: PLAN.sweepId,
      canRepeat: false,
      shares: [launched(ALPHA, 'alpha', null), launched(BETA, 'beta', lost)],
    }),
  );
  await user.click(button('Launch'));
  await screen.findByText(/Begun on 1 of 2 boxes/);
  expect(button('Try the others again').disabled).toBe(true);
  expect(screen.getByText(/This plan cannot be used again/)).toBeTruthy();
  await user.click(button('Show the sweep'));
  expect(onLaunched).toHaveBeenCalledWith(PLAN.sweepId);
});

it('what every box gets is told once, and shown in the plan of each', () => {
  show(PLAN);
  for (const name of ['alpha', 'beta']) {
    const share = screen.getByRole('region', { name });
    expect(within(share).getByText('the same for both')).toBeTruthy();
  }
});

it('a box that could not be asked keeps all of them from beginning', () => {
  const [alpha, beta] = PLAN.shares;
  if (alpha === undefined || beta === undefined) throw new Error('two boxes');
  show({ ...PLAN, shares: [alpha, { ...beta, plan: null, problem: lost }] });
  expect(button('Launch').disabled).toBe(true);
  expect(screen.getByText(/^beta can’t take part/)).toBeTruthy();
});

it('a box whose commands come from elsewhere is confirmed by itself', async () => {
  const origin = {
    ...{ id: 'origin', title: 'Where the commands come from', answer: 'block' as const },
    ...{ says: 'Read them.', gotcha: null, anyway: 'whoever wrote it.' },
  };
  const foreign = { ...clear, checks: [origin] };
  show({ ...PLAN, shares: PLAN.shares.map((each) => ({ ...each, plan: foreign })) });
  const tick = (name: string) =>
    user.click(within(screen.getByRole('region', { name })).getByRole('checkbox'));
  await tick('alpha');
  expect(button('Launch').disabled).toBe(true);
  await tick('beta');
  bridge.answer('runs:launch-sweep', ok({ sweepId: PLAN.sweepId, canRepeat: false, shares: [] }));
  await user.click(button('Launch'));
  expect(bridge.callsTo('runs:launch-sweep')).toMatchObject([
    { overridden: { [ALPHA]: ['origin'], [BETA]: ['origin'] } },
  ]);
});

it('a rehearsal that all boxes ask for is run once, and the boxes are asked again once it passed', async () => {
  const rehearsal = {
    ...{ id: 'rehearsal', title: 'Rehearsal on this computer', answer: 'block' as const },
    ...{ says: '“pytest” has not passed.', gotcha: 'GEN5', anyway: 'a mistake is found there.' },
  };
  const blocked = { ...clear, checks: [rehearsal] };
  const onAgain = vi.fn();
  render(
    <StreamProvider value={createStreamClient(bridge)}>
      <SweepPlanView
        plan={{ ...PLAN, shares: PLAN.shares.map((each) => ({ ...each, plan: blocked })) }}
        onBack={nothing}
        onAgain={onAgain}
        onLaunched={onLaunched}
      />
    </StreamProvider>,
  );
  bridge.answer(
    'runs:rehearse',
    ok({ end: { kind: 'passed' }, output: { text: '2 passed', isCut: false } }),
  );
  await user.click(button('Run it on this computer…'));
  expect(bridge.callsTo('runs:rehearse')).toEqual([
    { boxId: ALPHA, plan: planRefOf(plan), sweep: PLAN.sweepId },
  ]);
  expect(await screen.findByText('Passed. Planning again…')).toBeTruthy();
  expect(onAgain).toHaveBeenCalledOnce();
});
