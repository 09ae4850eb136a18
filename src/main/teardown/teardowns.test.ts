import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FoundMachine } from '../../shared/teardown/found-on-box.ts';
import { APPROVAL_LASTS_MS } from '../../shared/teardown/gate.ts';
import { saidOf } from '../../shared/teardown/gate.fixture.ts';
import type { LookProgress } from '../../shared/teardown/teardown-view.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { receiptOf } from '../evidence/export-evidence.ts';
import { BOX, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { openTemporaryDatabase } from '../storage/database.ts';
import { NOTHING_RUNS, profileThat, TeardownBench, VERB } from './teardowns.fixture.ts';
import { TeardownRecords } from './teardown-records.ts';
import type { Teardowns } from './teardowns.ts';

describe.skipIf(!hasSshd)('the end of a box by hand', () => {
  let bench: TeardownBench;
  beforeEach(async () => {
    bench = new TeardownBench();
    await bench.open();
  });
  afterEach(() => bench.close());

  /** The one that the first act was meant for. */
  function machine(): FoundMachine {
    const found = bench.acts[0]?.machine ?? null;
    if (found === null) throw new Error('nothing was begun');
    return found;
  }

  it('goes from the first look to a receipt, and is refused at each thing in the way', async () => {
    const teardowns = bench.start();
    const id = await bench.aRun();
    const told: (LookProgress | null)[] = [];
    bench.onPatrol = () => {
      const { doing } = bench.viewOf(teardowns);
      told.push(doing?.kind === 'inspecting' ? doing : null);
    };
    expect(await bench.blockedBy(teardowns)).toEqual(['elsewhere', 'never-pulled']);
    const progress = { part: 'processes', runs: 1, files: 2, elsewhere: 0 } as const;
    expect(told).toEqual([{ kind: 'inspecting', ...progress }]);
    await bench.pull(id);
    expect(await bench.blockedBy(teardowns)).toEqual(['elsewhere', 'copies-unread']);
    value(await teardowns.readCopies(BOX.id));
    expect(await bench.blockedBy(teardowns)).toEqual(['elsewhere']);
    expect(bench.approve(teardowns)).toMatch(/has to be settled/);
    await bench.acceptElsewhere(teardowns);
    expect(await bench.blockedBy(teardowns)).toEqual([]);
    expect(bench.approve(teardowns, 'train-b')).toMatch(/not the name/);
    expect(await bench.begin(teardowns)).toMatch(/has not been approved/);

    expect(bench.approve(teardowns)).toBe('ok');
    writeFileSync(bench.out('late.txt'), 'of a run started elsewhere');
    expect(await bench.begin(teardowns)).toMatch(/has to be settled/);
    expect(bench.gateOf(teardowns).kind).toBe('shut');
    expect(await bench.begin(teardowns)).toMatch(/has not been approved/);

    await bench.pull(id);
    value(await teardowns.readCopies(BOX.id));
    expect(await bench.blockedBy(teardowns)).toEqual([]);
    expect(bench.approve(teardowns)).toBe('ok');
    expect(await bench.begin(teardowns)).toBe('ok');
    expect(bench.acts).toMatchObject([{ verb: VERB }]);
    expect(await bench.begin(teardowns)).toMatch(/already being ended/);

    await bench.link.connect();
    value(await teardowns.confirm(BOX.id, bench.pictureIn(teardowns)));
    expect(bench.gateOf(teardowns)).toMatchObject({
      ...{ kind: 'unconfirmed', because: 'The box still answers.' },
    });
    await bench.box.proxy.refuse(true);
    bench.box.proxy.cut();
    value(await teardowns.confirm(BOX.id, null));
    expect(bench.gateOf(teardowns)).toMatchObject({
      because: expect.stringMatching(/That alone does not say that it is gone/),
    });
    expect(bench.gone).toEqual([]);
    value(await teardowns.confirm(BOX.id, bench.pictureIn(teardowns)));
    expect(bench.gateOf(teardowns).kind).toBe('gone');
    expect(bench.gone).toEqual([VERB]);
    expect(bench.acts).toHaveLength(1);

    expect(value(await bench.database.evidence.check()).fault).toBeNull();
    const seq = bench.viewOf(teardowns).receipt;
    const paper = value(
      await receiptOf(bench.database.evidence, seq ?? 0, { box: () => BOX.name, atMs: Date.now() }),
    );
    for (const said of [BOX.name, VERB, 'nothing else', 'late.txt', 'loss.txt']) {
      expect(paper?.text).toContain(said);
    }

    teardowns.close();
    const later = bench.start();
    expect(bench.gateOf(later).kind).toBe('gone');
    value(later.beginAgain(BOX.id));
    expect(bench.gone).toEqual([VERB, 'again']);
    expect([bench.gateOf(later).kind, bench.gateOf(bench.start()).kind]).toEqual(['shut', 'shut']);
    expect(later.beginAgain(BOX.id).ok).toBe(false);
  });

  /** By hand, until it is confirmed. */
  async function ended(teardowns: Teardowns): Promise<void> {
    await bench.ready(teardowns);
    expect(bench.approve(teardowns)).toBe('ok');
    expect(await bench.begin(teardowns)).toBe('ok');
    await bench.box.proxy.refuse(true);
    bench.box.proxy.cut();
    value(await teardowns.confirm(BOX.id, bench.pictureIn(teardowns)));
    expect(bench.gateOf(teardowns).kind).toBe('gone');
  }

  it('takes a box back only where its row could be, and writes nothing otherwise', async () => {
    const archived: (number | null)[] = [];
    bench.archive = (atMs) => {
      archived.push(atMs);
      return ok(null);
    };
    const teardowns = bench.start();
    await ended(teardowns);
    const ends = (await bench.entries()).filter(({ kind }) => kind === 'teardown');
    const last = JSON.parse(ends.at(-1)?.body ?? '') as unknown;
    expect(archived).toEqual([expect.any(Number)]);
    expect(last).toMatchObject({ step: 'gone', ends: true });
    bench.archive = () => err(problem('box-exists', 'Another is there.'));
    expect(teardowns.beginAgain(BOX.id)).toMatchObject({ error: { code: 'box-exists' } });
    expect([bench.gateOf(teardowns).kind, bench.gone]).toEqual(['gone', [VERB]]);
    expect((await bench.entries()).some(({ body }) => body.includes('"again"'))).toBe(false);
  });

  it('hears what one beside it did before it is asked to, and its list follows', async () => {
    const [one, other] = [bench.start(), bench.start()];
    await ended(one);
    const archived: (number | null)[] = [];
    bench.archive = (atMs) => {
      archived.push(atMs);
      return ok(null);
    };
    expect(other.callOff(BOX.id)).toMatchObject({ ok: false });
    expect(bench.gateOf(other).kind).toBe('gone');
    expect(archived).toEqual([expect.any(Number)]);
    value(other.beginAgain(BOX.id));
    expect(one.beginAgain(BOX.id)).toMatchObject({ error: { message: 'This box is not gone.' } });
    expect(bench.gateOf(one).kind).toBe('shut');
    expect(archived.slice(1)).toEqual([null, null]);
    expect(bench.gone).toEqual([VERB, 'again']);
  });

  it('does nothing that the platform of the box does not have any more, and tells of links among results', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    symlinkSync('loss.txt', bench.out('latest'));
    symlinkSync('/srv/best.pt', bench.out('best'));
    expect(await bench.blockedBy(teardowns)).toEqual(['link-out']);
    expect(bench.inspectionIn(teardowns).blockers).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ shows: ['best -> /srv/best.pt'] }),
      ]) as never,
    );
    rmSync(bench.out('best'));
    value(await teardowns.inspect(BOX.id));
    expect(bench.inspectionIn(teardowns).left).toMatchObject([
      { files: 1, because: expect.stringContaining('Links') as string, shows: ['latest'] },
    ]);
    expect(bench.approve(teardowns)).toBe('ok');
    bench.verbs = ['another'];
    expect(await bench.begin(teardowns)).toMatch(/no such action/);
    expect([bench.gateOf(teardowns).kind, bench.acts]).toEqual(['shut', []]);
    expect((await bench.entries()).filter(({ kind }) => kind === 'teardown')).toEqual([]);
  });

  it('remembers an end that is under way over a restart, and no yes', async () => {
    const first = bench.start();
    await bench.ready(first);
    expect(bench.approve(first)).toBe('ok');
    const second = bench.start();
    expect(bench.gateOf(second).kind).toBe('shut');
    expect(await bench.begin(second)).toMatch(/has not been approved/);
    expect(await bench.begin(first)).toBe('ok');
    first.close();
    const third = bench.start();
    expect(bench.gateOf(third)).toMatchObject({
      kind: 'unconfirmed',
      act: bench.acts[0],
      said: null,
    });
    expect(await bench.begin(third)).toMatch(/has not been approved|already being ended/);
    value(third.callOff(BOX.id));
    expect(bench.gateOf(bench.start()).kind).toBe('shut');
    expect(bench.acts).toHaveLength(1);
  });

  it('is not begun a second time by a computer that takes over without the evidence of this one', async () => {
    const first = bench.start();
    await bench.ready(first);
    expect(bench.approve(first)).toBe('ok');
    expect(await bench.begin(first)).toBe('ok');
    const own = bench.database;
    bench.database = openTemporaryDatabase();
    try {
      const other = bench.start();
      const orderIn = async () => {
        await bench.blockedBy(other);
        const { blockers } = bench.inspectionIn(other);
        return blockers.find(({ kind }) => kind === 'ordered-elsewhere');
      };
      expect(await orderIn()).toMatchObject({
        ...{ says: expect.stringContaining(VERB) as string, shows: [bench.acts[0]?.id] },
        loss: expect.any(String) as string,
      });
      // Nobody can say what came of it while the provider is at it, or does not tell.
      bench.said = saidOf('stopping');
      expect(await orderIn()).toMatchObject({ loss: null });
      value(first.callOff(BOX.id));
      await expect.poll(() => existsSync(bench.orderOf(bench.acts[0]?.id ?? ''))).toBe(false);
      expect(await orderIn()).toBeUndefined();
      // Noted as late as while its processes were looked at.
      bench.onPatrol = () => writeFileSync(bench.orderOf('late'), '1 Terminate\n');
      expect(await orderIn()).toMatchObject({ shows: ['late'] });
      bench.onPatrol = () => undefined;
      rmSync(bench.orderOf('late'));
      other.close();
    } finally {
      bench.database.close();
      bench.database = own;
    }
    // It is the same machine under another entry of the list: the box was forgotten and added again, or is in it twice.
    writeFileSync(bench.orderOf(bench.acts[0]?.id ?? ''), '1 Terminate\n');
    const records = new TeardownRecords(own.evidence);
    expect(value(await bench.orders(records).orders('added-again', machine()))).toEqual([]);
    expect(existsSync(bench.orderOf(bench.acts[0]?.id ?? ''))).toBe(false);
    // What this computer itself has ordered is in its evidence.
    writeFileSync(bench.orderOf(bench.acts[0]?.id ?? ''), '1 Terminate\n');
    expect(await bench.blockedBy(first)).not.toContain('ordered-elsewhere');
    // It was called off while nobody could reach the box, or its box was begun again.
    expect(existsSync(bench.orderOf(bench.acts[0]?.id ?? ''))).toBe(false);
  });

  it('is not begun a second time by another entry of the list for the same machine', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    expect(bench.approve(teardowns)).toBe('ok');
    expect(await bench.begin(teardowns)).toBe('ok');
    const [act] = bench.acts;
    if (act === undefined) throw new Error('not begun');
    const { orders, noteOrder } = bench.orders(new TeardownRecords(bench.database.evidence));
    expect(value(await orders(BOX.id, machine()))).toEqual([]);
    expect(value(await orders('added-again', machine()))).toMatchObject([
      { id: act.id, ofBox: BOX.name },
    ]);
    const theirs = { ...act, id: 'theirs' };
    expect(value(await noteOrder('added-again', theirs, false)).others).toMatchObject([
      { id: act.id },
    ]);
    rmSync(bench.orderOf('theirs'));
    // Nor where it could not be noted on the box: the evidence has which machine it was meant for.
    rmSync(bench.orderOf(act.id));
    const ofIt = [{ id: act.id, ofBox: BOX.name, isNoted: false }];
    expect(value(await orders('added-again', machine()))).toMatchObject(ofIt);
    expect(value(await noteOrder('added-again', theirs, false)).others).toMatchObject([
      { id: act.id },
    ]);
    rmSync(bench.orderOf('theirs'));
    for (const other of [{ hostKey: 'SHA256:other' }, { life: 'b/2' }, { life: null }]) {
      expect(value(await orders('added-again', { ...machine(), ...other }))).toEqual([]);
    }
    // Known by its provider's name, it is another life all the same: what was ordered then is carried out.
    const linked = { ...machine(), instance: 'i-1' };
    const records = new TeardownRecords(bench.database.evidence);
    const { evidence: approval } = act;
    const { step: said } = value(records.newest(BOX.id)) ?? {};
    if (said?.step !== 'approved') throw new Error('not begun');
    value(records.append('twin', { ...said, actId: 'twins', machine: linked }));
    const idsOn = async (now: FoundMachine): Promise<readonly string[]> =>
      value(await orders('added-again', now)).map(({ id }) => id);
    expect(await idsOn(linked)).toContain('twins');
    expect(await idsOn({ ...linked, life: 'b/2' })).not.toContain('twins');
    const by = { kind: 'person', saidAtMs: 1, said: null } as const;
    const gone = { silence: 'so', by, ends: false, told: [], cost: null, approvedAtMs: 1 };
    const stop = { actId: 'twins', verb: VERB, aim: 'stopped', machine: linked } as const;
    value(records.append('twin', { step: 'gone', approval, ...stop, ...gone }));
    expect(await idsOn(linked)).not.toContain('twins');
    // Also where the box cannot be asked, the evidence is.
    const { connection } = bench.box;
    bench.box.connection = null;
    const unasked = value(await noteOrder('added-again', theirs, false));
    bench.box.connection = connection;
    expect(unasked).toMatchObject({
      ...{ others: [{ id: act.id }], unnoted: { code: 'not-connected' } },
    });
    value(teardowns.callOff(BOX.id));
    await expect.poll(() => existsSync(bench.orderOf(act.id))).toBe(false);
    expect(value(await orders('added-again', machine()))).toEqual([]);
  });

  it('is begun once by two that run over one data folder', async () => {
    const [one, other] = [bench.start(), bench.start()];
    await bench.ready(one);
    value(await other.readCopies(BOX.id));
    expect([bench.approve(one), bench.approve(other)]).toEqual(['ok', 'ok']);
    const said = await Promise.all([bench.begin(one), bench.begin(other)]);
    expect(said.filter((each) => each === 'ok')).toHaveLength(1);
    expect(bench.acts).toHaveLength(1);
    expect([one, other].map((each) => bench.gateOf(each).kind).sort()).toEqual([
      'acting',
      'unconfirmed',
    ]);
    expect((await bench.entries()).filter(({ kind }) => kind === 'teardown')).toHaveLength(1);
  });

  it('is not begun after something happened since the yes, and is once that is undone', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    const copy = join(bench.home, 'loss.txt');
    const bytes = readFileSync(copy);
    const rename = (name: string): void => {
      const entry = bench.box.roster.entryOf(BOX.id);
      if (entry !== null) bench.box.roster.put({ ...entry, box: { ...BOX, name } });
    };
    const entry = bench.box.roster.entryOf(BOX.id);
    const putBack = (): void => {
      if (entry !== null) bench.box.roster.put(entry);
      bench.box.roster.attach(BOX.id, bench.link.link);
    };
    const nothing = (): void => undefined;
    const inTheWay = /has to be settled/;
    const cases: readonly (readonly [string, () => void, RegExp, () => void])[] = [
      ['a byte of a copy', () => writeFileSync(copy, '9.9\n'), inTheWay, nothing],
      ['a copy is gone', () => rmSync(copy), inTheWay, () => writeFileSync(copy, bytes)],
      ['time', () => (bench.monoMs += APPROVAL_LASTS_MS), /more than ten minutes old/, nothing],
      ['its name', () => rename('train-b'), /not the name/, () => rename(BOX.name)],
      [
        'what is known of its platform',
        () => (bench.facts = profileThat('keeps the disk')),
        /has changed since it was checked/,
        nothing,
      ],
      [
        'what a verb does by what is known',
        () => (bench.facts = profileThat('deletes the disk')),
        /has changed since it was checked/,
        () => (bench.facts = null),
      ],
      [
        'taken back meanwhile',
        () => (bench.onPatrol = () => void teardowns.withdraw(BOX.id)),
        /has not been approved/,
        nothing,
      ],
      [
        'stopped meanwhile',
        () => (bench.onPatrol = () => teardowns.stop(BOX.id)),
        /nothing was done/,
        nothing,
      ],
      [
        'processes unknown',
        () => (bench.seen = { ...NOTHING_RUNS, isWhole: false }),
        inTheWay,
        () => (bench.seen = NOTHING_RUNS),
      ],
      [
        'forgotten meanwhile',
        () => (bench.onPatrol = () => bench.box.roster.remove(BOX.id)),
        /nothing was done/,
        putBack,
      ],
      [
        'another host key',
        () => (bench.hostKey = 'SHA256:other'),
        inTheWay,
        () => (bench.hostKey = 'SHA256:same'),
      ],
      [
        'a large file beside the results',
        () => writeFileSync(join(bench.box.home, 'model.pt'), Buffer.alloc(1_200_000)),
        inTheWay,
        () => rmSync(join(bench.box.home, 'model.pt')),
      ],
      ['written to there', () => writeFileSync(bench.out('loss.txt'), '9.9\n'), inTheWay, nothing],
    ];
    for (const [what, happen, because, undo] of cases) {
      writeFileSync(copy, bytes);
      value(await teardowns.readCopies(BOX.id));
      expect([what, bench.approve(teardowns)]).toEqual([what, 'ok']);
      happen();
      const said = await bench.begin(teardowns);
      bench.onPatrol = () => undefined;
      expect(said, what).toMatch(because);
      expect(bench.acts, what).toEqual([]);
      undo();
    }
    expect((await bench.entries()).some(({ kind }) => kind === 'teardown')).toBe(false);
  });

  it('lets nothing begin of a box that is not connected, or whose record was changed', async () => {
    const teardowns = bench.start();
    await bench.ready(teardowns);
    expect(bench.approve(teardowns)).toBe('ok');
    bench.chain = { count: 1, fault: { seq: 1, because: 'changed' } };
    expect(await bench.begin(teardowns)).toMatch(/has to be settled/);
    expect(await bench.blockedBy(teardowns)).toEqual(['evidence-broken']);
    bench.chain = null;
    expect(await bench.blockedBy(teardowns)).toEqual([]);
    await bench.box.hangUp();
    expect(await bench.blockedBy(teardowns)).toEqual(['not-looked']);
    expect(bench.acts).toEqual([]);
  });
});
