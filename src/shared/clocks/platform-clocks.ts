import { DEMO_SOURCE } from '../demo/demo-platform.ts';
import { judgeFreshness } from '../profiles/freshness.ts';
import { latestStart } from './starts.ts';
import type { ClockRule, Profile, ProfileClock, SetTime, TimerStart } from '../profiles/profile.ts';
import { balanceDue } from './balance.ts';
import type {
  AccountState,
  BoxSituation,
  Clock,
  ClockEntries,
  Due,
  EntryKey,
  Known,
} from './clock.ts';

export interface ClockInput {
  readonly profile: Profile;
  readonly situation: BoxSituation;
  readonly entries: ClockEntries;
  readonly account: AccountState | null;
  readonly nowMs: number;
  readonly maxAgeMonths: number;
}

/** Every clock of the platform, also those that do not run: each says why. */
export function platformClocks(input: ClockInput): readonly Clock[] {
  return input.profile.clocks.flatMap((fact) => {
    const { rule } = fact;
    const isMeasured = rule.kind === 'set' && rule.what === 'walltime' && hasWalltimes(input);
    return isMeasured ? jobClocks(fact, input) : [clockOf(fact, input)];
  });
}

function clockOf(fact: ProfileClock, input: ClockInput): Clock {
  const due = dueOf(fact, input);
  return {
    id: fact.id,
    danger: fact.danger,
    event: fact.event ?? fact.consequence,
    trigger: fact.trigger,
    consequence: fact.consequence,
    loses: fact.loses.map((name) => ({
      name,
      path: input.profile.storage.find((tier) => tier.name === name)?.path ?? null,
    })),
    due,
    known: knownOf(fact, due, input),
    readAt: fact.readAt,
    stops: fact.stops,
    entry: entryOf(fact.rule),
  };
}

/** One for each job whose end was measured: what the box says of its jobs counts more than what somebody typed before. */
function jobClocks(fact: ProfileClock, input: ClockInput): readonly Clock[] {
  const { ends, more } = input.situation.walltimes;
  const measured = { ...clockOf(fact, input), known: { kind: 'measured' } as const, entry: null };
  const clocks: Clock[] = ends.map(({ job, endMs }) => ({
    ...measured,
    id: job === null ? fact.id : `${fact.id}:${job}`,
    event: job === null ? measured.event : `End of job ${job}`,
    trigger: job === null ? fact.trigger : `job ${job}`,
    due: { kind: 'at', atMs: endMs, isEstimate: false },
  }));
  if (more === 0) return clocks;
  const rest: Clock = {
    ...measured,
    id: `${fact.id}:more`,
    danger: 'none',
    event: more === 1 ? 'End of one more job' : `Ends of ${more} more jobs`,
    trigger: more === 1 ? 'one more job' : `${more} more jobs`,
    consequence: `the same, later than the first ${ends.length}`,
    due: { kind: 'uncounted' },
  };
  return [...clocks, rest];
}

function hasWalltimes({ situation }: ClockInput): boolean {
  return situation.walltimes.ends.length > 0;
}

function entryOf(rule: ClockRule): EntryKey | null {
  switch (rule.kind) {
    case 'after':
      // Whether a box works is measured; nobody can say it for later.
      return rule.from === 'idle' ? null : { kind: 'start', from: rule.from };
    case 'set':
      return { kind: 'time', what: rule.what };
    case 'warning':
      return { kind: 'warning' };
    case 'balance':
      return { kind: 'balance' };
    case 'spot':
      return { kind: 'spot' };
    case 'quota':
      return { kind: 'quota', forMs: rule.for };
    case 'cost':
    case 'stopwatch':
    case 'note':
      return null;
  }
}

function knownOf({ rule, verified, source }: ProfileClock, due: Due, input: ClockInput): Known {
  if (source === DEMO_SOURCE) return { kind: 'simulated' };
  if (due.kind === 'at' && rule.kind === 'set') {
    return { kind: 'told' };
  }
  if (due.kind === 'at' && due.isEstimate) {
    return { kind: 'estimated', because: estimateReason(rule) };
  }
  const freshness = judgeFreshness(verified, input.nowMs, input.maxAgeMonths);
  return { kind: 'platform', verified, source, freshness };
}

function estimateReason(rule: ClockRule): string {
  switch (rule.kind) {
    case 'balance':
      return 'what is left, at what is billed now';
    case 'quota':
      return 'what is left, at one hour of use an hour';
    case 'warning':
      return 'the scheduler may be up to a minute off';
    default:
      return 'the platform only says “about”';
  }
}

function dueOf(fact: ProfileClock, input: ClockInput): Due {
  const { rule } = fact;
  const { situation, entries, account, nowMs } = input;
  switch (rule.kind) {
    case 'after': {
      const start = startOf(rule.from, fact, input);
      if (typeof start !== 'number') return start;
      return { kind: 'at', atMs: start + rule.for, isEstimate: rule.isEstimate };
    }
    case 'set': {
      const atMs = endOf(rule.what, input);
      if (atMs === null) return unknown(`not entered: ${fact.trigger}; read it at: ${fact.readAt}`);
      return { kind: 'at', atMs, isEstimate: false };
    }
    case 'warning': {
      const endMs = endOf(rule.before, input);
      if (entries.warningLeadMs === null) return dormant(fact.trigger);
      if (endMs === null) return unknown('the end that it warns of is not known');
      return { kind: 'at', atMs: endMs - entries.warningLeadMs, isEstimate: true };
    }
    case 'balance':
      return balanceDue(account, nowMs);
    case 'spot':
      if (entries.isSpot === false) return dormant(fact.trigger);
      if (entries.isSpot === null)
        return unknown(`not entered whether this holds: ${fact.trigger}`);
      return { kind: 'any-time', graceMs: rule.grace };
    case 'cost':
      if (situation.phase === null) return unknown('whether the box runs is not known');
      if (rule.while !== 'always' && situation.phase !== rule.while) return dormant(fact.trigger);
      return { kind: 'costing', sinceMs: situation.phaseSinceMs };
    case 'quota': {
      const used = entries.quotaUsed;
      if (used === null)
        return unknown(`the use so far is not entered; read it at: ${fact.readAt}`);
      return { kind: 'at', atMs: used.asOfMs + Math.max(0, rule.for - used.ms), isEstimate: true };
    }
    case 'stopwatch':
      if (situation.phase === 'stopped' || situation.phase === 'destroyed') {
        return dormant(fact.trigger);
      }
      if (situation.idle === null) return unknown('can’t tell whether this box is idle');
      if (!situation.idle.isIdle) return dormant('the box does nothing');
      return { kind: 'stopwatch', sinceMs: situation.idle.sinceMs };
    case 'note':
      return { kind: 'uncounted' };
  }
}

function startOf(from: TimerStart, fact: ProfileClock, input: ClockInput): number | Due {
  const { situation, entries } = input;
  const atMs = entries.starts[from];
  const told = atMs === undefined ? null : { atMs, saidAtMs: entries.startsSaidAtMs[from] ?? null };
  const isOff = situation.phase === 'stopped' || situation.phase === 'destroyed';
  switch (from) {
    case 'stopped':
      if (situation.phase === null) return unknown('whether the box is stopped is not known');
      if (situation.phase !== 'stopped') return dormant(fact.trigger);
      return (
        latestStart(told, situation.phaseSinceMs) ??
        unknown('since when it is stopped is not known')
      );
    case 'started':
      if (isOff) return dormant(fact.trigger);
      return latestStart(told, situation.startedAtMs) ?? unknown('since when it runs is not known');
    case 'idle':
      if (isOff) return dormant(fact.trigger);
      if (situation.idle === null) return unknown('can’t tell whether this box is idle');
      return situation.idle.isIdle ? situation.idle.sinceMs : dormant(fact.trigger);
    case 'free-notebook-started':
    case 'paid-notebook-started': {
      if (isOff) return dormant(fact.trigger);
      // Which of the two it is, only the person knows; with one of them told, the other does not run.
      const isOther = Object.keys(entries.starts).some((key) => key.endsWith('-notebook-started'));
      if (told === null)
        return isOther ? dormant(fact.trigger) : unknown(`not entered: ${fact.trigger}`);
      return latestStart(told, situation.startedAtMs) ?? told.atMs;
    }
    case 'job-started':
    case 'in-arrears':
    case 'invoiced':
      return told?.atMs ?? dormant(fact.trigger);
  }
}

function endOf(what: SetTime, { situation, entries }: ClockInput): number | null {
  const measured = what === 'walltime' ? situation.walltimes.ends[0]?.endMs : null;
  return measured ?? entries.times[what] ?? null;
}

function dormant(until: string): Due {
  return { kind: 'dormant', until };
}

function unknown(because: string): Due {
  return { kind: 'unknown', because };
}
