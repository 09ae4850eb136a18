import { describe, expect, it } from 'vitest';
import { hasSshd } from '../src/main/ssh/sshd.fixture.ts';
import { lookDetectorIds } from '../src/shared/patrol/look-detector.ts';
import { parseDmon } from '../src/shared/probes/dmon.ts';
import { gpuIncidents } from './gpu-incidents.ts';
import { dmonHeader, dmonRow } from './gpu/dmon-text.ts';
import { nameOf, type Incident, type Label } from './incident.ts';
import { patrolLooks } from './patrol-looks.ts';
import { playAll } from './play.ts';
import { scoresOf, type Verdict } from './score.ts';
import { u3VanishedRuns } from './u3-vanished-runs.ts';
import { replayWeek } from './week/replay-week.ts';

const ALL: readonly Incident[] = [...gpuIncidents, ...u3VanishedRuns, ...patrolLooks];

const LABELS: readonly Label[] = ['clear', 'found', 'unknown'];
const labelsOf = (incidents: readonly Incident[], id: string): readonly Label[] => {
  const labels = incidents.filter((each) => each.id === id).map(({ label }) => label);
  return [...new Set(labels)].sort();
};

/** One of each kind and way; all of them are played by `npm run bench -- incidents`. */
const QUICK: ReadonlySet<string> = new Set([
  'ecc found: a row waits to be remapped',
  'power-cap clear: the usual limit, reached',
  'U24 found: steadily at 40 %',
  'U31 unknown: the image has no nvidia-smi',
  'U3 found: a traceback of its own while the kernel killed somebody else for memory',
  'U3 clear: its log’s name is a line of the patrol’s own answer',
  'U43 found: the log is silent for half an hour, and checkpoints are written',
  'RP12 found: a run ended at a gated model, and the Pod has the token',
  'U3 unknown: killed without a word, and the same command in the same folder goes on beside it',
  'U3 unknown: killed without a word, and the next run writes its own traceback into the same log',
]);

describe('the labelled incidents', () => {
  it('have names of their own, and each id has one that is found, one that is clear and one that is unknown', () => {
    expect(new Set(ALL.map(nameOf)).size).toBe(ALL.length);
    for (const id of new Set(gpuIncidents.map((each) => each.id))) {
      expect([id, ...labelsOf(gpuIncidents, id)]).toEqual([id, ...LABELS]);
    }
    // Of the patrol every rule: also where the cards have one of the same id.
    for (const id of lookDetectorIds) {
      // A look that came is never "perhaps no look".
      const wanted = id === 'GEN8' ? ['clear', 'found'] : LABELS;
      expect([id, ...labelsOf([...u3VanishedRuns, ...patrolLooks], id)]).toEqual([id, ...wanted]);
    }
  });

  it.skipIf(!hasSshd || process.platform !== 'linux')(
    'of the quick part are told for what they are',
    async () => {
      const { verdicts, left } = await playAll((incident) => QUICK.has(nameOf(incident)));
      expect(left).toEqual([]);
      expect(verdicts).toHaveLength(QUICK.size);
      const wrong = verdicts.filter(
        ({ isRight, falseAlarms }) => !isRight || falseAlarms.length > 0,
      );
      expect(wrong).toEqual([]);
    },
  );

  it('print what dmon prints: its own reader reads every column back', () => {
    const { readings, unreadable } = parseDmon(
      dmonHeader() + dmonRow(3, { sm: 41, tviol: 1, mtemp: '-' }),
    );
    expect(unreadable).toEqual([]);
    expect(readings).toMatchObject([
      {
        index: 3,
        powerW: 634,
        memoryTemperatureC: null,
        smPct: 41,
        smClockMHz: 1980,
        isThermallyHeld: true,
        memoryUsedMiB: 19_818,
        pcieTxMBps: 3,
        unknownColumns: null,
      },
    ]);
  });
});

it('counts what was missed, and what was said and is not so', () => {
  const verdict = (id: string, label: Incident['label'], told: Partial<Verdict>): Verdict => ({
    incident: { id, label, what: 'x' },
    got: label,
    isRight: true,
    falseAlarms: [],
    because: '',
    ...told,
  });
  const [a, b] = scoresOf([
    verdict('A', 'found', {}),
    verdict('A', 'found', { isRight: false, got: 'clear', falseAlarms: ['B'] }),
    verdict('A', 'unknown', {}),
    verdict('B', 'clear', { isRight: false, got: 'found', falseAlarms: ['B'] }),
  ]);
  expect(a).toMatchObject({
    id: 'A',
    counts: { found: { expected: 2, got: 1 }, unknown: { expected: 1, got: 1 } },
    falseAlarms: 0,
  });
  expect(b).toMatchObject({ id: 'B', counts: { clear: { expected: 1, got: 0 } }, falseAlarms: 2 });
});

it('says nothing of a box that is well', async () => {
  const { rows, factsLooks, patrolLooks, falseAlarms } = await replayWeek(3, 2400);
  expect([...falseAlarms]).toEqual([]);
  expect(rows).toBeGreaterThan(8 * 1000);
  expect(Math.min(factsLooks, patrolLooks)).toBeGreaterThan(5);
});
