import { describe, expect, it } from 'vitest';
import { takeReport, EMPTY_BOOK, changeAlerts, type AlertBook } from '../alerts/alert-book.ts';
import { advance } from '../alerts/advance.ts';
import { newId } from '../alerts/alert.fixture.ts';
import { alertSchema } from '../alerts/alert-schema.ts';
import { judgeLook } from '../patrol/judge-look.ts';
import { judgeVanished } from '../patrol/judge-vanished.ts';
import { goneLook, LOOK, mount, RUN, RUN_LOG, untold } from '../patrol/look.fixture.ts';
import { rememberLook, type PatrolMemory } from '../patrol/patrol-memory.ts';
import type { PatrolLook } from '../patrol/patrol-look.ts';
import type { PatrolState } from '../patrol/patrol-state.ts';
import { isLookRule, selectJudged } from '../patrol/select-judged.ts';
import { recallSeen, selectSeen } from '../patrol/select-seen.ts';
import { parseKernelLog } from '../probes/xid.ts';
import { problem } from '../problem.ts';
import { likeShipped } from '../profiles/places.fixture.ts';
import { facts, reading } from './box.fixture.ts';
import { BoxDetectors } from './box-detectors.ts';
import { tellFindings } from './alert-words.ts';
import type { BoxFindings } from './box-findings.ts';
import { LIVE } from './cases.fixture.ts';
import { subjectKeyOf, type DetectorId } from './finding.ts';

const EVERY_MS = 300_000;
const FULL = { usedPct: 100, freeKiB: 0, usedKiB: 100_000_000 };

/** A box that is looked at every five minutes, through all that the app itself does with a look. */
class Patrolled {
  readonly box = new BoxDetectors();
  memory: PatrolMemory | null = null;
  atMs = LOOK.atMs;
  book: AlertBook = EMPTY_BOOK;

  constructor() {
    this.box.useTelemetry(LIVE);
  }

  get report(): BoxFindings {
    return tellFindings(this.box.findings, new Map());
  }

  /** What is found and seen now, by what it is about. */
  get found(): readonly string[] {
    return this.report.findings
      .filter(({ notSeenBecause }) => notSeenBecause === null)
      .map(({ detector, subject }) => `${detector} ${subjectKeyOf(subject)}`)
      .sort();
  }

  look(part: Partial<PatrolLook> = {}): void {
    this.atMs += EVERY_MS;
    const look = { ...LOOK, ...part, atMs: this.atMs };
    const missing = (this.memory?.runs ?? [])
      .filter(({ pid }) => !look.runs.some((run) => run.pid === pid))
      .map((run) => ({ run, judgement: judgeVanished(run, LOOK, look, null) }));
    const judged = judgeLook(look, this.memory, {
      missing,
      ...likeShipped(null),
      isGpuWorking: null,
    });
    const before = this.memory;
    this.memory = rememberLook({ look, before, alive: [], missing, judged }, before);
    this.tell({
      seen: selectSeen(look, [], null),
      judged: selectJudged(judged),
      failed: null,
      gone: this.memory.gone,
      phase: { kind: 'waiting', nextAtMs: this.atMs + EVERY_MS, pace: 'usual' },
    });
  }

  /** The link is lost: nobody looks any more. */
  lose(): void {
    this.tell({ phase: { kind: 'off' }, judged: null });
  }

  tell(part: Partial<PatrolState>): void {
    this.box.usePatrol(part);
    this.pass(0);
  }

  pass(ms: number): void {
    this.atMs += ms;
    this.box.judge(this.atMs);
    this.book = takeReport(this.book, this.report, newId);
  }

  alert(detector: DetectorId) {
    return this.book.open.find(({ finding }) => finding.detector === detector);
  }
}

const disks = (...full: readonly string[]): Partial<PatrolLook> => ({
  mounts: ['/', '/data', '/work'].map((path) => mount(path, full.includes(path) ? FULL : {})),
});
const rebooted = (): Partial<PatrolLook> =>
  goneLook(null, { machine: { ...LOOK.machine, bootId: 'b2', uptimeS: 40 } });

describe('what a patrol finds', () => {
  it('is told of each disk and each run for itself, with its beginning', () => {
    const box = new Patrolled();
    box.look();
    box.look(disks('/data'));
    const sinceMs = box.atMs;
    box.look(disks('/data', '/work'));
    expect(box.found).toEqual(['U6 mount /data', 'U6 mount /work']);
    const [data, work] = box.report.findings;
    expect(data).toMatchObject({ sinceMs, lastSeenMs: box.atMs, severity: 'critical' });
    expect(work).toMatchObject({ sinceMs: box.atMs });
    expect(box.book.open).toHaveLength(2);
    box.look(disks('/work'));
    expect(box.found).toEqual(['U6 mount /work']);
    expect(box.book.open.map(({ finding }) => finding.subject)).toEqual([
      { kind: 'mount', path: '/work' },
    ]);
    expect(box.book.resolved).toMatchObject([{ stage: { by: 'check' } }]);
  });

  it('lasts from one patrol to the next, and is not known any more when that does not come', () => {
    const box = new Patrolled();
    box.look(disks('/data'));
    box.pass(EVERY_MS + 100_000);
    expect(box.found).toEqual(['U6 mount /data']);
    box.pass(60_000);
    expect(box.found).toEqual([]);
    expect(box.report.findings).toMatchObject([
      { detector: 'U6', notSeenBecause: 'a check is overdue' },
    ]);
    expect(box.report.clear.flatMap(({ detectors }) => detectors)).not.toContain('U7');
  });

  it.each<readonly [string, (box: Patrolled) => void]>([
    ['the box is not connected', (box) => box.lose()],
    [
      'the last check failed: It did not answer.',
      (box) =>
        box.tell({
          failed: {
            atMs: box.atMs,
            tookMs: 1,
            times: 1,
            problem: problem('connect-timeout', 'It did not answer.'),
          },
        }),
    ],
    [
      'the box has not been checked since it was connected',
      (box) =>
        box.tell({ seen: box.memory === null ? null : recallSeen(box.memory), judged: null }),
    ],
  ])('stays, as not seen at present: %s', (because, happen) => {
    const box = new Patrolled();
    box.look(disks('/data'));
    const [before] = box.report.findings;
    happen(box);
    expect(box.report.findings).toEqual([{ ...before, notSeenBecause: because }]);
    expect(box.alert('U6')?.finding.notSeenBecause).toBe(because);
    const patrol = box.report.unknown.filter((each) => each.because === because);
    expect(patrol.map(({ detector }) => detector)).toContain('U43');
    box.look(disks('/data'));
    expect(box.report.findings).toMatchObject([
      { notSeenBecause: null, sinceMs: before?.sinceMs, lastSeenMs: box.atMs },
    ]);
  });

  it('stays while one disk does not answer, also over a restart, and that disk alone', () => {
    const first = new Patrolled();
    first.look(disks('/data', '/work'));
    const later = new Patrolled();
    later.memory = first.memory;
    later.atMs = first.atMs;
    later.book = first.book;
    later.look({ mounts: [mount('/'), untold('/data'), mount('/work')] });
    expect(later.book.open).toMatchObject([
      {
        finding: {
          subject: { path: '/data' },
          notSeenBecause: 'it did not answer in time',
        },
      },
    ]);
    later.look(disks('/data'));
    expect(later.report.findings).toMatchObject([{ sinceMs: first.atMs }]);
  });

  it('is over when what it is about is not there any more', () => {
    const box = new Patrolled();
    const proxied = { ...RUN, proxy: 'turbo.gpushare.com' };
    box.look({ ...disks('/data'), runs: [proxied] });
    expect(box.found).toEqual(['GS2 run 41/500@b1', 'U6 mount /data']);
    // It is there, and this check did not tell of it.
    const other = { ...RUN, pid: 9 };
    box.look({ ...disks('/data'), runs: [other] });
    expect(box.alert('GS2')?.finding.notSeenBecause).toBe('the box did not tell of this run');
    box.look({
      mounts: [mount('/')],
      runs: [other],
      processes: { rows: [], isWhole: true },
    });
    expect(box.alert('GS2')).toBeUndefined();
    expect(box.alert('U6')).toBeUndefined();
  });

  it('is over for a run whose log says so no more', () => {
    const box = new Patrolled();
    const says = (end: string | null): Partial<PatrolLook> => ({
      runs: [{ ...RUN, logs: [{ ...RUN_LOG, end }] }],
    });
    box.look(says('OSError: [Errno 28] No space left on device\n'));
    expect(box.found).toEqual(['U6 run 41/500@b1']);
    box.look(says(null));
    expect(box.alert('U6')?.finding.notSeenBecause).toBe('its log could not be read');
    box.look(says('step 12\n'));
    expect(box.book.open).toEqual([]);
  });
});

describe('what happened between two patrols', () => {
  it('is not taken back by a later look, nor by a restart, but by the person alone', () => {
    const box = new Patrolled();
    box.look();
    box.look(rebooted());
    expect(box.alert('GEN6')?.finding).toMatchObject({ severity: 'critical', isEvent: true });
    box.look({ ...rebooted(), runs: [] });
    expect(box.found).not.toContain('GEN6 box');
    const alert = box.alert('GEN6');
    expect(alert?.finding.notSeenBecause).toMatch(/^it happened between two checks/);
    // As it is kept and read again.
    const kept = alertSchema.parse(JSON.parse(JSON.stringify(alert)));
    expect(kept).toEqual(alert);
    const later = new Patrolled();
    later.book = { open: [kept], resolved: [] };
    later.memory = box.memory;
    later.atMs = box.atMs;
    later.look({ ...rebooted(), runs: [] });
    expect(later.report.clear.flatMap(({ detectors }) => detectors)).toContain('GEN6');
    expect(later.alert('GEN6')?.finding.notSeenBecause).toMatch(/^it happened between/);
    const over = changeAlerts(later.book, (each) =>
      advance(each, { kind: 'dismiss', atMs: later.atMs }),
    );
    expect(over.open.map(({ finding }) => finding.detector)).not.toContain('GEN6');
  });
});

describe('the kernel’s log, which two rules read', () => {
  const { rows } = parseKernelLog('[ 8000.1] NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off.');
  const xid: Partial<PatrolLook> = { kernel: { ...LOOK.kernel, gpuEvents: rows } };

  it('is told by the patrol where the driver hangs and nobody else can read it', () => {
    const box = new Patrolled();
    box.look(xid);
    expect(box.found).toEqual(['U22 box']);
    expect(box.report.unknown.map(({ detector }) => detector)).not.toContain('U22');
    box.look();
    box.pass(10_000);
    // A later look reads on from there: that it finds nothing more takes nothing back.
    expect(box.alert('U22')?.finding.notSeenBecause).toBe('the kernel log has not been read');
    // Whoever reads the whole log again decides.
    const outcome = { kind: 'clear' } as const;
    const kernelLog = { outcome, events: [], source: 'dmesg' } as const;
    box.box.useFacts({ facts: facts({ atMs: box.atMs, kernelLog }), problem: null });
    box.pass(1000);
    expect(box.alert('U22')).toBeUndefined();
  });

  it('is left to the rule that knows which cards are this box’s, and told once', () => {
    const box = new Patrolled();
    const outcome = { kind: 'clear' } as const;
    const read = facts({
      atMs: box.atMs + EVERY_MS,
      kernelLog: { outcome, events: [], source: 'dmesg' },
    });
    box.box.useFacts({ facts: read, problem: null });
    box.look(xid);
    expect(box.found).toEqual([]);
    expect(box.report.clear.flatMap(({ detectors }) => detectors)).toContain('U22');
  });

  it('says of a run that the card’s memory ended what no live reading shows', () => {
    const box = new Patrolled();
    box.look();
    box.look(goneLook('torch.OutOfMemoryError: CUDA out of memory.\n'));
    expect(box.found).toContain('U10 run 41/500@b1');
    box.box.useReadings(box.atMs, [reading({ memoryUsedMiB: 10 })]);
    box.look({ ...goneLook(null), runs: [] });
    expect(box.alert('U10')?.finding.notSeenBecause).toMatch(/^it happened between/);
  });
});

describe('a hostile box', () => {
  it('makes neither the patrol’s topic nor the findings large', () => {
    const box = new Patrolled();
    const long = 'x'.repeat(4000);
    const runs = Array.from({ length: 12 }, (_, pid) => ({
      ...RUN,
      pid,
      command: long,
      proxy: 'turbo.gpushare.com',
      logs: [{ ...RUN_LOG, end: `No space left on device ${long}\nProxyError ${long}\n` }],
    }));
    const mounts = Array.from({ length: 24 }, (_, no) => mount(`/${String(no)}${long}`, FULL));
    box.look({ runs, mounts });
    expect(box.report.findings.length).toBeGreaterThan(30);
    const size = JSON.stringify(box.report).length;
    expect(size).toBeLessThan(150_000);
  });

  it('leaves no rule without an answer that has one, however many things it could not look at', () => {
    const closed = Array.from({ length: 200 }, (_, pid) => ({ ...RUN, pid, proxy: null }));
    const look = { ...LOOK, runs: closed, mounts: [untold('/'), untold('/work')] };
    const judged = judgeLook(look, null, { missing: [], ...likeShipped(null), isGpuWorking: null });
    const rules = (each: readonly { readonly detector: string }[]): readonly string[] =>
      [...new Set(each.map(({ detector }) => detector))].sort();
    const { unknown } = selectJudged(judged);
    expect(unknown.length).toBeLessThanOrEqual(80);
    const blind = judged.filter(
      ({ detector, answer }) => isLookRule(detector) && answer.kind === 'unknown',
    );
    expect(rules(unknown)).toEqual(rules(blind));
    expect(rules(unknown)).toContain('U7');
  });

  it('leaves the answers to a usual look small', () => {
    const judged = judgeLook(LOOK, null, { missing: [], ...likeShipped(null), isGpuWorking: null });
    expect(JSON.stringify(selectJudged(judged)).length).toBeLessThan(2000);
  });
});
