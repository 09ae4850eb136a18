import { describe, expect, it } from 'vitest';
import { problem } from '../../../shared/problem.ts';
import { emptyReadings, readingsStream } from '../../../shared/streams/readings-stream.ts';
import { sampleEntry, sampleReading, SEEN_MS } from '../../fleet/fleet-entry.fixture.ts';
import type { Feed } from '../../state/stream-client.ts';
import type { ReadingsState } from '../../../shared/streams/readings-stream.ts';
import { judgeOverview, silenceWords } from './overview-state.ts';

const EMPTY: Feed<ReadingsState> = { kind: 'live', state: emptyReadings() };
const HISTORY: Feed<ReadingsState> = {
  kind: 'live',
  state: readingsStream.apply(emptyReadings(), {
    kind: 'cycle',
    atMs: SEEN_MS,
    readings: [sampleReading()],
  }),
};
const lost = problem('link-lost', 'The link was lost.');
const noTool = problem('no-gpu-tool', 'There is no nvidia-smi.');

const NOW = SEEN_MS + 1000;
const judge = (
  part: Parameters<typeof sampleEntry>[0],
  feed: Feed<ReadingsState>,
  nowMs = NOW,
  hasPast: boolean | null = false,
) => judgeOverview(sampleEntry(part), feed, nowMs, hasPast);

describe('judgeOverview without any sample', () => {
  it.each([
    ['a feed that is not there yet', {}, { kind: 'loading' }, 'loading'],
    ['a refused feed', {}, { kind: 'failed', problem: lost }, 'failed'],
    ['no link', { link: { kind: 'idle' } }, EMPTY, 'disconnected'],
    ['connecting', { link: { kind: 'connecting', attempt: 1, sinceMs: 0 } }, EMPTY, 'loading'],
    ['a link that is down', { link: { kind: 'down', sinceMs: 0, problem: lost } }, EMPTY, 'failed'],
    [
      'a link that is tried again',
      { link: { kind: 'waiting', attempt: 2, retryAtMs: 0, problem: lost } },
      EMPTY,
      'failed',
    ],
    ['readings that are off', { telemetry: { kind: 'off' } }, EMPTY, 'readings-off'],
    [
      'readings that failed',
      { telemetry: { kind: 'failed', sinceMs: 0, retryAtMs: 0, problem: noTool } },
      EMPTY,
      'failed',
    ],
    ['the first sample on its way', {}, EMPTY, 'loading'],
  ] as const)('with %s', (_name, part, feed, expected) => {
    expect(judge(part, feed).kind).toBe(expected);
  });
});

describe('what the person can do about a failure', () => {
  it.each([
    [{ link: { kind: 'down', sinceMs: 0, problem: lost } }, 'connect'],
    [{ link: { kind: 'waiting', attempt: 2, retryAtMs: 0, problem: lost } }, 'retry'],
    [{ telemetry: { kind: 'failed', sinceMs: 0, retryAtMs: 0, problem: noTool } }, null],
  ] as const)('with %j: %s', (part, way) => {
    expect(judge(part, EMPTY)).toMatchObject({ kind: 'failed', way });
  });
});

describe('judgeOverview with a history', () => {
  it('is fresh without a note while samples come', () => {
    expect(judge({}, HISTORY)).toMatchObject({ kind: 'charts', isFresh: true, note: null });
  });

  it('is stale after five seconds without one', () => {
    expect(judge({}, HISTORY, SEEN_MS + 5000)).toMatchObject({ isFresh: true });
    expect(judge({}, HISTORY, SEEN_MS + 5001)).toMatchObject({
      isFresh: false,
      note: { kind: 'stale', lastAtMs: SEEN_MS },
    });
  });

  it.each([
    [
      { link: { kind: 'waiting', attempt: 2, retryAtMs: 0, problem: lost } },
      { kind: 'problem', problem: lost },
    ],
    [{ link: { kind: 'idle' } }, { kind: 'disconnected' }],
    [{ link: { kind: 'connecting', attempt: 1, sinceMs: 0 } }, { kind: 'connecting' }],
    [
      { telemetry: { kind: 'failed', sinceMs: 0, retryAtMs: 0, problem: noTool } },
      { kind: 'problem', problem: noTool },
    ],
  ] as const)('keeps the charts but never passes them off as the present: %j', (part, note) => {
    expect(judge(part, HISTORY)).toMatchObject({ kind: 'charts', isFresh: false, note });
  });
});

describe('judgeOverview with only what was recorded before', () => {
  it('waits until it is known whether there is something', () => {
    expect(judge({ link: { kind: 'idle' } }, EMPTY, NOW, null).kind).toBe('loading');
  });

  it.each([
    [{ link: { kind: 'idle' } }, 'disconnected', 'not connected'],
    [
      { link: { kind: 'connecting', attempt: 1, sinceMs: 0 } },
      'connecting',
      'the connection is down',
    ],
    [{ link: { kind: 'down', sinceMs: 0, problem: lost } }, 'problem', 'no readings right now'],
    [{}, 'starting', 'waiting for the first sample'],
  ] as const)('draws it, and says why nothing comes: %j', (part, note, words) => {
    const state = judge(part, EMPTY, NOW, true);
    expect(state).toMatchObject({ kind: 'charts', isFresh: false, note: { kind: note } });
    expect(state.kind === 'charts' && silenceWords(state.note)).toBe(words);
  });

  it('still says that a way in runs no commands', () => {
    const refused = problem('no-gpu-tool', 'There is no nvidia-smi.');
    const failed = { kind: 'failed', sinceMs: 0, retryAtMs: 0, problem: refused } as const;
    expect(judge({ telemetry: failed }, EMPTY, NOW, true).kind).toBe('charts');
    const bare = { ...failed, problem: problem('exec-refused', 'This way runs no commands.') };
    expect(judge({ telemetry: bare }, EMPTY, NOW, true).kind).toBe('no-commands');
  });
});
