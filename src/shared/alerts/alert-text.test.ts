import { expect, it } from 'vitest';
import { advance } from './advance.ts';
import { alertLine, alertText } from './alert-text.ts';
import { alertAt } from './alert.fixture.ts';

it('tells the worst in full, with what it costs, and counts the others', () => {
  const worst = alertAt(0, { severity: 'critical', headline: 'It\u202E is\nso.' });
  expect(alertText('train-a', [worst])).toEqual({
    title: 'train-a: It is so',
    body: 'Critical. Heat. Costs about $3.60 per hour.',
  });
  const free = alertAt(0, { costPerHour: null });
  expect(alertText('train-a', [free, worst]).body).toBe('Warning. Heat. And 1 more.');
  const woken = advance(advance(free, { kind: 'snooze', atMs: 0, untilMs: 1 }), {
    kind: 'wake',
    atMs: 1,
  });
  expect(alertText('train-a', [woken]).title).toBe(
    'train-a: still there: GPU 0 is held at 50 % of its clock',
  );
});

it('says in one line what the tray tells', () => {
  const one = { boxName: 'train-a', alert: alertAt(0) };
  expect(alertLine([])).toBeNull();
  expect(alertLine([one])).toBe('train-a: warning: throttled');
  expect(alertLine([one, one])).toBe('2 alerts, worst on train-a: warning: throttled');
});
