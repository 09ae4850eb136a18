import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { endNews, type OpenEnd } from '../../shared/news/kinds/end-news.ts';
import { memoryEntries } from '../runs/run-box.fixture.ts';
import { EndReminders } from './end-reminders.ts';

const MIN = 60_000;
const HOUR = 60 * MIN;
const APPROVED = Date.parse('2026-06-20T12:00:00Z');
const END: OpenEnd = {
  box: { id: 'b1', name: 'train-a' },
  act: { id: 'act-1', verb: 'Terminate', aim: 'gone', approvedAtMs: APPROVED },
  provider: null,
};

let ends: readonly OpenEnd[];
let told: number[];
let reminders: EndReminders;
const entries = memoryEntries();
const start = (): EndReminders =>
  new EndReminders({
    ...{ openEnds: () => ends, entries },
    onReminder: () => told.push((Date.now() - APPROVED) / MIN),
    onProblem: ({ message }) => {
      throw new Error(message);
    },
  });
beforeEach(() => {
  vi.useFakeTimers({ now: APPROVED });
  entries.kept.clear();
  [ends, told] = [[END], []];
  reminders = start();
});
afterEach(() => {
  reminders.close();
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

it('reminds of an end that nothing confirms, ever more seldom and for ever, over restarts too', async () => {
  await vi.advanceTimersByTimeAsync(5 * HOUR);
  reminders.close();
  reminders = start();
  await vi.advanceTimersByTimeAsync(67 * HOUR);
  expect(told).toEqual([15, 60, 240, 720, 1440, 2880, 4320]);
  expect((reminders.nextAtMs(END) - APPROVED) / MIN).toBe(5760);
});

it('makes up for those that were slept through with one, and reminds of nothing that is over', async () => {
  vi.setSystemTime(APPROVED + 13 * HOUR);
  await vi.advanceTimersByTimeAsync(MIN);
  expect(told).toHaveLength(1);
  ends = [];
  await vi.advanceTimersByTimeAsync(48 * HOUR);
  expect(told).toHaveLength(1);
  // The next end of the box begins from nothing.
  const approvedAtMs = Date.now();
  ends = [{ ...END, act: { ...END.act, id: 'act-2', approvedAtMs } }];
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(told).toHaveLength(3);
});

it('is made neither silent nor loud by a clock that is set back and forth', async () => {
  await vi.advanceTimersByTimeAsync(HOUR);
  vi.setSystemTime(APPROVED - 48 * HOUR);
  await vi.advanceTimersByTimeAsync(HOUR);
  vi.setSystemTime(APPROVED + 2 * HOUR);
  await vi.advanceTimersByTimeAsync(HOUR);
  // Once for each time that it was set, since how long it has been is not known then.
  expect(told).toEqual([15, 60, -48 * 60 + 1, 121]);
});

it('goes on after a clock that was ahead for a minute', async () => {
  await vi.advanceTimersByTimeAsync(20 * MIN);
  vi.setSystemTime(APPROVED + 60 * 24 * HOUR);
  await vi.advanceTimersByTimeAsync(MIN);
  vi.setSystemTime(APPROVED + 22 * MIN);
  reminders.close();
  reminders = start();
  await vi.advanceTimersByTimeAsync(24 * HOUR);
  expect(told).toEqual([15, 60 * 24 * 60 + 1, 23, 23 + 8 * 60, 23 + 20 * 60]);
});

it('begins at once where the yes was given by a clock that was ahead', async () => {
  vi.setSystemTime(APPROVED - 30 * 24 * HOUR);
  await vi.advanceTimersByTimeAsync(HOUR);
  expect(told.map((min) => min + 30 * 24 * 60)).toEqual([1, 46]);
});

it('says what was approved, what it may cost, and what to do', () => {
  const said = endNews.words(END, APPROVED + 2 * HOUR);
  expect(said).toMatchObject({
    severity: 'critical',
    shows: { kind: 'show-teardown', boxId: 'b1' },
    title: 'train-a: nothing has confirmed that it is ended',
    body: expect.stringMatching(/“Terminate” was approved .*may go on billing.*confirm/) as string,
  });
  expect(endNews.words({ ...END, provider: 'Demo provider' }, APPROVED)?.body).toMatch(
    /Demo provider’s console/,
  );
  const stop = { ...END, act: { ...END.act, verb: 'Stop', aim: 'stopped' as const } };
  expect(endNews.words(stop, APPROVED)).toMatchObject({
    title: 'train-a: nothing has confirmed that it is stopped',
    body: expect.stringMatching(/If you have stopped it, .* if not, stop it now/) as string,
  });
});
