import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import {
  GatePass,
  SHUT,
  stepGate,
  type GateEvent,
  type GateState,
} from '../../shared/teardown/gate.ts';
import { refusalWords } from '../../shared/teardown/gate-words.ts';
import type {
  CopiesRead,
  FoundOnBox,
  Inspection,
  KeptLoss,
} from '../../shared/teardown/inspection.ts';
import {
  blockedUnseen,
  copiesOf,
  judgeInspection,
} from '../../shared/teardown/judge-inspection.ts';
import type { ApprovedEnd } from '../../shared/teardown/teardown-record.ts';
import {
  teardownsStream,
  type TeardownDoing,
  type TeardownView,
} from '../../shared/teardown/teardown-view.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import type { FileSessions } from '../files/file-sessions.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import { sha256 } from '../storage/sha256.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import type { HomeCheck } from '../transfer/home-check.ts';
import { askAddress } from './ask-address.ts';
import { readCopies } from './copies.ts';
import { inspectBox, type InspectionSources } from './inspect-box.ts';
import type { KeptStep, TeardownRecords } from './teardown-records.ts';
import type { TeardownVerbs } from './teardown-verbs.ts';

export interface TeardownsOptions extends InspectionSources {
  readonly hub: StreamHub;
  readonly roster: Pick<BoxRoster, 'boxOf' | 'linkOf' | 'follow' | 'entryOf'>;
  readonly sessions: Pick<FileSessions, 'use'>;
  readonly home: Pick<HomeCheck, 'check'>;
  readonly records: TeardownRecords;
  readonly verbs: TeardownVerbs;
  /** The box is proven to be gone. */
  readonly onGone: (boxId: string, verb: string) => void;
  readonly onProblem: (found: Problem) => void;
  /** A count that nobody sets. */
  readonly monoMs?: () => number;
  /** How long the address of a box is asked. */
  readonly askForMs?: number;
}

interface BoxTeardown {
  gate: GateState;
  doing: TeardownDoing | null;
  /** The newest reading of the copies. */
  read: CopiesRead | null;
  stopper: AbortController | null;
  /** The entry of the evidence that says that it is gone. */
  receipt: number | null;
}

/** Bars move smoothly with this. */
const TOLD_EVERY_MS = 50;
const ASK_FOR_MS = 20_000;

/**
 * SECURITY: ends boxes, and nothing else does. A verb is given what only an open gate gives out (`GatePass`); what the gate stands on is looked
 * at anew after the yes. An approval is kept in memory alone, so that no restart carries it over; an end that is under way is in the evidence.
 */
export class Teardowns {
  readonly #options: TeardownsOptions;
  readonly #topic: Topic<ByBox<TeardownView>, BoxChange<TeardownView>>;
  readonly #boxes = new Map<string, BoxTeardown>();
  readonly #unfollow: () => void;
  #isClosed = false;

  constructor(options: TeardownsOptions) {
    this.#options = options;
    this.#topic = options.hub.addTopic('teardowns', '', {
      kind: teardownsStream,
      initial: { boxes: {} },
    });
    this.#unfollow = options.roster.follow({
      added: ({ box }) => this.#recall(box.id),
      removed: (boxId) => {
        this.#boxes.get(boxId)?.stopper?.abort();
        this.#boxes.delete(boxId);
        this.#topic.publish({ boxId, value: null });
      },
    });
  }

  /** Looks at the box now; answers when that is over. */
  inspect(boxId: string): Promise<Result<null, Problem>> {
    return this.#alone(boxId, { kind: 'inspecting' }, async (teardown) => {
      const inspection = await this.#inspected(boxId, teardown);
      return this.#step(boxId, { kind: 'inspected', inspection, monoMs: this.#monoMs() });
    });
  }

  /** Reads the copies on this computer again, then looks at the box once more. */
  readCopies(boxId: string): Promise<Result<null, Problem>> {
    return this.#alone(boxId, { kind: 'inspecting' }, async (teardown, signal) => {
      const { sessions, runs, home } = this.#options;
      const read = await sessions.use(boxId, async (files) => {
        const found = await inspectBox(boxId, files, this.#options);
        if (!found.ok) return found;
        const copies = copiesOf(found.value.results);
        const count = this.#counting(boxId, teardown, copies);
        const sources = { boxId, files, runs, home };
        const faults = await readCopies(found.value.results, sources, { signal, ...count });
        if (!faults.ok) return faults;
        teardown.read = {
          atMs: Date.now(),
          copies: sha256(JSON.stringify(copies)),
          faults: faults.value,
        };
        return ok(null);
      });
      if (!read.ok) return read;
      const inspection = await this.#inspected(boxId, teardown);
      return this.#step(boxId, { kind: 'inspected', inspection, monoMs: this.#monoMs() });
    });
  }

  stop(boxId: string): void {
    this.#boxes.get(boxId)?.stopper?.abort();
  }

  /** A person gives up one thing, as it was shown. Kept as evidence before it counts. */
  accept(
    boxId: string,
    { id, loss, because }: Pick<KeptLoss, 'id' | 'loss' | 'because'>,
  ): Promise<Result<null, Problem>> {
    return this.#alone(boxId, { kind: 'inspecting' }, async (teardown) => {
      const { gate } = teardown;
      const inspection = gate.kind === 'shut' || gate.kind === 'approved' ? gate.inspection : null;
      const blocker = inspection?.blockers.find((each) => each.id === id);
      if (blocker === undefined || blocker.loss === null || blocker.loss !== loss) {
        return err(refused('What you accepted is not what is there now. Look at it again.'));
      }
      const before = this.#options.records.losses(boxId);
      if (!before.ok) return before;
      const kept = this.#options.records.appendLosses(boxId, [
        ...before.value.filter((each) => each.id !== id),
        { id, loss, because, says: blocker.says, atMs: Date.now() },
      ]);
      if (!kept.ok) return kept;
      const now = await this.#inspected(boxId, teardown);
      return this.#step(boxId, { kind: 'inspected', inspection: now, monoMs: this.#monoMs() });
    });
  }

  /** A person says yes to what was shown, by typing the name of the box. */
  approve(
    boxId: string,
    {
      verb,
      digest,
      typed,
    }: { readonly verb: string; readonly digest: string; readonly typed: string },
  ): Result<null, Problem> {
    const box = this.#options.roster.boxOf(boxId);
    if (box === null) return err(refused('The box is not in the list.'));
    if (this.#boxes.get(boxId)?.doing !== null) return err(refused(BUSY));
    if (!this.#options.verbs.names(boxId).includes(verb)) {
      return err(refused('That is not one of the verbs of this platform.'));
    }
    return this.#step(boxId, {
      ...{ kind: 'approve', verb, digest, typed, boxName: box.name },
      ...{ atMs: Date.now(), monoMs: this.#monoMs() },
    });
  }

  withdraw(boxId: string): Result<null, Problem> {
    return this.#step(boxId, { kind: 'withdraw' });
  }

  /** Ends the box. It is looked at once more first, and the yes is on the disk before anything is done. */
  begin(boxId: string): Promise<Result<null, Problem>> {
    return this.#alone(boxId, { kind: 'inspecting' }, async (teardown) => {
      const { gate } = teardown;
      if (gate.kind !== 'approved') return err(refused(refusalWords['not-approved']));
      const inspection = await this.#inspected(boxId, teardown);
      const monoMs = this.#monoMs();
      const dry = stepGate(gate, { kind: 'begin', inspection, evidence: 0, monoMs });
      if (!dry.ok) {
        this.#become(boxId, teardown, { kind: 'shut', inspection });
        return err(refused(refusalWords[dry.error]));
      }
      const kept = this.#options.records.append(boxId, {
        step: 'approved',
        ...this.#approvedEnd(boxId, gate, inspection, teardown),
      });
      if (!kept.ok) return kept;
      const event = { kind: 'begin', inspection, evidence: kept.value, monoMs } as const;
      const opened = GatePass.open(gate, event);
      if (!opened.ok) return err(refused(refusalWords[opened.error]));
      this.#become(boxId, teardown, opened.value.state);
      return this.#options.verbs.act(boxId, opened.value.pass);
    });
  }

  /** Asks the address of the box for a sign of life. `isSaid`: the person says that it is done. */
  confirm(boxId: string, isSaid: boolean): Promise<Result<null, Problem>> {
    return this.#alone(boxId, { kind: 'confirming' }, async (teardown, signal) => {
      const saidAtMs = isSaid ? Date.now() : null;
      const forMs = this.#options.askForMs ?? ASK_FOR_MS;
      const answer = await askAddress(boxId, this.#options.roster, { signal, forMs });
      const event = { kind: 'confirm', answer, saidAtMs, atMs: Date.now() } as const;
      const next = stepGate(teardown.gate, event);
      if (!next.ok) return err(refused(refusalWords[next.error]));
      if (next.value.kind === 'gone') {
        const { act, gone } = next.value;
        const kept = this.#options.records.append(boxId, {
          ...{ step: 'gone', approval: act.evidence },
          ...{ verb: act.verb, approvedAtMs: act.approvedAtMs },
          ...{ saidAtMs: gone.saidAtMs, silence: gone.silence },
        });
        if (!kept.ok) return kept;
        teardown.receipt = kept.value;
        const cleared = this.#options.records.appendLosses(boxId, []);
        if (!cleared.ok) this.#options.onProblem(cleared.error);
        this.#options.onGone(boxId, act.verb);
      }
      this.#become(boxId, teardown, next.value);
      return ok(null);
    });
  }

  /** The person did not end the box after all. */
  callOff(boxId: string): Result<null, Problem> {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined) return err(refused(refusalWords['not-under-way']));
    const { gate } = teardown;
    if (gate.kind !== 'acting' && gate.kind !== 'unconfirmed') {
      return err(refused(refusalWords['not-under-way']));
    }
    const kept = this.#options.records.append(boxId, {
      step: 'called-off',
      approval: gate.act.evidence,
    });
    return kept.ok ? this.#step(boxId, { kind: 'called-off' }) : kept;
  }

  /** A machine is at this address again: it has everything before it. */
  beginAgain(boxId: string): Result<null, Problem> {
    const teardown = this.#boxes.get(boxId);
    if (teardown !== undefined) teardown.receipt = null;
    return this.#step(boxId, { kind: 'begin-again' });
  }

  /** For quitting. */
  close(): void {
    this.#isClosed = true;
    this.#unfollow();
    for (const { stopper } of this.#boxes.values()) stopper?.abort();
    this.#options.hub.removeTopic('teardowns', '');
  }

  /** What the evidence has of a box that has come into the list. What was under way is still, and nobody has confirmed it. */
  #recall(boxId: string): void {
    const teardown: BoxTeardown = {
      gate: SHUT,
      doing: null,
      read: null,
      stopper: null,
      receipt: null,
    };
    this.#boxes.set(boxId, teardown);
    const kept = this.#options.records.newest(boxId);
    if (!kept.ok) {
      this.#options.onProblem(kept.error);
    } else if (kept.value !== null) {
      const event = resumedBy(kept.value);
      const resumed = event === null ? null : stepGate(SHUT, event);
      if (resumed?.ok === true) teardown.gate = resumed.value;
      if (kept.value.step.step === 'gone') teardown.receipt = kept.value.seq;
    }
    this.#tell(boxId, teardown);
  }

  async #inspected(boxId: string, teardown: BoxTeardown): Promise<Inspection> {
    const found = await this.#options.sessions.use<FoundOnBox>(boxId, (files: BoxFiles) =>
      inspectBox(boxId, files, this.#options),
    );
    const losses = this.#options.records.losses(boxId);
    if (!found.ok) return blockedUnseen(found.error.message, { atMs: Date.now(), sha256 });
    if (!losses.ok) return blockedUnseen(losses.error.message, { atMs: Date.now(), sha256 });
    const beside = { atMs: Date.now(), read: teardown.read, losses: losses.value, sha256 };
    return judgeInspection(found.value, beside);
  }

  #approvedEnd(
    boxId: string,
    { approval }: Extract<GateState, { readonly kind: 'approved' }>,
    { runs, left, blockers }: Inspection,
    { read }: BoxTeardown,
  ): ApprovedEnd {
    const boxName = this.#options.roster.boxOf(boxId)?.name ?? '';
    const losses = blockers.flatMap(({ id, loss, says, accepted }) =>
      loss === null || accepted === null ? [] : [{ id, loss, says, ...accepted }],
    );
    return {
      ...{ boxName, verb: approval.verb, typed: boxName, approvedAtMs: approval.atMs },
      ...{ copiesReadAtMs: read?.atMs ?? null, runs, left, losses },
    };
  }

  #counting(
    boxId: string,
    teardown: BoxTeardown,
    copies: ReturnType<typeof copiesOf>,
  ): { readonly onBytes: (bytes: number) => void; readonly onFile: () => void } {
    const bytes = copies.reduce((all, { file }) => all + file.bytes, 0);
    const done = { doneFiles: 0, doneBytes: 0 };
    let toldMs = 0;
    const tell = (): void => {
      const nowMs = performance.now();
      if (nowMs - toldMs < TOLD_EVERY_MS && done.doneFiles < copies.length) return;
      toldMs = nowMs;
      teardown.doing = { kind: 'reading-copies', files: copies.length, bytes, ...done };
      this.#tell(boxId, teardown);
    };
    return {
      onBytes: (read) => {
        done.doneBytes += read;
        tell();
      },
      onFile: () => {
        done.doneFiles += 1;
        tell();
      },
    };
  }

  /** One thing at a time for a box. */
  async #alone(
    boxId: string,
    doing: TeardownDoing,
    act: (teardown: BoxTeardown, signal: AbortSignal) => Promise<Result<null, Problem>>,
  ): Promise<Result<null, Problem>> {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined || this.#isClosed) {
      return err(refused('The box is not in the list.'));
    }
    if (teardown.doing !== null) return err(refused(BUSY));
    const stopper = new AbortController();
    teardown.doing = doing;
    teardown.stopper = stopper;
    this.#tell(boxId, teardown);
    try {
      return await act(teardown, stopper.signal);
    } finally {
      teardown.doing = null;
      teardown.stopper = null;
      if (this.#boxes.get(boxId) === teardown) this.#tell(boxId, teardown);
    }
  }

  #step(boxId: string, event: GateEvent): Result<null, Problem> {
    const teardown = this.#boxes.get(boxId);
    if (teardown === undefined) return err(refused('The box is not in the list.'));
    const next = stepGate(teardown.gate, event);
    if (!next.ok) return err(refused(refusalWords[next.error]));
    this.#become(boxId, teardown, next.value);
    return ok(null);
  }

  #become(boxId: string, teardown: BoxTeardown, gate: GateState): void {
    teardown.gate = gate;
    this.#tell(boxId, teardown);
  }

  #tell(boxId: string, { gate, doing, receipt }: BoxTeardown): void {
    if (!this.#isClosed) this.#topic.publish({ boxId, value: { gate, doing, receipt } });
  }

  #monoMs(): number {
    return (this.#options.monoMs ?? (() => performance.now()))();
  }
}

/** What the evidence said last; null: nothing is under way, and nothing over. */
function resumedBy({ seq, atMs, step }: KeptStep): Extract<GateEvent, { kind: 'resumed' }> | null {
  switch (step.step) {
    case 'approved': {
      const { verb, approvedAtMs } = step;
      return { kind: 'resumed', act: { verb, approvedAtMs, evidence: seq }, gone: null };
    }
    case 'gone': {
      const { verb, approvedAtMs, approval, saidAtMs, silence } = step;
      const act = { verb, approvedAtMs, evidence: approval };
      return { kind: 'resumed', act, gone: { atMs, saidAtMs, silence } };
    }
    case 'called-off':
      return null;
  }
}

const BUSY = 'The box is being looked at. Wait until that is over.';

function refused(because: string): Problem {
  return problem('teardown-refused', because);
}
