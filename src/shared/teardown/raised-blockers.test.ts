import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ResultFile } from '../runs/launch/launched-run.ts';
import type { PulledFile } from '../transfer/pull.ts';
import { readBlockersPage } from './blockers-page.fixture.ts';
import { MACHINE } from './found-on-box.fixture.ts';
import type { FoundMachine, FoundOnBox } from './found-on-box.ts';
import { blockerKinds } from './inspection.ts';
import type { JudgedBeside } from './judge-inspection.ts';
import {
  besideFor,
  blockerOf,
  COPIES_HOLD_MS,
  DAMAGED,
  FILES,
  first,
  foundWith,
  judge,
  listed,
  NOW,
  OFFLINE,
  openIn,
  OTHERS,
  outsideWith,
  PROCESS,
  proving,
  pulled,
  QUEUE,
  SET,
  sha256,
  stray,
  SWEEP,
} from './judge-inspection.fixture.ts';

/** The copies as they are, read of this machine. */
const readOf = (machine: FoundMachine): JudgedBeside['read'] => {
  const { read } = besideFor(foundWith());
  return read && { ...read, machine };
};

const raised: readonly (readonly [string, string, FoundOnBox, Partial<JudgedBeside>])[] = [
  [
    'a run that is alive',
    'run-alive:r-1',
    foundWith({}, { runs: [{ id: 'r-1', name: 'base', isOver: false }] }),
    {},
  ],
  [
    'an order from another computer',
    'ordered-elsewhere:act-9',
    foundWith({}, { orders: [{ id: 'act-9', atMs: 1000, verb: 'Terminate', said: null }] }),
    {},
  ],
  [
    'a run that cannot be read',
    'run-unreadable:r-1',
    foundWith({}, { runs: [{ id: 'r-1', name: 'base', isOver: true, unreadable: 'no end' }] }),
    {},
  ],
  [
    'a run that does not say where it worked',
    'run-unplaced:r-1',
    foundWith({}, { runs: [{ id: 'r-1', name: 'base', isOver: true, isUnplaced: true }] }),
    {},
  ],
  ['a process', 'process-alive:boot-7-9', foundWith({}, { processes: [PROCESS] }), {}],
  [
    'processes of which the box did not tell',
    'processes-unknown',
    foundWith({}, { processesUnknown: 'It did not tell.' }),
    {},
  ],
  ['that nobody said that this is all', 'elsewhere', foundWith(), { losses: [] }],
  ['results that were never brought home', 'never-pulled:/w/out', foundWith({ proven: null }), {}],
  [
    'a file that is new',
    'not-home:/w/out',
    foundWith({ there: [...FILES, 'new'].map((path) => listed(path)) }),
    {},
  ],
  ['a file that grew', 'not-home:/w/out', foundWith(first({ bytes: 11 })), {}],
  [
    'a file that was written to and looks the same',
    'not-home:/w/out',
    foundWith(first({ stamp: '1 2 a.pt' })),
    {},
  ],
  [
    'a file that differed',
    'not-home:/w/out',
    foundWith(proving({ mark: 'differs', sha256: null })),
    {},
  ],
  [
    'a file of which the beginning came, as it grew',
    'not-home:/w/out',
    foundWith(proving({ isGrowing: true })),
    {},
  ],
  [
    'a file that waits for a later round',
    'not-home:/w/out',
    foundWith(proving({ mark: 'missing-here', sha256: null, waits: 'scratch' })),
    {},
  ],
  [
    'a file that was left, and has another version',
    'not-home:/w/out',
    foundWith({ ...first({ bytes: 11 }), ...proving({ left: 'scratch' }) }),
    {},
  ],
  ['a file that is damaged', 'damaged:/w/out', foundWith(proving({ loaded: DAMAGED })), {}],
  [
    'a set that is not whole',
    'damaged:sets:/w/out',
    foundWith({ sets: [{ ...SET, state: 'damaged' }] }),
    {},
  ],
  [
    'a set of which nobody knows',
    'damaged:sets:/w/out',
    foundWith({ sets: [{ ...SET, state: 'unknown' }] }),
    {},
  ],
  ['copies that nobody has read', 'copies-unread', foundWith(), { read: null }],
  ['copies that were written to since', 'copies-unread', foundWith(), { stamps: 'other' }],
  [
    'copies that were read too long ago',
    'copies-unread',
    foundWith(),
    { monoMs: 1001 + COPIES_HOLD_MS },
  ],
  [
    'the same by the clock, as this computer slept',
    'copies-unread',
    foundWith(),
    { atMs: NOW + 1 + COPIES_HOLD_MS },
  ],
  [
    'a machine that was restarted since the copies were read',
    'other-machine',
    foundWith({}, { machine: { ...MACHINE, life: 'b/2' } }),
    {},
  ],
  [
    'another machine behind the same address',
    'other-machine',
    foundWith({}, { machine: { ...MACHINE, hostKey: 'SHA256:other' } }),
    {},
  ],
  [
    'another machine of the provider',
    'other-machine',
    foundWith({}, { machine: { ...MACHINE, instance: 'i-2' } }),
    { read: readOf({ ...MACHINE, instance: 'i-1' }) },
  ],
  [
    'a queue that is paused',
    'queue-waiting:r-1',
    foundWith({}, { queues: [{ ...QUEUE, isPaused: true }] }),
    {},
  ],
  ['a queue that nobody goes on with', 'queue-waiting:r-1', foundWith({}, { queues: [QUEUE] }), {}],
  [
    'a sweep of which a cell failed',
    'sweep-open:s-1',
    foundWith({}, { sweeps: [{ ...SWEEP, open: [['failed', 1]] }] }),
    {},
  ],
  [
    'a sweep whose cells on another box were never brought home',
    'sweep-away:s-1',
    foundWith({}, { sweeps: [{ ...SWEEP, away: [{ boxName: 'train-b', cells: 2 }] }] }),
    {},
  ],
  [
    'a sweep of which a cell was done twice',
    'sweep-open:s-1',
    foundWith({}, { sweeps: [{ ...SWEEP, open: [['twice', 1]] }] }),
    {},
  ],
  [
    'a sweep that nobody could reconcile',
    'sweep-open:s-1',
    foundWith({}, { sweeps: [{ ...SWEEP, because: 'It could not be read.' }] }),
    {},
  ],
  [
    'an offline run among the results, though it is home',
    'tracker-log',
    foundWith({ there: [listed(OFFLINE)], proven: [pulled(OFFLINE)] }),
    {},
  ],
  [
    'a results folder that is empty, and was not',
    'not-home:vanished:/w/out',
    foundWith({ there: [], proven: [pulled('metrics.jsonl')] }),
    {},
  ],
  [
    'files on storage of which nobody knows',
    'tier-goes:unknown',
    foundWith({}, { outside: outsideWith(stray('/root/model.pt', null)) }),
    {},
  ],
  [
    'what other boxes keep on storage of which nobody knows',
    'others-data:unknown',
    foundWith({}, { outside: { ...outsideWith(), others: [OTHERS] } }),
    {},
  ],
  [
    'more files than one look tells',
    'tier-goes:unknown',
    foundWith({}, { outside: { ...outsideWith(), isCut: true } }),
    {},
  ],
  ['a record that was changed', 'evidence-broken', foundWith(), { evidenceFault: 'Changed.' }],
];

describe('what is in the way of an end', () => {
  it.each(raised)('raises for %s just “%s”', (_cause, id, found, beside) => {
    expect(openIn(judge(found, beside))).toEqual([id]);
  });

  it('asks nobody to send what lies outside the results and was sent', () => {
    const log = 'run-20260101_101010-abcd/run-abcd.wandb';
    const raisedBy = (sent: readonly string[]) =>
      judge(foundWith({}, { outside: { ...outsideWith(stray(`/w/${log}`, 'disk')), sent } }))
        .blockers.filter(({ kind }) => kind === 'tracker-log')
        .map(({ shows }) => shows);
    expect(raisedBy([])).toEqual([[expect.stringMatching(/nothing on the box says/)]]);
    expect(raisedBy([`/w/${log}.synced`])).toEqual([]);
  });

  it('lets nobody accept what nobody knows', () => {
    const nobodyCan = raised.filter(([, id, found, beside]) => {
      return blockerOf(judge(found, beside), id).loss === null;
    });
    expect(new Set(nobodyCan.map(([, id]) => id))).toEqual(
      new Set([
        'processes-unknown',
        'copies-unread',
        'other-machine',
        'sweep-open:s-1',
        'evidence-broken',
      ]),
    );
  });

  it('has another digest with anything that changes, and the same with nothing', () => {
    const found = foundWith();
    const same = judge(found).digest;
    expect(judge({ ...found, atMs: NOW + 1 }, { atMs: NOW + 1 }).digest).toBe(same);
    const others = [
      ...raised.map(([, , each, beside]) => judge(each, beside).digest),
      judge(foundWith(proving({ sha256: sha256('other') }))).digest,
      judge(foundWith(proving({ left: 'scratch' }))).digest,
      judge(foundWith(proving({ left: 'another reason' }))).digest,
    ];
    const { losses } = besideFor(found);
    others.push(judge(found, { losses: losses.map((each) => ({ ...each, atMs: 2 })) }).digest);
    expect(others).not.toContain(same);
    const leftAs = (left: string): string => judge(foundWith(proving({ left }))).digest;
    expect(leftAs('scratch')).not.toBe(leftAs('a copy of the base model'));
    // Nothing is wrong with it, and it is another version all the same.
    const bare = { stamp: undefined } as unknown as Partial<ResultFile>;
    const at = (modifiedAtMs: number): string => {
      const file = pulled('a.pt', { left: 'scratch', ...(bare as Partial<PulledFile>) });
      const there = [listed('a.pt', { ...bare, modifiedAtMs }), listed('b.json')];
      const inspection = judge(foundWith({ there, proven: [file, pulled('b.json')] }));
      expect(openIn(inspection)).toEqual([]);
      return inspection.digest;
    };
    expect(at(5)).not.toBe(at(6));
  });
});

it.each([
  ['silent', /did not answer when it was asked/],
  ['unheard', /end it in the console of the account that pays for it/],
  ['stopping', /Wait, and check/],
] as const)('names a way forward where the provider of a noted box is %s', (kind, words) => {
  const said = { provider: 'Demo provider', kind, says: '', atMs: 1 };
  const orders = [{ id: 'act-9', atMs: 1000, verb: 'Terminate', said }];
  const { blockers } = judge(foundWith({}, { orders }));
  const found = blockers.find((each) => each.kind === 'ordered-elsewhere');
  expect(found?.says).toMatch(words);
  expect(found?.loss).toBeNull();
  if (kind !== 'stopping') expect(found?.says).not.toContain('Wait');
});

describe('docs/gate-blockers.md', () => {
  const rows = readBlockersPage(readFileSync('docs/gate-blockers.md', 'utf8'));

  it('names a test for each blocker, and each of those tests is there', () => {
    expect(rows.map(({ kind }) => kind)).toEqual(blockerKinds);
    const here = 'src/shared/teardown/raised-blockers.test.ts';
    const names = new Set([...raised.map(([what, id]) => `raises for ${what} just “${id}”`)]);
    for (const { file, test } of rows) {
      const isThere = readFileSync(file, 'utf8').includes(`it('${test}'`);
      expect((file === here && names.has(test)) || isThere, test).toBe(true);
    }
  });
});
