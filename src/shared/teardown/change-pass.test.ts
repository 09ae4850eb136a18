import { expect, it } from 'vitest';
import { problem, type Problem } from '../problem.ts';
import { err, ok } from '../result.ts';
import { ChangePass, type Change } from './change-pass.ts';
import { deletePass, endPass, judgedBy } from './change-pass.fixture.ts';
import { states } from './gate-cases.fixture.ts';
import type { GateState } from './gate.ts';

const WITHDRAW = 'Withdraw your approval first: it is for the box as you saw it.';
const UNDER_WAY = 'The end of this box is under way.';
const NOTHING_DELETED = expect.stringMatching(/Nothing is deleted on it now\.$/);

it.each([
  ['end-work', 'given', 'given'],
  ['delete', 'given', NOTHING_DELETED],
] as const)('lets a verb %s by the state of the gate alone', (does, shut, underWay) => {
  const all = { ...states, answered: { ...states.acting, isAnswered: true } };
  const found = Object.entries(all).map(([name, state]) => {
    const opened = ChangePass.open(judgedBy(state), { does, about: 'r-1' });
    return [name, opened.ok ? 'given' : opened.error.message] as const;
  });
  expect(Object.fromEntries(found)).toEqual({
    ...{ 'never looked': shut, blocked: shut, clear: shut },
    ...{ approved: WITHDRAW, acting: UNDER_WAY, answered: underWay, unconfirmed: underWay },
    gone: expect.stringMatching(/^This box is gone/),
  });
});

it('lets work be ended on a box that its end left where it is, and deletes only once a person says what is there', () => {
  const ofLeft = (does: 'end-work' | 'delete') => {
    const opened = ChangePass.open(judgedBy(states.gone, true), { does, about: 'r-1' });
    return opened.ok ? 'given' : opened.error.nextStep;
  };
  expect([ofLeft('end-work'), ofLeft('delete')]).toEqual([
    'given',
    'Choose “This box is back…” on its Teardown tab.',
  ]);
});

it('is good once, for the one thing that it was given for', () => {
  const pass = endPass('r-1');
  expect([pass.take('end-work', 'r-2'), pass.take('delete', 'r-1'), pass.isTaken]).toEqual([
    ...[false, false, false],
  ]);
  expect([pass.take('end-work', 'r-1'), pass.isTaken]).toEqual([true, true]);
  expect(pass.take('end-work', 'r-1')).toBe(false);
  expect(deletePass('r-1').take('end-work', 'r-1')).toBe(false);
});

it('is given for work alone where the evidence cannot be read, which is told once, and not while a yes stands', () => {
  const why = problem('database-corrupt', 'It cannot be read.');
  const told: Problem[] = [];
  const opened = (does: Change['does'], gate: GateState) =>
    ChangePass.open(
      {
        ground: () => ok({ gate, isLeft: false, unread: why }),
        onUnread: (each) => told.push(each),
      },
      { does, about: 'r-1' },
    );
  expect([opened('delete', states.clear), told]).toEqual([err(why), []]);
  const pass = opened('end-work', states.clear);
  expect([pass.ok && pass.value.take('end-work', 'r-1'), told]).toEqual([true, [why]]);
  expect(opened('end-work', states.approved)).toMatchObject({ error: { message: WITHDRAW } });
});
