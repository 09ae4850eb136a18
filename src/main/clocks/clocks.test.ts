import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOTHING_TOLD } from '../../shared/clocks/clock.ts';
import { NO_WALLTIMES } from '../../shared/clocks/walltimes.ts';
import { DEFAULT_MARKS_MS } from '../../shared/clocks/escalation.ts';
import type { UnconfirmedEnd } from '../../shared/clocks/own-clocks.ts';
import { nearestClock, selectDueMs } from '../../shared/clocks/select-clocks.ts';
import type { ClockAlarm } from '../../shared/news/kinds/clock-news.ts';
import type { Problem } from '../../shared/problem.ts';
import type { BoxClocks } from '../../shared/streams/meter-stream.ts';
import { BOX, ToldBox } from '../meter/meter.fixture.ts';
import { Meter } from '../meter/meter.ts';
import type { ShippedPlatform } from '../../shared/profiles/platform-names.ts';
import { shippedProfile } from '../profiles/profiles.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { Clocks } from './clocks.ts';

const H = 3_600_000;
const D = 24 * H;

let database: Database;
let told: ToldBox;
let meter: Meter;
let clocks: Clocks;
let alarms: ClockAlarm[];
let problems: Problem[];
let shown: BoxClocks | null;
let maxAgeMonths: number;
let profileId: ShippedPlatform;
let marksMs: readonly number[];
let openEnd: UnconfirmedEnd | null;

function start(): void {
  told = new ToldBox();
  const common = {
    hub: told.hub,
    ...told.sources,
    entries: database.entries,
    profileOf: () => shippedProfile(profileId),
    onProblem: (found: Problem) => void problems.push(found),
  };
  meter = new Meter({
    ...common,
    ledger: database.ledger,
    onPriced: () => undefined,
    now: () => ({ wallMs: Date.now(), upMs: Math.round(performance.now()) }),
  });
  clocks = new Clocks({
    ...common,
    meter,
    maxAgeMonths: () => maxAgeMonths,
    marksMs: () => marksMs,
    openEndOf: () => openEnd,
    onAlarm: (alarm) => alarms.push(alarm),
  });
  told.hub.hear('clocks', '', ({ value }) => (shown = value));
  told.appears();
}

function quit(): void {
  clocks.close();
  meter.close();
  told.hub.dispose();
}

beforeEach(() => {
  maxAgeMonths = 6;
  profileId = 'autodl';
  marksMs = DEFAULT_MARKS_MS;
  openEnd = null;
  vi.useFakeTimers({ now: Date.parse('2026-06-20T12:00:00Z') });
  database = openTemporaryDatabase();
  database.boxes.add(BOX);
  [alarms, problems] = [[], []];
  start();
});
afterEach(() => {
  quit();
  expect(vi.getTimerCount()).toBe(0);
  expect(problems).toEqual([]);
  database.close();
  vi.useRealTimers();
});

const marks = () => alarms.map(({ clock, markMs }) => [clock.id, markMs / H]);
/** The machine sleeps: no timer runs, and then it is later. */
function sleep(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
  clocks.look();
}

describe('Clocks', () => {
  it('begin with the stop, count down while nothing is connected, and ring at each mark once', async () => {
    told.answers(60_000);
    told.isLost();
    meter.setPhase(BOX.id, 'stopped');
    await vi.advanceTimersByTimeAsync(5000);
    const nearest = nearestClock(shown?.clocks ?? [], Date.now());
    expect(nearest).toMatchObject({
      id: 'autodl.release-15d',
      due: { kind: 'at', atMs: Date.parse('2026-07-05T12:00:00Z') },
    });
    sleep(14 * D);
    sleep(H);
    sleep(17 * H);
    // Over a restart, too.
    quit();
    start();
    clocks.look();
    sleep(5 * H);
    sleep(H);
    sleep(D);
    expect(marks()).toEqual([
      ['autodl.release-15d', 24],
      ['autodl.release-15d', 6],
      ['autodl.release-15d', 1],
      ['autodl.release-15d', 0],
    ]);
  });

  it('show an end that nothing has confirmed before all others, until something does', async () => {
    told.answers(60_000);
    meter.setPhase(BOX.id, 'stopped');
    await vi.advanceTimersByTimeAsync(5000);
    const dueMs = selectDueMs(shown?.clocks ?? [], Date.now());
    const approvedAtMs = Date.now();
    const remindsAtMs = approvedAtMs + H / 4;
    openEnd = { verb: 'Release', approvedAtMs, remindsAtMs };
    await vi.advanceTimersByTimeAsync(5000);
    expect(nearestClock(shown?.clocks ?? [], Date.now())).toMatchObject({
      ...{ id: 'yours.end', danger: 'money' },
      due: { kind: 'unconfirmed', sinceMs: approvedAtMs, remindsAtMs },
    });
    // What the platform does goes on beside it.
    expect(selectDueMs(shown?.clocks ?? [], Date.now())).toBe(dueMs);
    // What takes a run sooner is looked at first, and what takes one later is not.
    const ends = (inMs: number) => ({ id: 'paper', what: 'due', atMs: Date.now() + inMs });
    for (const [inMs, id] of [
      [H / 6, 'yours.deadline-paper'],
      [40 * H, 'yours.end'],
    ] as const) {
      const entries = { ...NOTHING_TOLD, deadlines: [ends(inMs)] };
      expect(clocks.setEntries(BOX.id, entries).ok).toBe(true);
      expect(nearestClock(shown?.clocks ?? [], Date.now())?.id).toBe(id);
    }
    expect(clocks.setEntries(BOX.id, NOTHING_TOLD).ok).toBe(true);
    openEnd = null;
    await vi.advanceTimersByTimeAsync(5000);
    expect(nearestClock(shown?.clocks ?? [], Date.now())?.id).toBe('autodl.release-15d');
  });

  it('are silent while put off, and only until then', async () => {
    const deadline = { id: 'paper', what: 'the paper is due', atMs: Date.now() + 6 * H };
    expect(clocks.setEntries(BOX.id, { ...NOTHING_TOLD, deadlines: [deadline] }).ok).toBe(true);
    expect(marks()).toEqual([['yours.deadline-paper', 6]]);
    const until = Date.now() + 2 * H;
    expect(clocks.snooze(BOX.id, 'yours.deadline-paper', deadline.atMs)).toMatchObject({
      error: { code: 'bad-input' },
    });
    expect(clocks.snooze(BOX.id, 'yours.deadline-paper', until).ok).toBe(true);
    quit();
    start();
    sleep(H);
    expect(alarms).toHaveLength(1);
    sleep(H);
    expect(marks()).toEqual([
      ['yours.deadline-paper', 6],
      ['yours.deadline-paper', 6],
    ]);
    sleep(3 * H);
    expect(marks().at(-1)).toEqual(['yours.deadline-paper', 1]);
  });

  it('count a balance down by what the meter says', async () => {
    meter.setPrices(BOX.id, {
      compute: { micros: 2_000_000, currency: 'CNY', per: 'hour' },
      disks: [],
      others: [],
      egress: null,
    });
    told.answers(60_000);
    const balance = { micros: 20_000_000, currency: 'CNY' };
    clocks.setAccount('autodl', { balance, asOfMs: Date.now() });
    await vi.advanceTimersByTimeAsync(6 * 60_000);
    const low = shown?.clocks.find(({ id }) => id === 'autodl.low-balance');
    expect(low?.due).toMatchObject({ kind: 'at', isEstimate: true });
    const leftMs = low?.due.kind === 'at' ? low.due.atMs - Date.now() : 0;
    expect(Math.abs(leftMs - 9.9 * H)).toBeLessThan(20_000);
    clocks.setAccount('autodl', { balance: { ...balance, currency: 'USD' }, asOfMs: Date.now() });
    expect(shown?.clocks.find(({ id }) => id === 'autodl.low-balance')?.due.kind).toBe('unknown');
  });

  it('call a fact old after as long as the person has set', () => {
    const freshness = () =>
      shown?.clocks.flatMap(({ known }) => (known.kind === 'platform' ? known.freshness.kind : []));
    sleep(30 * D);
    expect(new Set(freshness())).toEqual(new Set(['fresh']));
    maxAgeMonths = 1;
    clocks.look();
    expect(new Set(freshness())).toEqual(new Set(['stale']));
  });

  it('count from the newer of what was told and what happened since, over a restart too', () => {
    told.answers(60_000);
    meter.setPhase(BOX.id, 'stopped');
    const starts = { stopped: Date.now() - 2 * D };
    const release = () => shown?.clocks.find(({ id }) => id === 'autodl.release-15d')?.due;
    const from = (atMs: number) => ({ kind: 'at', atMs: atMs + 15 * D, isEstimate: false });
    sleep(H);
    // The moment in the change is main's own: whoever asks cannot set it.
    const startsSaidAtMs = { stopped: 1_000_000_000_000 };
    expect(clocks.setEntries(BOX.id, { ...NOTHING_TOLD, starts, startsSaidAtMs }).ok).toBe(true);
    expect(release()).toEqual(from(starts.stopped));
    quit();
    start();
    expect(release()).toEqual(from(starts.stopped));
    const kept = clocks.entriesOf(BOX.id);
    sleep(D);
    // Another change leaves it as it was said.
    expect(kept.ok && clocks.setEntries(BOX.id, { ...kept.value, isSpot: false }).ok).toBe(true);
    meter.setPhase(BOX.id, 'running');
    sleep(D);
    meter.setPhase(BOX.id, 'stopped');
    const stoppedMs = Date.now();
    clocks.look();
    expect(release()).toEqual(from(stoppedMs));
    // Said again, with the same words: now they are about this stop.
    sleep(H);
    expect(clocks.setEntries(BOX.id, { ...NOTHING_TOLD, starts }).ok).toBe(true);
    expect(release()).toEqual(from(starts.stopped));
  });

  it('take what an earlier version kept as said when it was kept', () => {
    const { startsSaidAtMs: _none, ...old } = NOTHING_TOLD;
    const starts = { stopped: Date.now() - 2 * D };
    told.answers(60_000);
    meter.setPhase(BOX.id, 'stopped');
    const stoppedMs = Date.now();
    quit();
    database.entries.write(BOX.id, 'clocks', { ...old, starts }, stoppedMs - H);
    start();
    const release = () => shown?.clocks.find(({ id }) => id === 'autodl.release-15d')?.due;
    expect(release()).toMatchObject({ atMs: stoppedMs + 15 * D });
    quit();
    database.entries.write(BOX.id, 'clocks', { ...old, starts }, stoppedMs + H);
    start();
    expect(release()).toMatchObject({ atMs: starts.stopped + 15 * D });
  });

  it('keep a measured walltime over a restart, and do not tremble with it', () => {
    profileId = 'slurm';
    const endMs = Date.now() + 3 * H;
    clocks.setWalltimes(BOX.id, { ends: [{ job: '4412', endMs }], more: 0 });
    quit();
    start();
    const walltime = (id: string) => shown?.clocks.find((each) => each.id === id);
    const end = { kind: 'at', atMs: endMs, isEstimate: false };
    const known = { kind: 'measured' };
    expect(walltime('slurm.walltime:4412')).toMatchObject({ due: end, known });
    const trembling = { ends: [{ job: '4412', endMs: endMs + 900 }], more: 0 };
    clocks.setWalltimes(BOX.id, trembling);
    expect(walltime('slurm.walltime:4412')?.due).toEqual(end);
    clocks.setWalltimes(BOX.id, NO_WALLTIMES);
    expect(walltime('slurm.walltime:4412')).toBeUndefined();
    expect(walltime('slurm.walltime')?.due.kind).toBe('unknown');
  });

  it('ring for each job on its own, and read the one end that an earlier version kept', () => {
    profileId = 'slurm';
    const now = Date.now();
    const ends = [
      { job: '1', endMs: now + 2 * H },
      { job: '2', endMs: now + 4 * H },
    ];
    clocks.setWalltimes(BOX.id, { ends, more: 0 });
    sleep(H);
    // The first job ended early: its clock is gone, and the other's marks stand where they stood.
    clocks.setWalltimes(BOX.id, { ends: ends.slice(1), more: 0 });
    sleep(2 * H);
    expect(marks()).toEqual([
      ['slurm.walltime:1', 6],
      ['slurm.walltime:2', 6],
      ['slurm.walltime:1', 1],
      ['slurm.walltime:2', 1],
    ]);
    quit();
    database.entries.write(BOX.id, 'walltime', now + 9 * H, now);
    start();
    expect(shown?.clocks.find(({ id }) => id === 'slurm.walltime')?.due).toEqual({
      kind: 'at',
      atMs: now + 9 * H,
      isEstimate: false,
    });
  });

  it('ring at the marks that the person chose, and show the nearest of all boxes', () => {
    marksMs = [2 * H];
    const deadline = { id: 'paper', what: 'the paper is due', atMs: Date.now() + 3 * H };
    clocks.setEntries(BOX.id, { ...NOTHING_TOLD, deadlines: [deadline] });
    expect(clocks.nearest()).toMatchObject({ box: BOX, clock: { id: 'yours.deadline-paper' } });
    sleep(H);
    sleep(1.5 * H);
    expect(marks()).toEqual([['yours.deadline-paper', 2]]);
    marksMs = [];
    sleep(H);
    expect(marks().at(-1)).toEqual(['yours.deadline-paper', 0]);
  });

  it('that are over hide none that is still to come, neither from the tray nor from who quits', () => {
    const deadlines = [
      { id: 'paper', what: 'the paper is due', atMs: Date.now() + H },
      { id: 'talk', what: 'the talk', atMs: Date.now() + 3 * H },
    ];
    clocks.setEntries(BOX.id, { ...NOTHING_TOLD, deadlines });
    const ids = () => clocks.timed().map(({ clock }) => clock.id);
    expect(ids()).toEqual(['yours.deadline-paper', 'yours.deadline-talk']);
    sleep(2 * H);
    expect(ids()).toEqual(['yours.deadline-paper', 'yours.deadline-talk']);
    expect(clocks.nearest()).toMatchObject({ clock: { id: 'yours.deadline-talk' } });
    sleep(2 * H);
    // Where nothing more comes, the last that did.
    expect(clocks.nearest()).toMatchObject({ clock: { id: 'yours.deadline-talk' } });
  });

  it('do not move with how long the answer of a machine took', () => {
    profileId = 'kaggle';
    const beganMs = Date.now();
    const answer = (lateMs: number): void =>
      told.answers(60_000 + Date.now() - beganMs - lateMs, 'boot-1', 6000 + lateMs);
    answer(0);
    const before = shown;
    expect(before?.clocks.some(({ due }) => due.kind === 'at')).toBe(true);
    for (const lateMs of [400, -700, 1900]) {
      sleep(30_000);
      answer(lateMs);
      clocks.look();
    }
    expect(shown).toBe(before);
    answer(2100);
    expect(shown).not.toBe(before);
  });

  it('say when the clocks of the box and of this machine are apart', () => {
    told.answers(60_000, 'boot-1', 5001);
    expect(shown?.skew).toEqual({ kind: 'off', byMs: 5001 });
    told.answers(60_000, 'boot-1', -40 * 365 * D);
    expect(shown?.skew.kind).toBe('absurd');
  });
});
