import { expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import type { Notice } from '../../shared/streams/app-streams.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { openNotices } from './notices.ts';

function setUp() {
  const hub = new StreamHub();
  const notices = openNotices(hub);
  hub.addClient(1, () => undefined);
  const shown = (): readonly Notice[] => {
    const opened = hub.open(1, 'notices', '');
    if (!opened.ok) throw new Error(opened.error.message);
    return opened.value.state as readonly Notice[];
  };
  return { notices, shown };
}

it('keeps a notice until it is dismissed', () => {
  const { notices, shown } = setUp();
  notices.add(problem('disk-full', 'full'));
  notices.add(problem('no-keyring', 'none'));
  const [first] = shown();
  notices.dismiss(first?.id ?? '');
  expect(shown().map(({ problem: { code } }) => code)).toEqual(['no-keyring']);
});

it('tells the same trouble once', () => {
  const { notices, shown } = setUp();
  notices.add(problem('disk-full', 'full'));
  notices.add(problem('disk-full', 'full'));
  notices.add(problem('disk-full', 'another disk is full'));
  expect(shown().map(({ problem: { message } }) => message)).toEqual([
    'full',
    'another disk is full',
  ]);
});

it('keeps the newest twenty', () => {
  const { notices, shown } = setUp();
  for (let i = 1; i <= 25; i += 1) notices.add(problem('disk-full', String(i)));
  expect(shown().map(({ problem: { message } }) => Number(message))).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 6),
  );
});
