import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sampleNames } from '../../shared/probes/sample.fixture.ts';
import { parseKernelLog } from '../../shared/probes/xid.ts';
import type { KernelLogLook } from '../../shared/telemetry/gpu-facts.ts';
import { details, facts } from '../../shared/detectors/box.fixture.ts';
import { BoxDetectors } from '../../shared/detectors/box-detectors.ts';
import { kernelLook, LIVE, replay } from '../../shared/detectors/cases.fixture.ts';
import { tellFindings } from '../../shared/detectors/alert-words.ts';
import type { JudgedBox } from '../../shared/detectors/box-findings.ts';
import type { Finding } from '../../shared/detectors/finding.ts';
import { shippedCatalog } from '../gotchas/gotchas.fixture.ts';

const inWords = (report: JudgedBox): readonly Finding[] =>
  tellFindings(report, shippedCatalog()).findings;

/** What each recorded kernel log means: severity, the first sentence, the first step. Null: nothing is certain. */
type Told = readonly [severity: string, headline: string, firstStep: string] | null;

const recorded = JSON.parse(
  readFileSync(
    new URL('../../shared/detectors/samples/U22-recorded-logs.json', import.meta.url),
    'utf8',
  ),
) as Readonly<Record<string, Told>>;

function judgeLog(kernelLog: string): Finding | undefined {
  const report = replay({
    about: 'a recorded log, addresses of the own cards not told',
    seconds: 0,
    readings: [{ smPct: 0 }],
    gpus: [{}],
    kernelLog,
    expected: { detector: 'U22', answer: 'found', allFound: ['U22'] },
  });
  return inWords(report).find(({ detector }) => detector === 'U22');
}

it('has an expectation for every recorded log', () => {
  expect(Object.keys(recorded).sort()).toEqual([...sampleNames('xid')].sort());
});

it.each(Object.entries(recorded))('reads %s', (name, expected) => {
  const finding = judgeLog(name);
  const told = finding === undefined ? null : [finding.severity, finding.headline, finding.fix[0]];
  expect(told).toEqual(expected);
  if (finding === undefined) return;
  const log = kernelLook(name).events.map(({ line }) => line);
  for (const each of finding.clues) {
    expect(each.kind === 'line' && log.includes(each.line)).toBe(true);
  }
});

function box(log: KernelLogLook, uptimeS: number | null): BoxDetectors {
  const given = new BoxDetectors();
  look(given, log, uptimeS, 'boot-1', 0);
  return given;
}

function look(
  given: BoxDetectors,
  kernelLog: KernelLogLook,
  uptimeS: number | null,
  boot: string,
  atMs: number,
): readonly string[] {
  const base = facts();
  const machine = { ...base.machine, uptimeS, bootId: boot };
  given.useTelemetry(LIVE);
  given.useFacts({
    facts: { ...base, atMs, gpus: [details()], machine, kernelLog },
    problem: null,
  });
  given.judge(atMs);
  return given.findings.findings.map(({ detector }) => detector);
}

function written(...lines: readonly string[]): KernelLogLook {
  const { rows, outcome } = parseKernelLog(['[    0.1] boot', ...lines].join('\n'));
  return { events: rows, outcome, source: 'dmesg' };
}

const LOST = kernelLook('xid--79-with-aer');
const DENIED = kernelLook('xid--dmesg-denied');

it.each([
  ['a program’s fault', 31, 1],
  ['a card’s fault', 119, 24 * 3600],
])('lets %s last as long as it means something (Xid %i)', (_what, code, lastsS) => {
  const log = written(`[  100.000000] NVRM: Xid (PCI:0000:01:00): ${code}, pid=7, name=python, x`);
  const isFound = (uptimeS: number): boolean => box(log, uptimeS).findings.findings.length === 1;
  expect(isFound(100 + lastsS)).toBe(true);
  expect(isFound(100 + 3601)).toBe(lastsS > 3600);
});

it('takes a change of the recovery action to "None" as the recovery', () => {
  const broken = '[  100.000000] NVRM: Xid (PCI:0000:01:00): 119, pid=7, name=python, Timeout';
  const healed =
    '[  200.000000] NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)';
  const other = '[  150.000000] NVRM: Xid (PCI:0000:02:00): 119, pid=7, name=python, Timeout';
  expect(box(written(broken), 300).findings.findings).toHaveLength(1);
  expect(box(written(broken, healed), 300).findings.findings).toEqual([]);
  expect(inWords(box(written(broken, other, healed), 300).findings)).toMatchObject([
    { headline: expect.stringContaining('0000:02:00') as string },
  ]);
});

describe('several codes', () => {
  const xid = (atS: number, code: number, card = '0000:01:00', text = 'x'): string =>
    `[${atS.toFixed(6)}] NVRM: Xid (PCI:${card}): ${code}, pid=7, name=python, ${text}`;
  const told = (...lines: readonly string[]) => inWords(box(written(...lines), 4000).findings)[0];

  it('keeps the worst first, and names what came later', () => {
    expect(
      told(xid(100, 79), xid(900, 31), xid(901, 31), xid(3000, 62, '0000:02:00')),
    ).toMatchObject({
      severity: 'critical',
      headline: expect.stringMatching(
        /^Xid 79 on card 0000:01:00: .* Also Xid 62 on 0000:02:00 and Xid 31\.$/,
      ) as string,
    });
  });

  it('tells the newest of equal ones, and of one moment the first', () => {
    const finding = told(
      xid(100, 119, '0000:01:00', 'old'),
      xid(3000, 109, '0000:02:00', 'cause'),
      xid(3001, 119, '0000:02:00', 'follows'),
    );
    expect(finding?.headline).toMatch(
      /^Xid 109 on card 0000:02:00: .* Also Xid 119 and Xid 119 on 0000:01:00\.$/,
    );
  });

  it('keeps a line of each in the clues, however many one of them wrote', () => {
    const storm = Array.from({ length: 50 }, (_none, i) => xid(1000 + i, 13));
    const finding = told(...storm, xid(2000, 31));
    const lines = finding?.clues.map((each) => (each.kind === 'line' ? each.line : ''));
    expect(lines?.some((line) => line.includes('): 31,'))).toBe(true);
    expect(finding?.headline).toMatch(/^Xid 31 .* Also Xid 13\.$/);
  });

  it('does not take an error for contained because one was, long before', () => {
    const contained = [xid(100, 48), xid(100.1, 94)];
    expect(told(...contained)?.fix[0]).toBe('Restart the program that was hit');
    expect(told(...contained, xid(3000, 48))?.fix[0]).toBe('Save what can be saved');
  });

  it('calls a contained memory error no fault of the program, alone and beside its cause', () => {
    for (const events of [[xid(100, 94)], [xid(100, 48), xid(100.1, 94)]]) {
      const finding = told(...events);
      expect(finding?.means).toContain('The card’s memory failed, and the error was contained');
      expect(finding?.means).not.toContain('fault of the program');
      expect(finding?.fix[1]).toContain('Reset the GPU at leisure');
    }
    expect(told(xid(100, 94), xid(100.1, 95))?.severity).toBe('critical');
  });
});

it('forgets what a boot ended, and keeps it while the boot lasts', () => {
  const given = box(LOST, 500);
  expect(look(given, LOST, 530, 'boot-1', 30_000)).toEqual(['U22']);
  expect(look(given, DENIED, 20, 'boot-2', 60_000)).toEqual([]);
});

it('keeps a card’s loss while the log cannot be read any more', () => {
  const given = box(LOST, 500);
  look(given, DENIED, 530, 'boot-1', 30_000);
  look(given, DENIED, 560, 'boot-1', 60_000);
  expect(given.findings.findings).toMatchObject([
    { detector: 'U22', notSeenBecause: 'the kernel log is closed to this user' },
  ]);
});

it('names a card that the box had and that is no longer listed', () => {
  const given = new BoxDetectors();
  given.useTelemetry(LIVE);
  const [a, b] = [details({ index: 0 }), details({ index: 1, pciAddress: '0000:3b:00' })];
  given.useFacts({ facts: { ...facts(), gpus: [a, b] }, problem: null });
  given.judge(0);
  expect(given.findings.findings).toEqual([]);
  given.useFacts({ facts: { ...facts(), atMs: 30_000, gpus: [a] }, problem: null });
  given.judge(30_000);
  expect(inWords(given.findings)).toMatchObject([
    { detector: 'U22', severity: 'critical', headline: 'GPU 1 (0000:3b:00) is no longer listed.' },
  ]);
});

it('blames no card when none is listed any more: the driver does not answer', () => {
  const given = new BoxDetectors();
  given.useTelemetry(LIVE);
  given.useFacts({ facts: { ...facts(), gpus: [details()] }, problem: null });
  given.judge(0);
  given.useFacts({ facts: { ...facts(), atMs: 30_000, gpus: [] }, problem: null });
  given.judge(30_000);
  expect(given.findings.findings).toEqual([]);
});

it('is last seen when the box told it last, however often it is judged after that', () => {
  const given = box(kernelLook('xid--79-154-os-reboot'), 100);
  const [seen] = given.findings.findings;
  expect(seen).toMatchObject({ detector: 'U22', lastSeenMs: 0 });
  for (const atMs of [5000, 10_000, 29_000]) given.judge(atMs);
  expect(given.findings.findings[0]).toMatchObject({ detector: 'U22', lastSeenMs: 0 });
});
