import { describe, expect, it } from 'vitest';
import { copiesOf } from './blockers/result-files.ts';
import { MACHINE } from './found-on-box.fixture.ts';
import type { EndFacts, FoundOnBox } from './found-on-box.ts';
import { stepGate } from './gate.ts';
import { openBlockers } from './inspection.ts';
import { blockedUnseen, ELSEWHERE_HOLDS_MS } from './judge-inspection.ts';
import {
  besideFor,
  blockerOf,
  DAMAGED,
  FILES,
  foundWith,
  judge,
  judged,
  listed,
  NOW,
  openIn,
  outsideWith,
  proving,
  pulled,
  sha256,
  stray,
  SWEEP,
} from './judge-inspection.fixture.ts';

const ABSENT = { runId: 'r-0', runName: 'early', path: '~/w/none', proven: null };

describe('an inspection', () => {
  it('lets a box go of which all is home, read again and accounted for', () => {
    const inspection = judge(foundWith());
    expect(openIn(inspection)).toEqual([]);
    expect(inspection).toMatchObject({
      runs: [{ files: 2, bytes: 20, homeFiles: 2, homeBytes: 20, to: '/home/out', evidence: 3 }],
      left: [],
    });
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
    const link = judge(foundWith({ others: [{ ...listed('latest'), kind: 'special' }] }));
    expect(openIn(link)).toEqual([]);
    expect(link.left).toMatchObject([{ files: 1, shows: ['latest'] }]);
    expect(link.digest).not.toBe(judge(foundWith()).digest);
    expect(left.runs).toMatchObject([{ files: 2, homeFiles: 1 }]);
    const taken = judge(foundWith(proving({ loaded: DAMAGED, accepted: 'as it is' })));
    expect(openIn(taken)).toEqual([]);
    expect(taken.runs).toMatchObject([{ homeFiles: 2 }]);
  });

  it('says of results that are not there that they are not, and that changes what a yes rests on', () => {
    const none = judge(foundWith({}, { absent: [{ ...ABSENT, missed: null }] }));
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

  it('opens nothing for a box that cannot be looked at', () => {
    const unseen = blockedUnseen('It is not connected.', { atMs: NOW, sha256 });
    expect(openBlockers(unseen)).toMatchObject([{ kind: 'not-looked', loss: null }]);
    expect(unseen.digest).not.toBe(blockedUnseen('Another.', { atMs: NOW, sha256 }).digest);
  });
});

it('is another picture, and no other machine, once a provider is linked', () => {
  const [before, after] = [
    foundWith(),
    foundWith({}, { machine: { ...MACHINE, instance: 'i-1' } }),
  ];
  expect(openIn(judge(after))).toEqual([]);
  expect(judge(after).digest).not.toBe(judge(before).digest);
});
