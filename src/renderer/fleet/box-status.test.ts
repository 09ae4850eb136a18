import { describe, expect, it } from 'vitest';
import { changedKey, REVOKED_KEY, unknownKey } from '../../shared/boxes/host-key.fixture.ts';
import { problem } from '../../shared/problem.ts';
import { judgeLoad } from '../../shared/telemetry/box-load.ts';
import { foldReadings } from '../../shared/telemetry/latest-figures.ts';
import { describeFleet } from './fleet-totals.ts';
import { describeBox, describeGpus, gpuShortName } from './gpu-names.ts';
import { describeStatus } from './box-status.ts';
import { sampleEntry, sampleGpu, sampleReading, SEEN_MS } from './fleet-entry.fixture.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const said = (part: Parameters<typeof sampleEntry>[0], nowMs = SEEN_MS + 1000): string => {
  const { tone, word, detail, smPct } = describeStatus(sampleEntry(part), nowMs);
  return plain([tone, word, detail ?? `SM ${smPct}`].join(', '));
};
const load = (...smPct: (number | null)[]) =>
  judgeLoad(
    foldReadings(
      SEEN_MS,
      smPct.map((pct, index) => sampleReading({ index, smPct: pct })),
    ),
  );

describe('describeStatus', () => {
  it('says working with the mean of the GPUs that report', () => {
    expect(said({})).toBe('ok, working, SM 70');
    expect(said({ load: load(80, null) })).toBe('ok, working, SM 80');
  });

  it('says idle only when every GPU reports 0', () => {
    expect(said({ load: load(0, 0) })).toBe('idle, idle, SM 0');
    expect(said({ load: load(0, null) })).toBe('unknown, partly reported, SM 0');
    expect(said({ load: load(0, 1) })).toBe('ok, working, SM 0.5');
  });

  it('never shows what is not known as 0', () => {
    expect(said({ load: load(null, null) })).toBe('unknown, load missing, SM null');
    expect(said({ load: null })).toBe('wait, first sample…, SM null');
    expect(said({ telemetry: { kind: 'off' } })).toBe('unknown, readings off, SM null');
  });

  it('does not pass off an old figure as the present', () => {
    const stale = { kind: 'stale', seenAtMs: SEEN_MS } as const;
    expect(said({ load: stale }, SEEN_MS + 12_000)).toBe('warn, stale, seen 12 s ago');
    expect(said({ link: { kind: 'idle' } })).toBe('off, not connected, SM null');
  });

  it.each([
    [{ kind: 'connecting', attempt: 1, sinceMs: 0 }, 'wait, connecting, SM null'],
    [
      {
        kind: 'waiting',
        attempt: 3,
        retryAtMs: SEEN_MS + 9000,
        problem: problem('link-lost', 'gone'),
      },
      'warn, reconnecting, in 8 s (attempt 3)',
    ],
    [
      { kind: 'waiting', attempt: 3, retryAtMs: SEEN_MS, problem: problem('link-lost', 'gone') },
      'warn, reconnecting, now (attempt 3)',
    ],
    [unknownKey(), 'warn, key unknown, compare it'],
    [changedKey(), 'danger, key changed, do not connect'],
    [REVOKED_KEY, 'danger, key revoked, do not connect'],
    [
      { kind: 'down', sinceMs: 0, problem: problem('link-lost', 'gone') },
      'danger, disconnected, action needed',
    ],
    [
      { kind: 'down', sinceMs: 0, problem: problem('auth-refused', 'no') },
      'danger, sign-in failed, choose a key',
    ],
  ] as const)('has words for the link %j', (link, expected) => {
    expect(said({ link })).toBe(expected);
  });

  it.each([
    ['no-gpu-tool', 'warn, no nvidia-smi, SM null'],
    ['driver-broken', 'danger, driver broken, SM null'],
    ['driver-mismatch', 'warn, driver mismatch, SM null'],
    ['gpu-lost', 'danger, GPU lost, SM null'],
    ['gpu-tool-hangs', 'danger, driver hangs, SM null'],
    ['gpu-tool-failed', 'warn, no readings, SM null'],
  ] as const)('has words for the failure %s', (code, expected) => {
    const telemetry = {
      kind: 'failed',
      sinceMs: 0,
      retryAtMs: 0,
      problem: problem(code, 'x'),
    } as const;
    expect(said({ telemetry })).toBe(expected);
  });
});

describe('names of GPUs', () => {
  it.each([
    ['NVIDIA A100-SXM4-80GB', 'A100'],
    ['NVIDIA H100 80GB HBM3', 'H100'],
    ['NVIDIA GeForce RTX 4090', 'RTX 4090'],
    ['Tesla T4', 'T4'],
    ['NVIDIA L40S', 'L40S'],
  ])('shortens %s to %s', (name, expected) => {
    expect(gpuShortName(name)).toBe(expected);
  });

  it('counts by model and says when nothing is known', () => {
    const t4 = sampleGpu({ name: 'Tesla T4' });
    expect(describeGpus([sampleGpu(), sampleGpu(), t4])).toBe('2× A100-SXM4-80GB + 1× Tesla T4');
    expect(describeGpus(null)).toBe('GPUs not read');
    expect(describeGpus([])).toBe('no GPU');
    expect(describeBox(sampleEntry({}, { platform: 'demo' }))).toBe('Demo box · 2× A100');
    expect(describeBox(sampleEntry({}, { platform: 'new-one' }))).toBe('new-one · 2× A100');
    expect(describeBox(sampleEntry({ gpus: null }))).toBe('SSH');
  });
});

describe('describeFleet', () => {
  it('counts boxes, GPUs and states, and admits what it does not know', () => {
    const entries = [sampleEntry(), sampleEntry({ gpus: null, link: { kind: 'idle' } })];
    expect(describeFleet(entries)).toBe('2 boxes · 2 GPUs known · 1 working, 1 not connected');
    expect(describeFleet([sampleEntry()])).toBe('1 box · 2 GPUs · 1 working');
    expect(describeFleet([])).toBe('0 boxes · GPUs not read');
  });
});
