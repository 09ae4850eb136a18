import type { z } from 'zod';
import { isArchived } from '../../shared/boxes/archived.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { noSuchBox } from '../../shared/boxes/no-such-box.ts';
import { isInSums } from '../../shared/demo/demo-platform.ts';
import {
  NOTHING_KNOWN,
  NOTHING_TOLD,
  type AccountState,
  type BoxSituation,
  type Clock,
  type ClockEntries,
} from '../../shared/clocks/clock.ts';
import {
  accountEntry,
  clockEntries,
  keptWalltimes,
  markStates,
  type AccountEntry,
} from '../../shared/clocks/clock-entries.ts';
import { judgeMarks, snooze, type MarkState } from '../../shared/clocks/escalation.ts';
import { idlenessOf } from '../../shared/clocks/idleness.ts';
import type { UnconfirmedEnd } from '../../shared/clocks/own-clocks.ts';
import { selectClocks } from '../../shared/clocks/select-clocks.ts';
import { judgeSkew } from '../../shared/clocks/skew.ts';
import { stampKept, stampStarts } from '../../shared/clocks/starts.ts';
import { followWalltimes, NO_WALLTIMES, type Walltimes } from '../../shared/clocks/walltimes.ts';
import type { ClockAlarm } from '../../shared/news/kinds/clock-news.ts';
import type { Phase } from '../../shared/meter/interval.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import type { Profile } from '../../shared/profiles/profile.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FindingsDelta } from '../../shared/streams/findings-stream.ts';
import {
  clocksStream,
  type BoxChange,
  type BoxClocks,
  type ByBox,
} from '../../shared/streams/meter-stream.ts';
import type { GpuFactsState, MachineFacts } from '../../shared/telemetry/gpu-facts.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { lifeOf } from '../meter/box-life.ts';
import type { EntriesTable } from '../storage/entries-table.ts';
import { Source, type Followed, type OfBox } from '../streams/source.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';

const LOOK_EVERY_MS = 5000;
/** A box tells its own time in whole seconds, and its answer takes a while: less than this apart is the same. */
const SAME_WITHIN_MS = 2000;

/** Under which, of no box, the balance of a platform is kept. */
export const accountKey = (platform: string): string => `account:${platform}`;

/** What the meter knows of a platform's boxes together. */
export interface MeterView {
  readonly phaseOf: (boxId: string) => { readonly phase: Phase; readonly sinceMs: number } | null;
  readonly accountOf: (platform: string, entry: AccountEntry) => AccountState;
}

export interface ClocksOptions {
  readonly hub: StreamHub;
  readonly roster: BoxRoster;
  readonly facts: Followed<OfBox<GpuFactsState>>;
  readonly findings: Followed<FindingsDelta>;
  readonly entries: EntriesTable;
  readonly meter: MeterView;
  readonly profileOf: (platform: string) => Profile | null;
  /** After how long the person wants a fact to be called old. */
  readonly maxAgeMonths: () => number;
  /** Time left at which a clock rings. */
  readonly marksMs: () => readonly number[];
  /** An end of the box that nothing has confirmed; null: none is under way. */
  readonly openEndOf: (boxId: string) => UnconfirmedEnd | null;
  readonly onProblem: (found: Problem) => void;
  readonly onAlarm: (alarm: ClockAlarm) => void;
  readonly now?: () => number;
}

interface ClockedBox {
  box: Box;
  entries: ClockEntries;
  marks: Record<string, MarkState>;
  situation: Pick<BoxSituation, 'startedAtMs' | 'idle' | 'walltimes'>;
  clockOffsetMs: number | null;
  clocks: readonly Clock[];
  /** As it was published last. */
  shown: string;
}

export interface TimedClock {
  readonly box: Box;
  readonly clock: Clock;
  readonly atMs: number;
}

/** Keeps the clocks of every box and tells when a mark is reached. They go on while links are down: it asks nothing of any box. */
export class Clocks {
  readonly changes = new Source<BoxChange<BoxClocks>>();
  readonly #options: ClocksOptions;
  readonly #now: () => number;
  readonly #topic: Topic<ByBox<BoxClocks>, BoxChange<BoxClocks>>;
  readonly #boxes = new Map<string, ClockedBox>();
  readonly #accounts = new Map<string, AccountEntry | null>();
  readonly #stops: readonly (() => void)[];
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(options: ClocksOptions) {
    const { hub, roster, facts, findings, now = Date.now } = options;
    this.#options = options;
    this.#now = now;
    this.#topic = hub.addTopic('clocks', '', { kind: clocksStream, initial: { boxes: {} } });
    this.#stops = [
      roster.follow({
        added: ({ box }) => this.#put(box),
        changed: ({ box }, before) => {
          if (box !== before.box) this.#put(box);
        },
        removed: (boxId) => this.#forget(boxId),
      }),
      findings.follow(({ boxId, findings: found }) => {
        const known = this.#boxes.get(boxId);
        if (known === undefined || found === null) return;
        known.situation = { ...known.situation, idle: idlenessOf(found) };
      }),
      facts.follow(({ boxId, value: { facts: seen } }) => {
        if (seen !== null) this.#useMachine(boxId, seen.atMs, seen.machine);
      }),
    ];
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  /** Looks at every clock now: after a change, and after the machine slept. */
  look(): void {
    for (const [boxId, known] of this.#boxes) this.#lookAt(boxId, known);
  }

  setEntries(boxId: string, wanted: ClockEntries): Result<null, Problem> {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return noSuchBox();
    const entries = stampStarts(known.entries, wanted, this.#now());
    const kept = this.#options.entries.write(boxId, 'clocks', entries, this.#now());
    if (!kept.ok) return kept;
    known.entries = entries;
    this.#lookAt(boxId, known);
    return ok(null);
  }

  entriesOf(boxId: string): Result<ClockEntries, Problem> {
    const known = this.#boxes.get(boxId);
    return known === undefined ? noSuchBox() : ok(known.entries);
  }

  /** As they were when it looked last. */
  clocksOf(boxId: string): readonly Clock[] {
    return this.#boxes.get(boxId)?.clocks ?? [];
  }

  /** What the person read on the platform's page; null: they take it back. */
  setAccount(platform: string, entry: AccountEntry | null): Result<null, Problem> {
    const kept = this.#options.entries.write('', accountKey(platform), entry, this.#now());
    if (!kept.ok) return kept;
    this.#accounts.set(platform, entry);
    this.look();
    return ok(null);
  }

  /** All dangers with a time, of all boxes of the person's together, the earliest first; those that are over stay until the person says otherwise. */
  timed(): readonly TimedClock[] {
    const timed: TimedClock[] = [];
    for (const { box, clocks } of this.#boxes.values()) {
      if (!isInSums(box)) continue;
      for (const clock of clocks) {
        if (clock.due.kind !== 'at' || clock.danger === 'none') continue;
        timed.push({ box, clock, atMs: clock.due.atMs });
      }
    }
    return timed.sort((a, b) => a.atMs - b.atMs);
  }

  /** The next that comes; where all are over, the last of them; null: none has a time that anybody knows. */
  nearest(): TimedClock | null {
    const timed = this.timed();
    const nowMs = this.#now();
    return timed.find(({ atMs }) => atMs > nowMs) ?? timed.at(-1) ?? null;
  }

  /** Null: nobody has told one. */
  accountOf(platform: string): AccountEntry | null {
    return this.#accountOf(platform);
  }

  /** Until when nothing is told of this clock; null: what was put off is told again from now on. */
  snooze(boxId: string, clockId: string, untilMs: number | null): Result<null, Problem> {
    const known = this.#boxes.get(boxId);
    const clock = known?.clocks.find(({ id }) => id === clockId);
    if (known === undefined || clock === undefined) return err(noSuchClock());
    const state = known.marks[clockId];
    if (untilMs === null) {
      const awake = state === undefined ? null : { ...state, snoozedUntilMs: null };
      const marks = awake === null ? known.marks : { ...known.marks, [clockId]: awake };
      return this.#changeMarks(boxId, known, marks);
    }
    const times = clock.due.kind === 'at' ? { atMs: clock.due.atMs, nowMs: this.#now() } : null;
    const put = state === undefined || times === null ? null : snooze(state, untilMs, times);
    if (put === null) {
      return err(
        problem('bad-input', 'A clock can only be put off until a moment before it runs out.'),
      );
    }
    return this.#changeMarks(boxId, known, { ...known.marks, [clockId]: put });
  }

  /** Measured on the box; none: no job with an end runs there. Kept, because they go on while the link is down. */
  setWalltimes(boxId: string, measured: Walltimes): void {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return;
    const walltimes = followWalltimes(known.situation.walltimes, measured);
    if (walltimes === known.situation.walltimes) return;
    known.situation = { ...known.situation, walltimes };
    const kept = this.#options.entries.write(boxId, 'walltime', walltimes, this.#now());
    if (!kept.ok) this.#options.onProblem(kept.error);
    this.#lookAt(boxId, known);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stop of this.#stops) stop();
    this.#boxes.clear();
  }

  #forget(boxId: string): void {
    if (this.#boxes.delete(boxId)) this.#publish({ boxId, value: null });
  }

  /** Nothing happens to a box that is gone. */
  #put(box: Box): void {
    if (isArchived(box)) {
      this.#forget(box.id);
      return;
    }
    const known = this.#boxes.get(box.id);
    if (known !== undefined) {
      known.box = box;
      this.#lookAt(box.id, known);
      return;
    }
    const added: ClockedBox = {
      box,
      entries: this.#readEntries(box.id),
      marks: this.#read(box.id, 'marks', markStates) ?? {},
      situation: {
        startedAtMs: null,
        idle: null,
        walltimes: this.#read(box.id, 'walltime', keptWalltimes) ?? NO_WALLTIMES,
      },
      clockOffsetMs: null,
      clocks: [],
      shown: '',
    };
    this.#boxes.set(box.id, added);
    this.#lookAt(box.id, added);
  }

  #read<T>(boxId: string, key: string, schema: z.ZodType<T>): T | null {
    const read = this.#options.entries.read(boxId, key, schema);
    if (read.ok) return read.value;
    this.#options.onProblem(read.error);
    return null;
  }

  #readEntries(boxId: string): ClockEntries {
    const entries = this.#read(boxId, 'clocks', clockEntries);
    const said = this.#options.entries.saidAtMs(boxId, 'clocks');
    if (!said.ok) this.#options.onProblem(said.error);
    if (entries === null) return NOTHING_TOLD;
    return said.ok && said.value !== null ? stampKept(entries, said.value) : entries;
  }

  #useMachine(boxId: string, atMs: number, machine: MachineFacts): void {
    const known = this.#boxes.get(boxId);
    if (known === undefined) return;
    const life = lifeOf(machine);
    const startedAtMs = life === null ? null : atMs - life.upForMs;
    const isOtherStart = isOther(known.situation.startedAtMs, startedAtMs);
    const isOtherOffset = isOther(known.clockOffsetMs, machine.clockOffsetMs);
    // A machine that goes on says the same each time, give or take the way there: that moves no clock.
    if (isOtherStart) known.situation = { ...known.situation, startedAtMs };
    if (isOtherOffset) known.clockOffsetMs = machine.clockOffsetMs;
    if (isOtherStart || isOtherOffset) this.#lookAt(boxId, known);
  }

  #lookAt(boxId: string, known: ClockedBox): void {
    const nowMs = this.#now();
    const profile = this.#options.profileOf(known.box.platform);
    known.clocks = this.#clocksOf(known, profile, nowMs);
    const value: BoxClocks = {
      clocks: known.clocks,
      profileId: profile?.id ?? null,
      skew: judgeSkew(known.clockOffsetMs),
      snoozed: snoozedOf(known.marks, nowMs),
    };
    const shown = JSON.stringify(value);
    if (shown !== known.shown) this.#publish({ boxId, value });
    known.shown = shown;
    this.#raise(boxId, known, nowMs);
  }

  #clocksOf(known: ClockedBox, profile: Profile | null, nowMs: number): readonly Clock[] {
    const { platform, id } = known.box;
    const phase = this.#options.meter.phaseOf(id);
    const entry = this.#accountOf(platform);
    return selectClocks({
      profile,
      openEnd: this.#options.openEndOf(id),
      situation: {
        ...NOTHING_KNOWN,
        ...known.situation,
        phase: phase?.phase ?? null,
        phaseSinceMs: phase?.sinceMs ?? null,
      },
      entries: known.entries,
      account: entry === null ? null : this.#options.meter.accountOf(platform, entry),
      nowMs,
      maxAgeMonths: this.#options.maxAgeMonths(),
    });
  }

  #accountOf(platform: string): AccountEntry | null {
    const known = this.#accounts.get(platform);
    if (known !== undefined) return known;
    const entry = this.#read('', accountKey(platform), accountEntry.nullable());
    this.#accounts.set(platform, entry);
    return entry;
  }

  #publish(change: BoxChange<BoxClocks>): void {
    this.#topic.publish(change);
    this.changes.tell(change);
  }

  #raise(boxId: string, known: ClockedBox, nowMs: number): void {
    const marks: Record<string, MarkState> = {};
    const due: ClockAlarm[] = [];
    for (const clock of known.clocks) {
      if (clock.due.kind !== 'at' || clock.danger === 'none') continue;
      const answer = judgeMarks(
        known.marks[clock.id] ?? null,
        clock.due.atMs,
        nowMs,
        this.#options.marksMs(),
      );
      marks[clock.id] = answer.state;
      if (answer.due !== null) due.push({ box: known.box, clock, markMs: answer.due });
    }
    // The news first, which keeps it: a crash between the two makes it ring twice, never not at all (decision 33).
    for (const alarm of due) this.#options.onAlarm(alarm);
    if (due.length > 0) {
      const kept = this.#keepMarks(boxId, known, marks);
      if (!kept.ok) this.#options.onProblem(kept.error);
    }
    known.marks = marks;
  }

  #changeMarks(
    boxId: string,
    known: ClockedBox,
    marks: Record<string, MarkState>,
  ): Result<null, Problem> {
    const kept = this.#keepMarks(boxId, known, marks);
    if (kept.ok) this.#lookAt(boxId, known);
    return kept;
  }

  #keepMarks(
    boxId: string,
    known: ClockedBox,
    marks: Record<string, MarkState>,
  ): Result<null, Problem> {
    const kept = this.#options.entries.write(boxId, 'marks', marks, this.#now());
    if (kept.ok) known.marks = marks;
    return kept;
  }
}

function isOther(before: number | null, now: number | null): boolean {
  if (before === null || now === null) return before !== now;
  return Math.abs(now - before) > SAME_WITHIN_MS;
}

function snoozedOf(
  marks: Readonly<Record<string, MarkState>>,
  nowMs: number,
): Readonly<Record<string, number>> {
  const snoozed: Record<string, number> = {};
  for (const [id, { snoozedUntilMs }] of Object.entries(marks)) {
    if (snoozedUntilMs !== null && snoozedUntilMs > nowMs) snoozed[id] = snoozedUntilMs;
  }
  return snoozed;
}

function noSuchClock(): Problem {
  return problem('no-such-box', 'This box, or this clock of it, is not in the list.');
}
