import { describe, expect, it } from 'vitest';
import type { Finding, Severity } from '../../shared/detectors/finding.ts';
import type { FleetColumn, FleetFilter } from '../../shared/settings/fleet-view.ts';
import { fleetColumns } from '../../shared/settings/fleet-view.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { judgeLoad } from '../../shared/telemetry/box-load.ts';
import { foldReadings, type LatestFigures } from '../../shared/telemetry/latest-figures.ts';
import { at, sampleBoxClocks, sampleClock } from '../clocks/clocks.fixture.ts';
import { hourly, sampleMeter } from '../costs/meter.fixture.ts';
import { sampleEntry, sampleGpu, sampleReading, SEEN_MS } from './fleet-entry.fixture.ts';
import { arrangeRows, rankBoxes, selectShown, type FleetKnowledge } from './fleet-rows.ts';

const ALL: FleetFilter = { text: '', states: [] };

function box(name: string, part: Partial<FleetEntry> = {}, more: Partial<FleetEntry['box']> = {}) {
  return sampleEntry(part, { id: name, name, ...more });
}

const boxes = new Map<string, LatestFigures>();

const NOW = Date.parse('2026-11-20T12:00:00Z');

function reads(name: string, atMs: number, ...smPct: readonly number[]): Pick<FleetEntry, 'load'> {
  const figures = foldReadings(
    atMs,
    smPct.map((each, index) =>
      sampleReading({
        index,
        smPct: each,
        smClockMHz: 1000 + each,
        powerW: each,
        memoryUsedMiB: each,
        temperatureC: each,
      }),
    ),
  );
  boxes.set(name, figures);
  return { load: judgeLoad(figures) };
}

const finding = (severity: Severity, headline = 'it broke'): Finding =>
  ({ severity, headline, detector: 'U22', subject: { kind: 'box' } }) as unknown as Finding;

const off = box('off', { link: { kind: 'idle' }, load: null, gpus: null });
const low = box('box-2', reads('box-2', SEEN_MS, 10, 20), { platform: 'runpod', tags: ['Eval'] });
const high = box('box-10', reads('box-10', SEEN_MS - 900, 90, 70), { tags: ['ablation', 'eval'] });
const idle = box('a-idle', {
  ...reads('a-idle', SEEN_MS - 500, 0),
  gpus: [sampleGpu({ name: 'Tesla T4' })],
});

const known: FleetKnowledge = {
  entries: [off, low, high, idle],
  figures: { boxes },
  findings: {
    boxes: {
      [low.box.id]: { atMs: 0, findings: [finding('warn')], unknown: [], clear: [] },
      [idle.box.id]: {
        atMs: 0,
        findings: [finding('critical', 'GPU 3 fell off the bus')],
        unknown: [],
        clear: [],
      },
    },
  },
  sparks: {
    boxes: {
      [low.box.id]: { lastMinute: 3, smPct: [null, 80, 60] },
      [idle.box.id]: { lastMinute: 3, smPct: [10, null] },
    },
  },
  meters: {
    [low.box.id]: sampleMeter({}, hourly(9_000_000, 'CNY')),
    [high.box.id]: sampleMeter({}, hourly(2_000_000)),
    [idle.box.id]: sampleMeter({}, hourly(3_000_000)),
  },
  clocks: {
    [off.box.id]: sampleBoxClocks([sampleClock({ due: at(SEEN_MS + 9_000_000) })]),
    [high.box.id]: sampleBoxClocks([sampleClock({ due: at(SEEN_MS + 5_000_000) })]),
    [idle.box.id]: sampleBoxClocks([
      sampleClock({ due: { kind: 'unknown', because: 'not told' } }),
    ]),
  },
  asking: new Set(),
};

const sorted = (sortBy: FleetColumn | null, isDescending = false): readonly string[] =>
  selectShown(known, rankBoxes(known, { sortBy, isDescending }, NOW), ALL).map(
    ({ box: { name } }) => name,
  );

describe('rankBoxes', () => {
  it('keeps the order in which boxes were added until somebody sorts', () => {
    expect(sorted(null)).toEqual(['off', 'box-2', 'box-10', 'a-idle']);
  });

  it.each<[FleetColumn, readonly string[]]>([
    ['state', ['box-2', 'box-10', 'a-idle', 'off']],
    ['box', ['a-idle', 'box-2', 'box-10', 'off']],
    ['left', ['box-10', 'off', 'box-2', 'a-idle']],
    ['sm', ['a-idle', 'box-2', 'box-10', 'off']],
    ['hour', ['a-idle', 'box-2', 'off', 'box-10']],
    ['clock', ['a-idle', 'box-2', 'box-10', 'off']],
    ['power', ['a-idle', 'box-2', 'box-10', 'off']],
    ['vram', ['a-idle', 'box-2', 'box-10', 'off']],
    ['temperature', ['a-idle', 'box-2', 'box-10', 'off']],
    ['finding', ['a-idle', 'box-2', 'off', 'box-10']],
    ['seen', ['box-2', 'a-idle', 'box-10', 'off']],
  ])('sorts by %s, and puts what is unknown last', (column, names) => {
    expect(sorted(column)).toEqual(names);
  });

  it('turns round what is known, and leaves the unknown at the end', () => {
    expect(sorted('sm', true)).toEqual(['box-10', 'box-2', 'a-idle', 'off']);
    for (const column of fleetColumns.filter((each) => !['state', 'box'].includes(each))) {
      const lasts: Partial<Record<FleetColumn, string>> = {
        hour: 'box-10',
        finding: 'box-10',
        left: 'a-idle',
      };
      const last = lasts[column] ?? 'off';
      expect(sorted(column, true).at(-1)).toBe(last);
    }
  });
});

describe('selectShown', () => {
  const ranks = rankBoxes(known, { sortBy: null, isDescending: false }, NOW);
  const names = (filter: Partial<FleetFilter>): readonly string[] =>
    selectShown(known, ranks, { ...ALL, ...filter }).map(({ box: { name } }) => name);

  it.each([
    ['a name', 'BOX-1', ['box-10']],
    ['a platform', 'runpod', ['box-2']],
    ['a tag, in any case', 'eval', ['box-2', 'box-10']],
    ['a GPU', 't4', ['a-idle']],
    ['a finding', 'bus', ['a-idle']],
    ['a check', 'u22', ['box-2', 'a-idle']],
    ['several words, all of them', 'eval box-2', ['box-2']],
    ['blanks only', '   ', ['off', 'box-2', 'box-10', 'a-idle']],
    ['nothing that fits', 'nowhere', []],
  ])('finds by %s', (_what, text, found) => {
    expect(names({ text })).toEqual(found);
  });

  it('takes boxes of any of the states, and of these only what fits the text', () => {
    expect(names({ states: ['idle', 'not-connected'] })).toEqual(['off', 'a-idle']);
    expect(names({ states: ['idle', 'not-connected'], text: 'idle' })).toEqual(['a-idle']);
  });

  it('counts a box that stopped answering as in trouble, not as working', () => {
    const stale: FleetEntry = { ...low, load: { kind: 'stale', seenAtMs: SEEN_MS } };
    const later = { ...known, entries: [off, stale, high] };
    const filter: FleetFilter = { text: '', states: ['in-trouble'] };
    expect(selectShown(later, ranks, filter)).toEqual([stale]);
  });

  it('counts a box that asks as one that needs the person', () => {
    const link = { kind: 'connecting', attempt: 1, sinceMs: 0 } as const;
    const asks = { ...known, entries: [box('q', { link })], asking: new Set(['q']) };
    expect(selectShown(asks, ranks, { text: '', states: ['needs-you'] })).toHaveLength(1);
  });
});

describe('arrangeRows', () => {
  const shown = selectShown(
    known,
    rankBoxes(known, { sortBy: 'box', isDescending: false }, NOW),
    ALL,
  );
  const text = (groupBy: 'platform' | 'tag' | 'state', collapsed: readonly string[] = []) =>
    arrangeRows(shown, groupBy, collapsed, known).map((row) =>
      row.kind === 'group'
        ? `# ${row.group.label} ${String(row.group.entries.length)}`
        : row.entry.box.name,
    );

  it('groups by platform, by name', () => {
    expect(text('platform')).toEqual(['# RunPod 1', 'box-2', '# SSH 3', 'a-idle', 'box-10', 'off']);
  });

  it('shows a box under each of its tags, however they are written, and those without at the end', () => {
    expect(text('tag')).toEqual([
      '# ablation 1',
      'box-10',
      '# Eval 2',
      'box-2',
      'box-10',
      '# No tag 2',
      'a-idle',
      'off',
    ]);
    const keys = arrangeRows(shown, 'tag', [], known).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('groups by state, what needs a person first, and folds', () => {
    expect(text('state', ['state:working'])).toEqual([
      '# Working 2',
      '# Idle 1',
      'a-idle',
      '# Not connected 1',
      'off',
    ]);
  });
});
