import { describe, expect, it } from 'vitest';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import { onboxFolder } from '../onbox/onbox-scripts.fixture.ts';
import { shippedWatched } from '../profiles/profiles.fixture.ts';
import { answersTo, ENDLESS, startAnswering } from './hostile-answers.fixture.ts';
import { meet } from './hostile-meeting.fixture.ts';
import {
  HOSTILE_READERS,
  type HostileReader,
  type HostileReaderName,
} from './hostile-readers.fixture.ts';

// How long main stands still meanwhile, and what it keeps: `npm run bench -- untrusted`, over the same table.

const BESIDE = { ...shippedWatched(null), isGpuWorking: null };
/** A reader that takes more is given as much in the bench. */
const BOUNDS = { most: 512 * 1024, blocks: 100 };
/** What one answer may come to for a window, if its reader says no more. */
const GIVES_CHARS = 300_000;
const MAX_PROBLEM_CHARS = 5000;
const UNSEEN = /(?!\n)[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

const names = Object.keys(HOSTILE_READERS) as readonly HostileReaderName[];

/** What is wrong with what became of one answer. */
function faultOf(told: Result<unknown, Problem>, gives: number): string | null {
  const text = JSON.stringify(told, (_key, value: unknown) =>
    value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : value,
  );
  if (told.ok) return text.length <= gives ? null : `gives ${String(text.length)} characters`;
  const { message, detail = '' } = told.error;
  if (UNSEEN.test(message + detail)) return `tells ${JSON.stringify(told.error)}`;
  return text.length <= MAX_PROBLEM_CHARS ? null : `tells ${String(text.length)} characters`;
}

async function faultsOf(name: HostileReaderName, what: string): Promise<readonly string[]> {
  const { gives = GIVES_CHARS }: HostileReader = HOSTILE_READERS[name];
  const { port, stop } = await startAnswering(name, what, BOUNDS);
  const met = await meet({ port, does: name, scriptsFolder: onboxFolder, beside: BESIDE });
  await stop();
  const told = (met.got ?? []) as readonly Result<unknown, Problem>[];
  const faults = told.flatMap((each) => faultOf(each, gives) ?? []);
  return (met.ending === 'well' ? faults : [met.ending]).map((fault) => `${what}: ${fault}`);
}

describe('main asks a hostile box, is told little or why not, and then asks on, for', () => {
  // Most of the time each of them waits.
  it.each(names)('%s', async (name) => {
    const given = [...Object.keys(answersTo(name)), ...Object.keys(ENDLESS)];
    const faults = await Promise.all(given.map((what) => faultsOf(name, what)));
    expect(faults.flat()).toEqual([]);
  });
});
