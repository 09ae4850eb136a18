import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvidenceCheck, EvidenceEntry } from '../../shared/evidence/chain.ts';
import type { PatrolSeen } from '../../shared/patrol/patrol-state.ts';
import type { Problem } from '../../shared/problem.ts';
import { ok, type Result } from '../../shared/result.ts';
import type { EndFacts } from '../../shared/teardown/found-on-box.ts';
import { isUnderWay, type Act, type EndAim, type GateState } from '../../shared/teardown/gate.ts';
import { pictureOf } from '../../shared/teardown/judge-gone.ts';
import { openBlockers, type Inspection } from '../../shared/teardown/inspection.ts';
import type { TeardownView } from '../../shared/teardown/teardown-view.ts';
import { manifestsBelow } from '../manifest/manifests.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { listResults, LONG_LIST } from '../runs/list-results.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { trustingLink } from '../ssh/trusting-link.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { hashesOf } from '../transfer/box-hashes.ts';
import { BoxPulls } from '../transfer/box-pulls.ts';
import { HomeCheck } from '../transfer/home-check.ts';
import { sourceWorker } from '../workers/source-worker.fixture.ts';
import { Workers } from '../workers/workers.ts';
import type { BoxSecrets } from './box-secrets.ts';
import { findOrders, noteOrder } from './box-orders.ts';
import type { WholeCost } from '../../shared/meter/whole-cost.ts';
import type { ActAnswer, ProviderSaid } from '../../shared/teardown/provider-said.ts';
import type { TeardownsOptions } from './teardowns-options.ts';
import { everSeenOn } from './ever-seen.ts';
import { findOutside } from './find-outside.ts';
import { findQueues } from './find-queues.ts';
import { SecretsOfBoxes, type SecretsOptions } from './secrets-of-boxes.ts';
import { TeardownRecords } from './teardown-records.ts';
import { Teardowns } from './teardowns.ts';

export const VERB = 'Terminate';
export const PROOF_HOLDS_MS = 3600_000;
export const NOTHING_RUNS: PatrolSeen = {
  ...{ atMs: 0, took: null, uptimeS: 1, isWhole: true, runs: [], memoryShare: null, unread: [] },
};

/** A verb of which only what it does has changed: nothing of the box is in its way either way. */
export const profileThat = (deletes: string): EndFacts =>
  ({
    actions: [{ kind: 'destroy', verb: VERB, deletes, leaves: [] }],
    storage: [],
    clocks: [],
  }) as never;

/** A box behind a real sshd, and apps that may end it: by hand, over one data folder. */
export class TeardownBench {
  box!: RunBox;
  /** Where results are brought to. */
  home!: string;
  database!: Database;
  workers!: Workers;
  pulls!: BoxPulls;
  link!: ReturnType<typeof trustingLink>;
  apps: { teardowns: Teardowns; hub: StreamHub; secrets: SecretsOfBoxes }[] = [];
  verbs: readonly string[] = [VERB];
  aim: EndAim = 'gone';
  acts: Act[] = [];
  gone: string[] = [];
  /** What becomes of its row. */
  archive: (atMs: number | null) => Result<null, Problem> = () => ok(null);
  monoMs = 1000;
  seen: PatrolSeen = NOTHING_RUNS;
  hostKey = 'SHA256:same';
  facts: EndFacts | null = null;
  /** What is said of the record; null: as it is. */
  chain: EvidenceCheck | null = null;
  /** What a provider says who is asked what came of an order; null: none is linked. */
  said: ProviderSaid | null = null;
  /** Where secrets are looked for. */
  secretFolders: readonly string[] = ['~'];
  /** Into which files secrets were sent. */
  sentTo: readonly string[] = [];
  /** What happens on the box while it is looked at. */
  onPatrol: () => void = () => undefined;

  /** What happens while its end is noted on the box, under this id. */
  onNote: (actId: string) => void | Promise<void> = () => undefined;
  /** What comes of its order. */
  answer: ActAnswer = { kind: 'by-hand' };
  costOf: () => WholeCost | null = () => null;
  /** What its provider calls it. */
  instance: string | null = null;

  async open(): Promise<void> {
    this.home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-pulled-'));
    this.box = new RunBox();
    await this.box.open({ configLines: ['Subsystem sftp internal-sftp'] });
    this.database = openTemporaryDatabase();
    this.workers = new Workers(sourceWorker);
    this.pulls = new BoxPulls({
      ...{
        hub: this.box.hub,
        roster: this.box.roster,
        watch: this.box.watch,
        scripts: onboxScripts,
        workers: this.workers,
      },
      ...{ evidence: this.database.evidence, entries: this.box.entries },
      manifests: manifestsBelow(this.box.home, this.workers),
      targets: join(this.box.home, '.targets'),
      folders: { root: () => null },
      profileOf: () => null,
      onProblem: throws,
      chooseFolder: () => Promise.resolve(this.home),
    });
    this.link = trustingLink({
      ...{ sshd: this.box.sshd, port: this.box.proxy.port },
      onChange: (state) => this.box.roster.change(BOX.id, { link: state }),
    });
    this.box.roster.attach(BOX.id, this.link.link);
  }

  async close(): Promise<void> {
    for (const { teardowns } of this.apps) teardowns.close();
    this.link.link.disconnect();
    this.pulls.close();
    this.workers.close();
    this.database.close();
    await this.box.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  async #connected<T>(
    ask: (connection: SshConnection) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    if (this.box.connection === null) throw new Error('the test hung up');
    return ask(this.box.connection);
  }

  /** An app that is started over what is kept. */
  start(): Teardowns {
    const hub = new StreamHub();
    hub.addClient(1, () => undefined);
    const records = new TeardownRecords(this.database.evidence);
    const secrets = new SecretsOfBoxes(this.secretsIn(records));
    const teardowns = new Teardowns({
      ...{ hub, roster: this.box.roster },
      runs: {
        look: (id) => this.box.watch.lookAtAll(id),
        proof: (id, run) => this.pulls.proof(id, run),
        folders: () => [],
        list: (_id, folder, walk) =>
          this.#connected((connection) =>
            listResults(
              connection,
              onboxScripts,
              { folder, results: folder },
              { bounds: LONG_LIST, tellsLinks: true, ...walk },
            ),
          ),
        hash: (_id, folder, paths) =>
          this.#connected((connection) =>
            hashesOf(connection, { scripts: onboxScripts, folder, paths }),
          ),
      },
      home: new HomeCheck(this.workers, {
        check: () =>
          this.chain === null ? this.database.evidence.check() : Promise.resolve(ok(this.chain)),
      }),
      everSeenOn: () => this.everSeen(),
      patrol: () => {
        this.onPatrol();
        return Promise.resolve(ok(null));
      },
      seenOn: () => this.seen,
      queues: (_id, launched) =>
        this.#connected((connection) =>
          findQueues(connection, launched, { scripts: onboxScripts, redact: (text) => text }),
        ),
      ...this.orders(records),
      sweeps: () => Promise.resolve([]),
      outside: (_id, launched, results) =>
        this.#connected((connection) =>
          findOutside(connection, launched, results, {
            ...{ scripts: onboxScripts, profile: null, others: { kept: [], unseen: [] } },
          }),
        ),
      hostKeyOf: () => this.hostKey,
      instanceOf: () => this.instance,
      factsOf: () => this.facts,
      proofHoldsMs: () => PROOF_HOLDS_MS,
      proofNeeds: () => 'hashed',
      ...{ records, secrets },
      verbs: {
        aimOf: (_id, verb) => (this.verbs.includes(verb) ? this.aim : null),
        act: (_id, pass) => {
          if (pass.take()) this.acts.push(pass.act);
          return Promise.resolve(this.answer);
        },
        providerOf: () => null,
        look: () => Promise.resolve(null),
      },
      costOf: () => this.costOf(),
      onGone: (_id, { verb }) => this.gone.push(verb),
      archive: (_id, atMs) => this.archive(atMs),
      onAgain: (id, isAnother) => {
        this.gone.push('again');
        if (isAnother) this.box.watch.isAnotherMachine(id);
      },
      onProblem: throws,
      monoMs: () => this.monoMs,
      isOnline: () => true,
    });
    this.apps.push({ teardowns, hub, secrets });
    return teardowns;
  }

  /** As the app wires them. */
  orders(records: TeardownRecords): Pick<TeardownsOptions, 'orders' | 'noteOrder'> {
    return {
      orders: (id, machine) =>
        this.#connected((connection) =>
          findOrders(id, connection, machine, {
            ...{ scripts: onboxScripts, records, look: () => Promise.resolve(this.said) },
          }),
        ),
      noteOrder: async (id, order, isOver) => {
        const { connection } = this.box;
        if (isOver && connection === null) return ok({ others: [], unnoted: null });
        if (!isOver) await this.onNote(order.id);
        return noteOrder(id, connection, { scripts: onboxScripts, records }, order, isOver);
      },
    };
  }

  everSeen(): ReturnType<TeardownsOptions['everSeenOn']> {
    const { evidence } = this.database;
    return everSeenOn(BOX.id, {
      ...{ evidence, records: new TeardownRecords(evidence) },
      seen: (box) => this.box.watch.everSeenOn(box),
    });
  }

  /** The secrets of its box, as the newest app knows them. */
  get secrets(): BoxSecrets {
    const newest = this.apps.at(-1);
    if (newest === undefined) throw new Error('no app was started');
    return newest.secrets.of(BOX.id);
  }

  secretsIn(records: TeardownRecords): SecretsOptions {
    return {
      ...{ records, scripts: onboxScripts, onProblem: throws },
      connected: (_id, ask) => this.#connected(ask),
      folders: () => Promise.resolve(ok(this.secretFolders)),
      sentTo: () => ok(this.sentTo),
    };
  }

  viewOf(teardowns: Teardowns): TeardownView {
    const hub = this.apps.find((each) => each.teardowns === teardowns)?.hub;
    if (hub === undefined) throw new Error('of no app');
    const opened = value(hub.open(1, 'teardowns', ''));
    hub.close(1, opened.subscription);
    const view = (opened.state as { boxes: Record<string, TeardownView> }).boxes[BOX.id];
    if (view === undefined) throw new Error('the box is not told');
    return view;
  }

  gateOf(teardowns: Teardowns): GateState {
    return this.viewOf(teardowns).gate;
  }

  /** What a person says “done” to who reads the page now. */
  pictureIn(teardowns: Teardowns): string {
    const gate = this.gateOf(teardowns);
    if (!isUnderWay(gate)) throw new Error(gate.kind);
    return pictureOf(gate);
  }

  inspectionIn(teardowns: Teardowns): Inspection {
    const gate = this.gateOf(teardowns);
    if (!('inspection' in gate) || gate.inspection === null) throw new Error('nobody looked');
    return gate.inspection;
  }

  async blockedBy(teardowns: Teardowns): Promise<readonly string[]> {
    value(await teardowns.inspect(BOX.id));
    return openBlockers(this.inspectionIn(teardowns)).map(({ kind }) => kind);
  }

  /** A file among the results. */
  out(name: string): string {
    return join(this.box.home, 'work/out', name);
  }

  /** Where the box has what it was told. */
  orderOf(actId: string): string {
    return join(this.box.home, '.local/state/leasehold/teardown', actId);
  }

  /** A run that has left two files, and is over. */
  async aRun(): Promise<string> {
    mkdirSync(this.out(''), { recursive: true });
    writeFileSync(this.out('loss.txt'), '0.1\n');
    writeFileSync(this.out('step.txt'), '2\n');
    return this.box.past();
  }

  async pull(id: string): Promise<void> {
    const plan = value(await this.pulls.plan(BOX.id, id));
    if (plan === null) throw new Error('cancelled');
    value(await this.pulls.pull(BOX.id, plan.plan, []));
  }

  async acceptElsewhere(teardowns: Teardowns): Promise<void> {
    const { loss } =
      this.inspectionIn(teardowns).blockers.find(({ id }) => id === 'elsewhere') ?? {};
    if (typeof loss !== 'string') throw new Error('nobody asked');
    value(await teardowns.accept(BOX.id, { id: 'elsewhere', loss, because: 'nothing else' }));
  }

  /** All is home, read again and accounted for. */
  async ready(teardowns: Teardowns): Promise<void> {
    await this.pull(await this.aRun());
    value(await teardowns.readCopies(BOX.id));
    await this.acceptElsewhere(teardowns);
  }

  /** What is answered. */
  approve(teardowns: Teardowns, typed = BOX.name): string {
    const { digest } = this.inspectionIn(teardowns);
    return saidOf(teardowns.approve(BOX.id, { verb: VERB, digest, typed }));
  }

  async begin(teardowns: Teardowns): Promise<string> {
    return saidOf(await teardowns.begin(BOX.id));
  }

  async entries(): Promise<readonly EvidenceEntry[]> {
    return value(await this.database.evidence.all()).rows;
  }
}

const saidOf = (result: Result<null, Problem>): string => (result.ok ? 'ok' : result.error.message);

function throws(found: Problem): never {
  throw new Error(found.message);
}
