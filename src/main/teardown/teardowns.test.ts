import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EvidenceCheck, EvidenceEntry } from '../../shared/evidence/chain.ts';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import { APPROVAL_LASTS_MS, type Act, type GateState } from '../../shared/teardown/gate.ts';
import type { EndFacts } from '../../shared/teardown/found-on-box.ts';
import { openBlockers, type Inspection } from '../../shared/teardown/inspection.ts';
import type { TeardownView } from '../../shared/teardown/teardown-view.ts';
import { receiptOf } from '../evidence/export-evidence.ts';
import { manifestsBelow } from '../manifest/manifests.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { listResults, LONG_LIST } from '../runs/list-results.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { trustingLink } from '../ssh/trusting-link.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { hashesOf } from '../transfer/box-hashes.ts';
import { BoxPulls } from '../transfer/box-pulls.ts';
import { HomeCheck } from '../transfer/home-check.ts';
import { sourceWorker } from '../workers/source-worker.fixture.ts';
import { Workers } from '../workers/workers.ts';
import { findOutside } from './find-outside.ts';
import { findQueues } from './find-queues.ts';
import { TeardownRecords } from './teardown-records.ts';
import { Teardowns } from './teardowns.ts';

const VERB = 'Terminate';
const PROOF_HOLDS_MS = 3600_000;
const NOTHING_RUNS: PatrolSeen = {
  ...{ atMs: 0, took: null, uptimeS: 1, isWhole: true, runs: [], memoryShare: null, unread: [] },
};

describe.skipIf(!hasSshd)('the end of a box by hand', () => {
  let box: RunBox;
  let home: string;
  let database: Database;
  let workers: Workers;
  let pulls: BoxPulls;
  let link: ReturnType<typeof trustingLink>;
  let apps: { teardowns: Teardowns; hub: StreamHub }[];
  let verbs: readonly string[];
  let acts: Act[];
  let gone: string[];
  let monoMs: number;
  let seen: PatrolSeen;
  let hostKey: string;
  let facts: EndFacts | null;
  /** What is said of the record; null: as it is. */
  let chain: EvidenceCheck | null;
  /** What happens on the box while it is looked at. */
  let onPatrol: () => void;
  beforeEach(async () => {
    home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-pulled-'));
    box = new RunBox();
    await box.open({ configLines: ['Subsystem sftp internal-sftp'] });
    database = openTemporaryDatabase();
    workers = new Workers(sourceWorker);
    pulls = new BoxPulls({
      ...{ hub: box.hub, roster: box.roster, watch: box.watch, scripts: onboxScripts, workers },
      ...{ evidence: database.evidence, entries: box.entries },
      manifests: manifestsBelow(box.home, workers),
      folders: { root: () => null },
      profileOf: () => null,
      onProblem: throws,
      chooseFolder: () => Promise.resolve(home),
    });
    link = trustingLink({
      ...{ sshd: box.sshd, port: box.proxy.port },
      onChange: (state) => box.roster.change(BOX.id, { link: state }),
    });
    box.roster.attach(BOX.id, link.link);
    verbs = [VERB];
    [apps, acts, gone, monoMs, seen, chain] = [[], [], [], 1000, NOTHING_RUNS, null];
    onPatrol = () => undefined;
    [hostKey, facts] = ['SHA256:same', null];
  });
  afterEach(async () => {
    for (const { teardowns } of apps) teardowns.close();
    link.link.disconnect();
    pulls.close();
    workers.close();
    database.close();
    await box.close();
    rmSync(home, { recursive: true, force: true });
  });

  function throws(found: Problem): never {
    throw new Error(found.message);
  }

  async function connected<T>(
    ask: (connection: SshConnection) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    if (box.connection === null) throw new Error('the test hung up');
    return ask(box.connection);
  }

  /** An app that is started over what is kept. */
  function open(): Teardowns {
    const hub = new StreamHub();
    hub.addClient(1, () => undefined);
    const teardowns = new Teardowns({
      ...{ hub, roster: box.roster },
      runs: {
        look: (id) => box.watch.look(id),
        proof: (id, run) => pulls.proof(id, run),
        folders: () => [],
        list: (_id, folder) =>
          connected((connection) =>
            listResults(
              connection,
              onboxScripts,
              { folder, results: folder },
              { bounds: LONG_LIST },
            ),
          ),
        hash: (_id, folder, paths) =>
          connected((connection) => hashesOf(connection, { scripts: onboxScripts, folder, paths })),
      },
      home: new HomeCheck(workers, {
        check: () => (chain === null ? database.evidence.check() : Promise.resolve(ok(chain))),
      }),
      patrol: () => {
        onPatrol();
        return Promise.resolve(ok(null));
      },
      seenOn: () => seen,
      queues: (_id, launched) =>
        connected((connection) =>
          findQueues(connection, launched, { scripts: onboxScripts, redact: (text) => text }),
        ),
      sweeps: () => Promise.resolve([]),
      outside: (_id, launched, results) =>
        connected((connection) =>
          findOutside(connection, launched, results, {
            ...{ scripts: onboxScripts, profile: null, others: [] },
          }),
        ),
      hostKeyOf: () => hostKey,
      factsOf: () => facts,
      proofHoldsMs: () => PROOF_HOLDS_MS,
      records: new TeardownRecords(database.evidence),
      verbs: {
        aimOf: (_id, verb) => (verbs.includes(verb) ? 'gone' : null),
        act: (_id, pass) => {
          if (pass.take()) acts.push(pass.act);
          return Promise.resolve({ kind: 'by-hand' });
        },
        providerOf: () => null,
        look: () => Promise.resolve(null),
      },
      costOf: () => null,
      onGone: (_id, { verb }) => gone.push(verb),
      onAgain: () => gone.push('again'),
      onProblem: throws,
      monoMs: () => monoMs,
      isOnline: () => true,
    });
    apps.push({ teardowns, hub });
    return teardowns;
  }

  function viewOf(teardowns: Teardowns): TeardownView {
    const hub = apps.find((each) => each.teardowns === teardowns)?.hub;
    if (hub === undefined) throw new Error('of no app');
    const opened = value(hub.open(1, 'teardowns', ''));
    hub.close(1, opened.subscription);
    const view = (opened.state as { boxes: Record<string, TeardownView> }).boxes[BOX.id];
    if (view === undefined) throw new Error('the box is not told');
    return view;
  }
  const gateOf = (teardowns: Teardowns): GateState => viewOf(teardowns).gate;

  function inspectionIn(teardowns: Teardowns): Inspection {
    const gate = gateOf(teardowns);
    if (!('inspection' in gate) || gate.inspection === null) throw new Error('nobody looked');
    return gate.inspection;
  }

  async function blockedBy(teardowns: Teardowns): Promise<readonly string[]> {
    value(await teardowns.inspect(BOX.id));
    return openBlockers(inspectionIn(teardowns)).map(({ kind }) => kind);
  }

  const out = (name: string): string => join(box.home, 'work/out', name);

  /** A run that has left two files, and is over. */
  async function aRun(): Promise<string> {
    const command = 'mkdir -p out && echo 0.1 >out/loss.txt && echo 2 >out/step.txt';
    const { id } = await box.launch({ results: 'out', command });
    await box.until(id, 'done');
    return id;
  }

  async function pull(id: string): Promise<void> {
    const plan = value(await pulls.plan(BOX.id, id));
    if (plan === null) throw new Error('cancelled');
    value(await pulls.pull(BOX.id, plan.plan, []));
  }

  async function acceptElsewhere(teardowns: Teardowns): Promise<void> {
    const { loss } = inspectionIn(teardowns).blockers.find(({ id }) => id === 'elsewhere') ?? {};
    if (typeof loss !== 'string') throw new Error('nobody asked');
    value(await teardowns.accept(BOX.id, { id: 'elsewhere', loss, because: 'nothing else' }));
  }

  /** All is home, read again and accounted for. */
  async function ready(teardowns: Teardowns): Promise<void> {
    await pull(await aRun());
    value(await teardowns.readCopies(BOX.id));
    await acceptElsewhere(teardowns);
  }

  const approve = (teardowns: Teardowns, typed = BOX.name): string => {
    const { digest } = inspectionIn(teardowns);
    return saidOf(teardowns.approve(BOX.id, { verb: VERB, digest, typed }));
  };
  const saidOf = (result: Result<null, Problem>): string =>
    result.ok ? 'ok' : result.error.message;
  const begin = async (teardowns: Teardowns): Promise<string> =>
    saidOf(await teardowns.begin(BOX.id));

  const entries = async (): Promise<readonly EvidenceEntry[]> =>
    value(await database.evidence.all()).rows;

  it('goes from the first look to a receipt, and is refused at each thing in the way', async () => {
    const teardowns = open();
    const id = await aRun();
    expect(await blockedBy(teardowns)).toEqual(['elsewhere', 'never-pulled']);
    await pull(id);
    expect(await blockedBy(teardowns)).toEqual(['elsewhere', 'copies-unread']);
    value(await teardowns.readCopies(BOX.id));
    expect(await blockedBy(teardowns)).toEqual(['elsewhere']);
    expect(approve(teardowns)).toMatch(/has to be settled/);
    await acceptElsewhere(teardowns);
    expect(await blockedBy(teardowns)).toEqual([]);
    expect(approve(teardowns, 'train-b')).toMatch(/not the name/);
    expect(await begin(teardowns)).toMatch(/has not been approved/);

    expect(approve(teardowns)).toBe('ok');
    writeFileSync(out('late.txt'), 'of a run started elsewhere');
    expect(await begin(teardowns)).toMatch(/has to be settled/);
    expect(gateOf(teardowns).kind).toBe('shut');
    expect(await begin(teardowns)).toMatch(/has not been approved/);

    await pull(id);
    value(await teardowns.readCopies(BOX.id));
    expect(await blockedBy(teardowns)).toEqual([]);
    expect(approve(teardowns)).toBe('ok');
    expect(await begin(teardowns)).toBe('ok');
    expect(acts).toMatchObject([{ verb: VERB }]);
    expect(await begin(teardowns)).toMatch(/under way/);

    await link.connect();
    value(await teardowns.confirm(BOX.id, true));
    expect(gateOf(teardowns)).toMatchObject({
      ...{ kind: 'unconfirmed', because: 'The box still answers.' },
    });
    await box.proxy.refuse(true);
    box.proxy.cut();
    value(await teardowns.confirm(BOX.id, false));
    expect(gateOf(teardowns)).toMatchObject({
      because: expect.stringMatching(/That alone does not say that it is gone/),
    });
    expect(gone).toEqual([]);
    value(await teardowns.confirm(BOX.id, true));
    expect(gateOf(teardowns).kind).toBe('gone');
    expect(gone).toEqual([VERB]);
    expect(acts).toHaveLength(1);

    expect(value(await database.evidence.check()).fault).toBeNull();
    const seq = viewOf(teardowns).receipt;
    const paper = value(
      await receiptOf(database.evidence, seq ?? 0, { box: () => BOX.name, atMs: Date.now() }),
    );
    for (const said of [BOX.name, VERB, 'nothing else', 'late.txt', 'loss.txt']) {
      expect(paper?.text).toContain(said);
    }

    teardowns.close();
    const later = open();
    expect(gateOf(later).kind).toBe('gone');
    value(later.beginAgain(BOX.id));
    expect(gone).toEqual([VERB, 'again']);
    expect([gateOf(later).kind, gateOf(open()).kind]).toEqual(['shut', 'shut']);
    expect(later.beginAgain(BOX.id).ok).toBe(false);
  });

  it('does nothing that the platform of the box does not have any more, and tells of links among results', async () => {
    const teardowns = open();
    await ready(teardowns);
    symlinkSync('/elsewhere', out('latest'));
    value(await teardowns.inspect(BOX.id));
    expect(inspectionIn(teardowns).left).toMatchObject([
      { files: 1, because: expect.stringContaining('Links') as string, shows: ['latest'] },
    ]);
    expect(approve(teardowns)).toBe('ok');
    verbs = ['another'];
    expect(await begin(teardowns)).toMatch(/no such action/);
    expect([gateOf(teardowns).kind, acts]).toEqual(['shut', []]);
    expect((await entries()).filter(({ kind }) => kind === 'teardown')).toEqual([]);
  });

  it('remembers an end that is under way over a restart, and no yes', async () => {
    const first = open();
    await ready(first);
    expect(approve(first)).toBe('ok');
    const second = open();
    expect(gateOf(second).kind).toBe('shut');
    expect(await begin(second)).toMatch(/has not been approved/);
    expect(await begin(first)).toBe('ok');
    first.close();
    const third = open();
    expect(gateOf(third)).toMatchObject({ kind: 'unconfirmed', act: acts[0], said: null });
    expect(await begin(third)).toMatch(/has not been approved|under way/);
    value(third.callOff(BOX.id));
    expect(gateOf(open()).kind).toBe('shut');
    expect(acts).toHaveLength(1);
  });

  it('is begun once by two that run over one data folder', async () => {
    const [one, other] = [open(), open()];
    await ready(one);
    value(await other.readCopies(BOX.id));
    expect([approve(one), approve(other)]).toEqual(['ok', 'ok']);
    const said = await Promise.all([begin(one), begin(other)]);
    expect(said.filter((each) => each === 'ok')).toHaveLength(1);
    expect(acts).toHaveLength(1);
    expect([one, other].map((each) => gateOf(each).kind).sort()).toEqual(['acting', 'unconfirmed']);
    expect((await entries()).filter(({ kind }) => kind === 'teardown')).toHaveLength(1);
  });

  it('is not begun after something happened since the yes, and is once that is undone', async () => {
    const teardowns = open();
    await ready(teardowns);
    const copy = join(home, 'loss.txt');
    const bytes = readFileSync(copy);
    const rename = (name: string): void => {
      const entry = box.roster.entryOf(BOX.id);
      if (entry !== null) box.roster.put({ ...entry, box: { ...BOX, name } });
    };
    const entry = box.roster.entryOf(BOX.id);
    const putBack = (): void => {
      if (entry !== null) box.roster.put(entry);
      box.roster.attach(BOX.id, link.link);
    };
    const nothing = (): void => undefined;
    const inTheWay = /has to be settled/;
    const cases: readonly (readonly [string, () => void, RegExp, () => void])[] = [
      ['a byte of a copy', () => writeFileSync(copy, '9.9\n'), inTheWay, nothing],
      ['a copy is gone', () => rmSync(copy), inTheWay, () => writeFileSync(copy, bytes)],
      ['time', () => (monoMs += APPROVAL_LASTS_MS), /more than ten minutes old/, nothing],
      ['its name', () => rename('train-b'), /not the name/, () => rename(BOX.name)],
      [
        'taken back meanwhile',
        () => (onPatrol = () => void teardowns.withdraw(BOX.id)),
        /has not been approved/,
        nothing,
      ],
      [
        'stopped meanwhile',
        () => (onPatrol = () => teardowns.stop(BOX.id)),
        /nothing was done/,
        nothing,
      ],
      [
        'processes unknown',
        () => (seen = { ...NOTHING_RUNS, isWhole: false }),
        inTheWay,
        () => (seen = NOTHING_RUNS),
      ],
      [
        'forgotten meanwhile',
        () => (onPatrol = () => box.roster.remove(BOX.id)),
        /nothing was done/,
        putBack,
      ],
      [
        'another host key',
        () => (hostKey = 'SHA256:other'),
        inTheWay,
        () => (hostKey = 'SHA256:same'),
      ],
      [
        'a large file beside the results',
        () => writeFileSync(join(box.home, 'model.pt'), Buffer.alloc(1_200_000)),
        inTheWay,
        () => rmSync(join(box.home, 'model.pt')),
      ],
      ['written to there', () => writeFileSync(out('loss.txt'), '9.9\n'), inTheWay, nothing],
    ];
    for (const [what, happen, because, undo] of cases) {
      writeFileSync(copy, bytes);
      value(await teardowns.readCopies(BOX.id));
      expect([what, approve(teardowns)]).toEqual([what, 'ok']);
      happen();
      const said = await begin(teardowns);
      onPatrol = () => undefined;
      expect(said, what).toMatch(because);
      expect(acts, what).toEqual([]);
      undo();
    }
    expect((await entries()).some(({ kind }) => kind === 'teardown')).toBe(false);
  });

  it('lets nothing begin of a box that is not connected, or whose record was changed', async () => {
    const teardowns = open();
    await ready(teardowns);
    expect(approve(teardowns)).toBe('ok');
    chain = { count: 1, fault: { seq: 1, because: 'changed' } };
    expect(await begin(teardowns)).toMatch(/has to be settled/);
    expect(await blockedBy(teardowns)).toEqual(['evidence-broken']);
    chain = null;
    expect(await blockedBy(teardowns)).toEqual([]);
    await box.hangUp();
    expect(await blockedBy(teardowns)).toEqual(['not-looked']);
    expect(acts).toEqual([]);
  });
});
