import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ProvenResults } from '../files/judge-delete.ts';
import type { OtherResult, ResultFile } from '../runs/launch/launched-run.ts';
import type { PulledFile } from '../transfer/pull.ts';
import { STILL_SENDS_MS } from './blockers/place-blockers.ts';
import { copiesOf } from './blockers/result-files.ts';
import { readBlockersPage } from './blockers-page.fixture.ts';
import { MACHINE } from './found-on-box.fixture.ts';
import type { FoundMachine, FoundOnBox } from './found-on-box.ts';
import { blockerKinds } from './inspection.ts';
import { ELSEWHERE_HOLDS_MS, type JudgedBeside } from './judge-inspection.ts';
import {
  besideFor,
  blockerOf,
  COPIES_HOLD_MS,
  DAMAGED,
  FILES,
  first,
  foundWith,
  judge,
  judged,
  linkTo,
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

const PICKLED = { kind: 'not-loadable', format: 'torch', because: 'it runs code' } as const;
const ABSENT = { runId: 'r-2', runName: 'base', path: '~/w/none', proven: null };
const UNTOLD = { because: 'It did not tell.', isAnswer: true };
const ORDER = {
  id: 'act-9',
  atMs: 1000,
  verb: 'Terminate',
  said: null,
  ofBox: null,
  isNoted: true,
};

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
    foundWith({}, { orders: [ORDER] }),
    {},
  ],
  ...(['done', 'lost', 'unfinished', 'wanted', 'pulled'] as const).map(
    (missed): (typeof raised)[number] => [
      `a folder for results that is not there, and is missed: ${missed}`,
      `not-there:${missed}`,
      foundWith({}, { absent: [{ ...ABSENT, missed }] }),
      {},
    ],
  ),
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
  [
    'a run that is not told any more',
    'run-missing',
    foundWith({}, { missing: [{ id: 'r-8', name: null }] }),
    {},
  ],
  ['a process', 'process-alive:boot-7-9', foundWith({}, { processes: [PROCESS] }), {}],
  [
    'processes of which the box did not tell',
    'processes-unknown',
    foundWith({}, { processesUnknown: UNTOLD }),
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
  [
    'a link that leads out of the results',
    'link-out:/w/out',
    foundWith({ others: [linkTo('/srv/best.pt')] }),
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
  [
    'a file that could only be hashed, where loading is asked for',
    'proof-below:/w/out',
    foundWith(proving({ loaded: PICKLED })),
    { needs: 'loaded' },
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
    'not-there:emptied:/w/out',
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

  it('tells folders that are not there for one cause once, with their number, and each that joins them is another loss', () => {
    const absentOf = (count: number): FoundOnBox['absent'] =>
      Array.from({ length: count }, (_, at) => ({
        ...{
          runName: `base-${String(at)}`,
          path: `~/w/none-${String(at)}`,
          missed: 'done' as const,
          ...{ runId: 'r-2', proven: null },
        },
      }));
    const raisedBy = (absent: FoundOnBox['absent']) => {
      const inspection = judge(foundWith({}, { absent }));
      expect(openIn(inspection)).toEqual(['not-there:done']);
      return blockerOf(inspection, 'not-there:done');
    };
    const many = raisedBy(absentOf(150));
    expect(many.says).toMatch(/^150 runs have succeeded, and the folders/);
    expect(many.shows).toHaveLength(20);
    expect(many.shows[0]).toBe('“base-0”: ~/w/none-0');
    expect(raisedBy([...absentOf(150)].reverse()).loss).toBe(many.loss);
    expect(raisedBy(absentOf(151)).loss).not.toBe(many.loss);
    expect(raisedBy(absentOf(1)).says).toMatch(/^“base-0” has succeeded/);
  });

  it('rests on the copies of a folder that is not there any more, and says what of it is here', () => {
    const proven = {
      ...{ evidence: 4, to: '/home/gone', listed: [], sets: [], tellsWrites: true },
      files: [pulled('x.pt'), pulled('y.pt', { mark: 'differs', sha256: null })],
    };
    const gone = (files: readonly PulledFile[], evidence = 4): FoundOnBox =>
      foundWith(
        {},
        { absent: [{ ...ABSENT, missed: 'pulled', proven: { ...proven, files, evidence } }] },
      );
    const whole = gone([pulled('x.pt')]);
    const inspection = judge(whole);
    expect(openIn(inspection)).toEqual(['not-there:pulled']);
    const blocker = blockerOf(inspection, 'not-there:pulled');
    expect(blocker.says).toMatch(/What was brought home is here and proven: 1 file\./);
    expect(inspection.runs.at(-1)).toMatchObject({
      ...{ path: '~/w/none', to: '/home/gone', files: 0, homeFiles: 0, evidence: 4 },
      away: { files: 1, bytes: 10 },
    });
    // The copies of it are read again like all others.
    const { read } = besideFor(foundWith());
    expect(openIn(judge(whole, { read }))).toEqual(['not-there:pulled', 'copies-unread']);
    const { id, loss } = blocker;
    const losses = [
      ...besideFor(whole).losses,
      { id, loss: loss ?? '', says: '', because: 'deleted it', atMs: NOW },
    ];
    expect(openIn(judge(whole, { losses }))).toEqual([]);
    expect(openIn(judge(gone([pulled('x.pt')], 5), { losses }))).toEqual(['not-there:pulled']);
    // It holds for this life of this machine, and for half a day.
    expect(openIn(judge({ ...whole, machine: { ...MACHINE, life: 'b/2' } }, { losses }))).toContain(
      id,
    );
    const late = { losses, atMs: NOW + ELSEWHERE_HOLDS_MS + 1 };
    expect(openIn(judge(whole, late))).toContain(id);
    const emptiedOn = (machine: FoundMachine): string | null =>
      blockerOf(
        judge(foundWith({ there: [], proven: [pulled('x.pt')] }, { machine })),
        'not-there:emptied:/w/out',
      ).loss;
    expect(emptiedOn({ ...MACHINE, life: 'b/2' })).not.toBe(emptiedOn(MACHINE));
    const missingOn = (machine: FoundMachine): string | null =>
      blockerOf(
        judge(foundWith({}, { missing: [{ id: 'r-8', name: null }], machine })),
        'run-missing',
      ).loss;
    expect(missingOn({ ...MACHINE, life: 'b/2' })).not.toBe(missingOn(MACHINE));
    const part = blockerOf(judge(gone(proven.files)), 'not-there:pulled');
    expect(part.says).toMatch(/1 file proven to be here, and 1 not/);
    const emptied = judge(foundWith({ there: [], proven: proven.files }));
    expect(blockerOf(emptied, 'not-there:emptied:/w/out').says).toMatch(/1 file proven to be here/);
    expect(emptied.runs).toMatchObject([{ files: 0, away: { files: 1, bytes: 10 } }]);
  });

  it('judges a folder that is away like one that is there', () => {
    const away = (files: readonly PulledFile[], sets: ProvenResults['sets'] = []): FoundOnBox => {
      const proven = { evidence: 4, to: '/home/gone', listed: [], tellsWrites: true, files, sets };
      return foundWith({}, { absent: [{ ...ABSENT, missed: 'pulled', proven }] });
    };
    expect(openIn(judge(away([pulled('x.npy', { loaded: DAMAGED })])))).toContain(
      'damaged:~/w/none',
    );
    expect(openIn(judge(away([pulled('x.pt')], [{ ...SET, state: 'unknown' }])))).toContain(
      'damaged:sets:~/w/none',
    );
    const needs = 'loaded' as const;
    const pickled = judge(away([pulled('x.pt', { loaded: PICKLED })]), { needs });
    expect(openIn(pickled)).toContain('proof-below:~/w/none');
    const left = judge(away([pulled('x.pt', { left: 'scratch', sha256: null })]));
    expect(left.left).toMatchObject([{ path: '~/w/none', files: 1, because: 'scratch' }]);
    expect(blockerOf(left, 'not-there:pulled').says).toMatch(/None of it was brought home\./);
  });

  it('rests on the copies of single files that are gone, and asks nobody about them', () => {
    const found = foundWith({ there: [listed('a.pt')] });
    const inspection = judge(found);
    expect(openIn(inspection)).toEqual([]);
    expect(inspection.runs).toMatchObject([
      { files: 1, homeFiles: 1, away: { files: 1, bytes: 10 } },
    ]);
    const { read } = besideFor(foundWith({ there: [], proven: [] }));
    expect(openIn(judge(found, { read }))).toEqual(['copies-unread']);
    expect(copiesOf(judged(found)).map(({ file }) => file.path)).toEqual(FILES);
    // A damaged one that was deleted there is lost already: the end of the box takes nothing more of it.
    const damaged = pulled('b.json', { loaded: DAMAGED });
    const deleted = { there: [listed('a.pt')], proven: [pulled('a.pt'), damaged] };
    expect(openIn(judge(foundWith(deleted)))).toEqual([]);
    const there = { ...deleted, there: FILES.map((path) => listed(path)) };
    expect(openIn(judge(foundWith(there)))).toEqual(['damaged:/w/out']);
  });

  it('takes a person’s word for what still runs of a box that answers and cannot tell, for half a day', () => {
    const untold = foundWith({}, { processesUnknown: UNTOLD });
    const { id, loss } = blockerOf(judge(untold), 'processes-unknown');
    if (loss === null) throw new Error('nobody can accept it');
    const kept = { id, loss, says: '', because: 'looked with top', atMs: NOW };
    const losses = [...besideFor(untold).losses, kept];
    expect(openIn(judge(untold, { losses }))).toEqual([]);
    const { read } = besideFor(untold);
    const atMs = NOW + ELSEWHERE_HOLDS_MS + 1;
    expect(openIn(judge(untold, { losses, atMs, read: read && { ...read, atMs } }))).toContain(id);
    const restarted = { ...untold, machine: { ...MACHINE, life: 'b/2' } };
    expect(openIn(judge(restarted, { losses }))).toContain(id);
    // Of one that did not answer it is not known whether it can.
    const silent = foundWith({}, { processesUnknown: { ...UNTOLD, isAnswer: false } });
    expect(blockerOf(judge(silent), id).loss).toBeNull();
  });

  it.each(['wandb/run-20260101_101010-abcd/run-abcd.wandb', 'trackio/project.db'])(
    'asks about %s, which is sent while it is written, until nobody has written to it for a while',
    (path) => {
      const openAt = (ageMs: number): readonly string[] => {
        const log = { modifiedAtMs: NOW - ageMs };
        const there = [listed(path, log)];
        return openIn(judge(foundWith({ there, proven: [pulled(path, log)] })));
      };
      expect(openAt(STILL_SENDS_MS - 1)).toEqual(['tracker-log']);
      expect(openAt(-1)).toEqual(['tracker-log']);
      expect(openAt(STILL_SENDS_MS)).toEqual([]);
    },
  );

  it('asks about links that lead out of all results, or of which nobody knows, and about no other', () => {
    const [results] = foundWith().results;
    if (results === undefined) throw new Error('there are none');
    const other = { ...results, runId: 'r-9', path: '/srv/ckpt' };
    const openFor = (link: OtherResult): readonly string[] =>
      openIn(
        judge(foundWith({ others: [link] }, { results: [{ ...results, others: [link] }, other] })),
      );
    expect(openFor(linkTo('a.pt', { path: '/w/out/a.pt', isInside: true }))).toEqual([]);
    // What a person wants to have home is judged where it lies.
    expect(openFor(linkTo('/srv/ckpt/best.pt'))).toEqual([]);
    expect(openFor(linkTo('/srv/ckpt'))).toEqual([]);
    expect(openFor({ ...listed('socket'), kind: 'special' })).toEqual([]);
    expect(openFor(linkTo('/srv/ckpt-2/best.pt'))).toEqual(['link-out:/w/out']);
    expect(openFor(linkTo('a/../b', { path: null }))).toEqual(['link-out:/w/out']);
    expect(openFor({ ...linkTo('x'), leads: null })).toEqual(['link-out:/w/out']);
    expect(openFor({ ...listed('latest'), kind: 'link' })).toEqual(['link-out:/w/out']);
  });

  it('shows a link with what it leads to, in letters that are what they look like, and asks anew where that changes', () => {
    const found = foundWith({ others: [linkTo('/srv/\u202ebest\n.pt')] });
    const blocker = blockerOf(judge(found), 'link-out:/w/out');
    expect(blocker.says).toMatch(/^1 link among the results of “base” leads out of them/);
    expect(blocker.shows).toEqual(['best -> /srv/ best .pt']);
    const losses = [
      ...besideFor(found).losses,
      { id: blocker.id, loss: blocker.loss ?? '', says: '', because: 'kept there', atMs: NOW },
    ];
    expect(openIn(judge(found, { losses }))).toEqual([]);
    const moved = foundWith({ others: [linkTo('/srv/next.pt')] });
    expect(openIn(judge(moved, { losses }))).toEqual(['link-out:/w/out']);
    const long = judge(foundWith({ others: [linkTo(`/${'x'.repeat(4000)}`)] }));
    expect(blockerOf(long, 'link-out:/w/out').shows[0]?.length).toBeLessThan(500);
  });

  it('asks of no file for more than its readers can tell, nor for what a person did not ask for', () => {
    const open = (loaded: PulledFile['loaded'], needs: JudgedBeside['needs']) => {
      const level = loaded?.kind === 'loaded' ? 'loaded' : 'hashed';
      const files = { there: [listed('a.pt')], proven: [pulled('a.pt', { loaded, level })] };
      return openIn(judge(foundWith(files), { needs }));
    };
    expect(open(PICKLED, 'hashed')).toEqual([]);
    expect(open({ kind: 'no-reader' }, 'loaded')).toEqual([]);
    expect(open({ kind: 'loaded', format: 'torch', holds: '2 tensors' }, 'loaded')).toEqual([]);
    // What nobody has tried is not loaded.
    expect(open(null, 'loaded')).toEqual(['proof-below:/w/out']);
  });

  it('leads to what the handbook knows of each, but for those of which it knows nothing', () => {
    const without = raised.filter(([, id, found, beside]) => {
      return blockerOf(judge(found, beside), id).entry === null;
    });
    expect([...new Set(without.map(([, id]) => id.split(':')[0]))].sort()).toEqual([
      ...['elsewhere', 'evidence-broken', 'link-out', 'never-pulled', 'not-there'],
      ...['ordered-elsewhere', 'other-machine', 'process-alive', 'queue-waiting', 'run-alive'],
      ...['run-missing', 'run-unplaced', 'run-unreadable', 'sweep-away', 'sweep-open', 'tier-goes'],
    ]);
  });

  it('lets nobody accept what nobody knows', () => {
    const nobodyCan = raised.filter(([, id, found, beside]) => {
      return blockerOf(judge(found, beside), id).loss === null;
    });
    expect(new Set(nobodyCan.map(([, id]) => id))).toEqual(
      new Set(['copies-unread', 'other-machine', 'sweep-open:s-1', 'evidence-broken']),
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
  const orders = [{ ...ORDER, said }];
  const { blockers } = judge(foundWith({}, { orders }));
  const found = blockers.find((each) => each.kind === 'ordered-elsewhere');
  expect(found?.says).toMatch(words);
  expect(found?.loss).toBeNull();
  if (kind !== 'stopping') expect(found?.says).not.toContain('Wait');
});

it('says of an order that was given here for which entry of the list', () => {
  const { blockers } = judge(foundWith({}, { orders: [{ ...ORDER, ofBox: 'train-b' }] }));
  const found = blockers.find((each) => each.kind === 'ordered-elsewhere');
  expect(found?.says).toMatch(/approved here, for “train-b”/);
  expect(found?.says).not.toContain('no record');
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
