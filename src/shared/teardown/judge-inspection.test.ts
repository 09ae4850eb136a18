import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ProvenResults } from '../files/judge-delete.ts';
import type { ResultFile } from '../runs/launch/launched-run.ts';
import type { PulledFile } from '../transfer/pull.ts';
import { doAtOnce } from '../steps.ts';
import { elsewhere } from './blockers/place-blockers.ts';
import { copiesOf, digestInSteps, judgeFilesInSteps } from './blockers/result-files.ts';
import { foundNothing, MACHINE } from './found-on-box.fixture.ts';
import type { EndFacts, FoundOnBox, OutsideFile } from './found-on-box.ts';
import { stepGate } from './gate.ts';
import { readBlockersPage } from './blockers-page.fixture.ts';
import { blockerKinds, openBlockers, type Blocker, type Inspection } from './inspection.ts';
import {
  blockedUnseen,
  ELSEWHERE_HOLDS_MS,
  judgeInspectionInSteps,
  type JudgedBeside,
} from './judge-inspection.ts';

const NOW = 1_800_000_000_000;
const COPIES_HOLD_MS = 3600_000;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const listed = (path: string, more: Partial<ResultFile> = {}): ResultFile => ({
  ...{ path, bytes: 10, modifiedAtMs: 5, stamp: `1 1 ${path}` },
  ...more,
});

/** Proven as it is listed. */
const pulled = (path: string, more: Partial<PulledFile> = {}): PulledFile => ({
  ...{ ...listed(path), keep: 'unknown', mark: 'equal', level: 'hashed' },
  ...{ sha256: sha256(path), loaded: null, says: null },
  ...more,
});

interface Files {
  readonly there?: readonly ResultFile[];
  readonly others?: readonly ResultFile[];
  readonly proven?: readonly PulledFile[] | null;
  readonly sets?: ProvenResults['sets'];
}

const FILES = ['a.pt', 'b.json'] as const;

function foundWith(
  { there = FILES.map((path) => listed(path)), others = [], proven, sets = [] }: Files = {},
  more: Partial<FoundOnBox> = {},
): FoundOnBox {
  const files = proven === undefined ? FILES.map((path) => pulled(path)) : proven;
  const results = {
    ...{ runId: 'r-1', runName: 'base', path: '/w/out', listed: there, others },
    proven:
      files === null
        ? null
        : { evidence: 3, to: '/home/out', files, listed: there, sets, tellsWrites: true },
  };
  return {
    ...foundNothing(NOW),
    ...{ runs: [{ id: 'r-1', name: 'base', isOver: true }], results: [results] },
    ...more,
  };
}

/** As a person is asked about it. */
function elsewhereOf(found: FoundOnBox): { id: string; loss: string } {
  const { id, loss } = elsewhere(found, sha256);
  return { id, loss: loss ?? '' };
}

const judged = (found: FoundOnBox) => doAtOnce(judgeFilesInSteps(found.results));

/** All that a person and this computer have done: `elsewhere` is accepted, the copies are read. */
function besideFor(found: FoundOnBox, more: Partial<JudgedBeside> = {}): JudgedBeside {
  const copies = doAtOnce(digestInSteps(copiesOf(judged(found)), sha256));
  return {
    ...{ atMs: NOW, monoMs: 1000, holdsMs: COPIES_HOLD_MS },
    ...{ stamps: 'same', evidenceFault: null, sha256 },
    read: { atMs: NOW, monoMs: 1000, machine: MACHINE, copies, stamps: 'same', faults: [] },
    losses: [{ ...elsewhereOf(found), says: '', because: 'nothing else', atMs: NOW - 1 }],
    ...more,
  };
}

const judge = (found: FoundOnBox, more: Partial<JudgedBeside> = {}): Inspection =>
  doAtOnce(judgeInspectionInSteps(found, judged(found), besideFor(found, more)));

const openIn = (inspection: Inspection): readonly string[] =>
  openBlockers(inspection).map(({ id }) => id);

function blockerOf(inspection: Inspection, id: string): Blocker {
  const found = inspection.blockers.find((each) => each.id === id);
  if (found === undefined) throw new Error(`${id} was not raised`);
  return found;
}

const PROCESS = { key: 'boot-7-9', pid: 7, command: 'python train.py', holdsGpu: true };
const DAMAGED = { kind: 'damaged', format: 'npy', because: 'cut off' } as const;
const SET = { kind: 'split-gguf', path: 'm-00001-of-2.gguf', says: 'a part is missing' } as const;

const QUEUE = { id: 'r-1', name: 'grid', isPaused: false, isStopping: false, cells: ['lr-1'] };
const OTHERS = { boxName: 'train-b', tier: null, path: '/shared/out' };
const SWEEP = { id: 's-1', name: 'grid', cells: 3, open: [], which: [], away: [], because: null };
const OFFLINE = 'wandb/offline-run-20260101_101010-abcd/run-abcd.wandb';
const stray = (path: string, tier: string | null): OutsideFile => ({
  ...{ path, tier, bytes: 5_000_000, modifiedAtMs: 7 },
});
const outsideWith = (...files: readonly OutsideFile[]): FoundOnBox['outside'] => ({
  ...foundNothing(NOW).outside,
  files,
});

const first = (file: Partial<ResultFile>): Files => ({
  there: [listed('a.pt', file), listed('b.json')],
});
const proving = (file: Partial<PulledFile>): Files => ({
  proven: [pulled('a.pt', file), pulled('b.json')],
});

const raised: readonly (readonly [string, string, FoundOnBox, Partial<JudgedBeside>])[] = [
  [
    'a run that is alive',
    'run-alive:r-1',
    foundWith({}, { runs: [{ id: 'r-1', name: 'base', isOver: false }] }),
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

describe('an inspection', () => {
  it('lets a box go of which all is home, read again and accounted for', () => {
    const inspection = judge(foundWith());
    expect(openIn(inspection)).toEqual([]);
    expect(inspection).toMatchObject({
      runs: [{ files: 2, bytes: 20, homeFiles: 2, homeBytes: 20, to: '/home/out', evidence: 3 }],
      left: [],
    });
  });

  it.each(raised)('raises for %s just “%s”', (_cause, id, found, beside) => {
    expect(openIn(judge(found, beside))).toEqual([id]);
  });

  it('asks for copies that are no longer what was proven to be brought home again', () => {
    const found = foundWith();
    const { read } = besideFor(found);
    if (read === null) throw new Error('nothing was read');
    const gone = judge(found, { read: { ...read, faults: ['a.pt: its copy here is gone'] } });
    expect(openIn(gone)).toEqual(['copies-gone']);
    const others = judge(found, { read: { ...read, copies: sha256('others') } });
    expect(openIn(others)).toEqual(['copies-unread']);
  });

  it('takes no proof that an older Leasehold made without a stamp', () => {
    const { stamp: _stamp, ...bare } = pulled('a.pt');
    const inspection = judge(foundWith({ proven: [bare, pulled('b.json')] }));
    expect(openIn(inspection)).toEqual(['not-home:/w/out']);
    expect(blockerOf(inspection, 'not-home:/w/out').shows).toEqual([
      expect.stringMatching(/^a\.pt: proven by an older Leasehold/),
    ]);
  });

  it('lets go of what a person has left with a reason, and of what they take damaged', () => {
    const left = judge(foundWith(proving({ left: 'scratch', mark: 'missing-here', sha256: null })));
    expect(openIn(left)).toEqual([]);
    expect(left.left).toEqual([
      {
        ...{ runName: 'base', path: '/w/out', files: 1, bytes: 10, because: 'scratch' },
        shows: ['a.pt'],
      },
    ]);
    const link = judge(foundWith({ others: [listed('latest')] }));
    expect(openIn(link)).toEqual([]);
    expect(link.left).toMatchObject([{ files: 1, shows: ['latest'] }]);
    expect(link.digest).not.toBe(judge(foundWith()).digest);
    expect(left.runs).toMatchObject([{ files: 2, homeFiles: 1 }]);
    const taken = judge(foundWith(proving({ loaded: DAMAGED, accepted: 'as it is' })));
    expect(openIn(taken)).toEqual([]);
    expect(taken.runs).toMatchObject([{ homeFiles: 2 }]);
  });

  it('says of results that are not there that they are not, and that changes what a yes rests on', () => {
    const none = judge(foundWith({}, { absent: [{ runName: 'early', path: '~/w/none' }] }));
    expect(openIn(none)).toEqual([]);
    expect(none.left).toMatchObject([{ runName: 'early', path: '~/w/none', bytes: 0 }]);
    expect(none.digest).not.toBe(judge(foundWith()).digest);
  });

  it('rests on copies of what is home alone', () => {
    const pathsOf = (found: FoundOnBox) => copiesOf(judged(found)).map(({ file }) => file.path);
    expect(pathsOf(foundWith())).toEqual(FILES);
    expect(pathsOf(foundWith(proving({ loaded: DAMAGED })))).toEqual(['b.json']);
    expect(pathsOf(foundWith(proving({ left: 'scratch' })))).toEqual(['b.json']);
    expect(pathsOf(foundWith(proving({ loaded: DAMAGED, accepted: 'so' })))).toEqual(FILES);
  });

  it('asks for no copy where an end rests on none', () => {
    const none = foundWith({ there: [], proven: [] });
    expect(openIn(judge(none, { read: null }))).toEqual([]);
    expect(openIn(judge({ ...none, results: [] }, { read: null }))).toEqual([]);
  });

  it('names the entry that tells of lost curves where it is such files', () => {
    const curves = foundWith({ there: [listed('run/events.out.tfevents.1.h')], proven: null });
    expect(blockerOf(judge(curves), 'never-pulled:/w/out').entry).toBe('U20');
    const weights = foundWith({ there: [listed('a.pt')], proven: null });
    expect(blockerOf(judge(weights), 'never-pulled:/w/out').entry).toBeNull();
  });

  it('counts what a person accepts for exactly that loss and no other', () => {
    const one = foundWith({ there: [...FILES, 'new'].map((path) => listed(path)) });
    const { id, loss } = blockerOf(judge(one), 'not-home:/w/out');
    if (loss === null) throw new Error('nobody can accept it');
    const kept = { id, loss, says: '', because: 'scratch', atMs: 2 };
    const losses = [...besideFor(one).losses, kept];
    expect(openIn(judge(one, { losses }))).toEqual([]);
    const more = [...FILES, 'new', 'newer'].map((path) => listed(path));
    expect(openIn(judge(foundWith({ there: more }), { losses }))).toEqual([id]);
    const other = [listed('a.pt'), listed('b.json'), listed('new', { stamp: 'later' })];
    expect(openIn(judge(foundWith({ there: other }), { losses }))).toEqual([id]);
    const elsewhere = foundWith();
    expect(
      openIn(judge({ ...elsewhere, results: [] }, { losses: besideFor(elsewhere).losses })),
    ).toEqual(['elsewhere']);
  });

  it('asks again for what nobody has looked at, after half a day and where the clock was set back', () => {
    const found = foundWith();
    const { losses, read } = besideFor(found);
    if (read === null) throw new Error('nothing was read');
    const openAt = (atMs: number) =>
      openIn(judge(found, { atMs, losses, read: { ...read, atMs } }));
    expect(openAt(NOW + ELSEWHERE_HOLDS_MS - 1)).toEqual([]);
    expect(openAt(NOW + ELSEWHERE_HOLDS_MS)).toEqual(['elsewhere']);
    expect(openAt(NOW - ELSEWHERE_HOLDS_MS - 2)).toEqual(['elsewhere']);
    const other = { ...found, machine: { ...MACHINE, life: 'b/2' } };
    expect(openIn(judge(other, { losses }))).toContain('elsewhere');
  });

  it('puts what one verb does in the way of a yes to that verb alone', () => {
    const rates = { running: null, stopped: null, destroyed: 'free' };
    const disk = { name: 'disk', survivesStop: true, survivesDestroy: false, rates };
    const facts = {
      actions: [
        { verb: 'stop', kind: 'stop', takes: null, later: null, goesOn: 'PS1', leaves: [] },
        { verb: 'destroy', kind: 'destroy', takes: null, later: null, goesOn: null, leaves: [] },
      ],
      ...{ storage: [{ ...disk, billing: null, verified: null }], clocks: [] },
    } as unknown as EndFacts;
    const inspection = judge(foundWith({}, { profile: facts }));
    const idsFor = (verb: string) => openBlockers(inspection, verb).map(({ id }) => id);
    expect(openIn(inspection)).toEqual([]);
    expect([idsFor('stop'), idsFor('destroy')]).toEqual([['bills-on:stop'], []]);
    const { digest } = inspection;
    const yesTo = (verb: string) =>
      stepGate(
        { kind: 'shut', inspection },
        {
          ...{ kind: 'approve', verb, aim: 'gone', digest, typed: 'a', boxName: 'a' },
          ...{ atMs: NOW, monoMs: 1000 },
        },
      );
    expect(yesTo('stop')).toEqual({ ok: false, error: 'blocked' });
    expect(yesTo('destroy').ok).toBe(true);
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

  it('takes a loss for accepted as it was, and asks again once it is another one', () => {
    const missing = (at: number): FoundOnBox =>
      foundWith({}, { sweeps: [{ ...SWEEP, open: [['missing', 1]], which: [[at, 'missing']] }] });
    const more = (...names: readonly string[]): FoundOnBox => {
      const strays = outsideWith(...names.map((name) => stray(name, null)));
      return foundWith({}, { outside: { ...strays, isCut: true } });
    };
    for (const [id, one, other] of [
      ['sweep-open:s-1', missing(3), missing(7)],
      ['tier-goes:unknown', more('/root/a'), more('/root/a', '/root/b')],
    ] as const) {
      const loss = blockerOf(judge(one), id).loss ?? '';
      const losses = [...besideFor(one).losses, { id, loss, says: '', because: 'old', atMs: NOW }];
      expect(blockerOf(judge(one, { losses }), id).accepted).not.toBe(null);
      expect(blockerOf(judge(other, { losses }), id).accepted).toBe(null);
    }
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

  it('opens nothing for a box that cannot be looked at', () => {
    const unseen = blockedUnseen('It is not connected.', { atMs: NOW, sha256 });
    expect(openBlockers(unseen)).toMatchObject([{ kind: 'not-looked', loss: null }]);
    expect(unseen.digest).not.toBe(blockedUnseen('Another.', { atMs: NOW, sha256 }).digest);
  });
});

describe('docs/gate-blockers.md', () => {
  const rows = readBlockersPage(readFileSync('docs/gate-blockers.md', 'utf8'));

  it('names a test for each blocker, and each of those tests is there', () => {
    expect(rows.map(({ kind }) => kind)).toEqual(blockerKinds);
    const here = 'src/shared/teardown/judge-inspection.test.ts';
    expect(new Set(rows.map(({ file }) => file))).toEqual(new Set([here]));
    const names = new Set([...raised.map(([what, id]) => `raises for ${what} just “${id}”`)]);
    const text = readFileSync(here, 'utf8');
    for (const { test } of rows)
      expect(names.has(test) || text.includes(`it('${test}'`), test).toBe(true);
  });
});
