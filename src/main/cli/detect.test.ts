import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplePath } from '../../shared/probes/sample.fixture.ts';
import { run } from './cli.fixture.ts';

async function detect(...names: readonly string[]) {
  const files = names.map((name) => samplePath(name));
  const json = await run(['detect', ...files, '--json']);
  const people = await run(['detect', ...files]);
  expect(people.code).toBe(json.code);
  const report = JSON.parse(json.out) as {
    readonly files: readonly { readonly kind: string }[];
    readonly recordedS: number;
    readonly ruleCount: number;
    readonly tooShort: readonly string[];
    readonly findings: readonly { readonly detector: string }[];
    readonly unknown: readonly { readonly detector: string }[];
  };
  return { code: json.code, out: people.out, report };
}

describe('detect', () => {
  it.each([
    ['xid--79-with-aer', ['U22']],
    ['query--error-gpu-lost', ['U22']],
    ['query--error-lib-mismatch', ['driver']],
  ])('finds in %s what is there', async (name, wanted) => {
    const { code, out, report } = await detect(name);
    expect(report.findings.map(({ detector }) => detector)).toEqual(wanted);
    expect(code).toBe(1);
    expect(out).toContain(`(${wanted[0] ?? ''})`);
  });

  it('reads several files of one box together, and finds nothing in a healthy one', async () => {
    const { code, out, report } = await detect('dmon--h100-590-load', 'query--h100-590-csv-load');
    expect(report.files.map(({ kind }) => kind)).toEqual(['dmon', 'query']);
    expect(report.recordedS).toBeGreaterThan(1);
    expect(report.findings).toEqual([]);
    expect(out).toContain('Nothing found.');
    // No kernel log was given: that is said, and is no all-clear.
    expect(report.unknown.map(({ detector }) => detector)).toContain('U22');
    expect(code).toBe(0);
  });

  it.each([
    ['a kernel log that was refused', 'xid--dmesg-denied', 1],
    ['disks that are fine', 'df--centos7', 0],
  ])('tells nothing to judge from nothing found: %s', async (_, name, code) => {
    const judged = await detect(name);
    expect(judged.report.findings).toEqual([]);
    expect(judged.code).toBe(code);
    const says = code === 1 ? 'Nothing was reported that could be judged.' : 'Nothing found.';
    expect(judged.out).toContain(says);
  });

  it('says how long a recording is that is too short for a rule', async () => {
    const { code, report, out } = await detect('dmon--t4-uc-starved');
    expect(report.findings).toEqual([]);
    expect(out).toMatch(/the recording is 9 s long, and the rule wants 90 s:\n {4}\S.* \(U24\)/);
    expect(code).toBe(0);
  });

  it('says beside “Nothing found” how many rules could not judge, and how short the recording is', async () => {
    const { code, out, report } = await detect('dmon--h100-590-load');
    const head =
      /^Nothing found\. (\d+) of (\d+) rules need a longer recording: this one is 5 s\. (\d+) more could not be judged: see below\.$/m;
    const [, short, all, others] = (head.exec(out) ?? []).map(Number);
    expect(report.tooShort).toEqual(expect.arrayContaining(['U24', 'U23', 'idle']));
    expect(report.tooShort).not.toContain('U22');
    expect([short, all]).toEqual([report.tooShort.length, report.ruleCount]);
    expect(others).toBe(
      new Set(report.unknown.map(({ detector }) => detector)).size - report.tooShort.length,
    );
    expect(code).toBe(0);
    const read = await run(['read', 'auto', samplePath('dmon--h100-590-load')]);
    expect(read.out).toMatch(
      /^Nothing found\. \d+ of \d+ rules need a longer recording: this one is 5 s\. \d+ more could not be judged: `detect` says why\.$/m,
    );
    expect(read.code).toBe(0);
    const moment = await run(['read', 'query', samplePath('query--h100-590-csv-load')]);
    expect(moment.out).toContain('need a longer recording: this text shows a moment.');
    expect(moment.code).toBe(0);
  });

  it('names no recording too short that was long enough', async () => {
    const head = '# gpu pwr gtemp sm mem mclk pclk pviol tviol\n# Idx W C % % MHz MHz % bool\n';
    const long = [head + '0 320 60 98 60 9501 1800 0 0\n'.repeat(900)];
    const { code, out } = await run(['detect', '-'], { stdin: long });
    expect(out).toMatch(/^Nothing found\. \d+ of \d+ rules could not be judged: see below\.$/m);
    expect(code).toBe(0);
  });

  it('tells when what was so in the middle began and ended', async () => {
    const head = '# gpu pwr gtemp sm mem mclk pclk pviol tviol\n# Idx W C % % MHz MHz % bool\n';
    const busy = '0 320 60 98 60 9501 1800 0 0\n';
    const held = '0 220 90 98 60 9501 1100 0 1\n';
    const starved = '0 120 50 30 20 9501 1800 0 0\n';
    const heat = [head + busy.repeat(120) + held.repeat(60) + busy.repeat(120)];
    const hot = await run(['detect', '-'], { stdin: heat });
    expect(hot.code).toBe(1);
    expect(hot.out).toContain('Nothing found at the end.');
    expect(hot.out).toMatch(
      /\(U23\)[^]*It was so from about 2 min 1\d s to about (?:2 min 5\d|3 min 1?\d) s of the recording/,
    );
    const dip = [head + busy.repeat(300) + starved.repeat(240) + busy.repeat(300)];
    const dipped = await run(['detect', '-', '--json'], { stdin: dip });
    expect(JSON.parse(dipped.out)).toMatchObject({
      findings: [],
      past: [{ detector: 'U24', sinceMs: expect.any(Number) as number }],
    });
    const still = await run(['detect', '-', '--json'], { stdin: [head + starved.repeat(240)] });
    expect(JSON.parse(still.out)).toMatchObject({ findings: [{ detector: 'U24' }], past: [] });
  });

  it('never calls a card fine that stopped reporting, and says when', async () => {
    const head = '# gpu pwr gtemp sm mem mclk pclk pviol tviol\n# Idx W C % % MHz MHz % bool\n';
    const row = (gpu: number) => `${gpu} 320 60 98 60 9501 1800 0 0\n`;
    const silent = (gpu: number) => `${gpu} - - - - - - - -\n`;
    const both = (row(0) + row(1)).repeat(120);
    const lost = [head + both + (row(0) + silent(1)).repeat(60)];
    const { code, out } = await run(['detect', '-'], { stdin: lost });
    expect(out).toContain('Nothing found in what was reported.');
    expect(out).toMatch(/GPU 1: from about 2 min of the recording to its end/);
    expect(code).toBe(1);
    const read = await run(['read', 'dmon', '-'], { stdin: lost });
    expect(read.out).toMatch(/GPU 1: from about 2 min of the recording to its end/);
    expect(read.code).toBe(1);
    for (const [middle, untilMs] of [
      [(row(0) + silent(1)).repeat(60), 180_000],
      // Its rows stay away altogether: that it is back is seen a cycle later.
      [row(0).repeat(60), 181_000],
    ] as const) {
      const back = await run(['detect', '-', '--json'], { stdin: [head + both + middle + both] });
      expect(JSON.parse(back.out)).toMatchObject({
        silent: [{ gpu: 1, sinceMs: 120_000, untilMs }],
      });
      expect(back.code).toBe(1);
    }
    const brief = [head + both + (row(0) + silent(1)).repeat(4) + both];
    const fine = await run(['detect', '-', '--json'], { stdin: brief });
    expect(JSON.parse(fine.out)).toMatchObject({ silent: [], findings: [], past: [] });
    expect(fine.code).toBe(0);
  });

  it('takes one look beside a stream for one look: it holds no clock by itself', async () => {
    const dmon = '# gpu sm pclk\n# Idx % MHz\n' + '0 98 1800\n'.repeat(200);
    const query = 'index, uuid, name, clocks_event_reasons.active\n0, GPU-1, NVIDIA A100, 0x40\n';
    const folder = await mkdtemp(join(tmpdir(), 'detect-'));
    try {
      await writeFile(join(folder, 'dmon'), dmon);
      await writeFile(join(folder, 'query'), query);
      const both = await run(['detect', join(folder, 'dmon'), join(folder, 'query'), '--json']);
      expect(JSON.parse(both.out)).toMatchObject({ findings: [], past: [] });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('claims nothing of a job where the text tells no memory', async () => {
    const idle = '# gpu sm\n# Idx %\n' + '0 0\n'.repeat(700);
    const { out } = await run(['detect', '-'], { stdin: [idle] });
    expect(out).not.toContain('a job holds GPU memory, and');
    expect(out).toMatch(/whether a job holds GPU memory is not known.*:\n.*\(idle\)/);
    expect(out).not.toMatch(/this card|the card does not|the card has not|the box does not/);
  });

  it('refuses what it cannot tell, and a missing file', async () => {
    const noise = await run(['detect', '-'], { stdin: ['hello\n'] });
    expect(noise).toMatchObject({ code: 2, out: '' });
    expect(noise.err).toContain('cannot be told');
    expect(await run(['detect', samplePath('dmon--hot-87c'), '/no/such/file'])).toMatchObject({
      code: 2,
    });
    expect(await run(['detect'])).toMatchObject({ code: 2 });
  });

  it('counts unreadable lines of a stream', async () => {
    const { code, out } = await run(['detect', '-'], {
      stdin: ['# gpu sm\n# Idx %\n 0 99\nnoise\n'],
    });
    expect(code).toBe(1);
    expect(out).toContain('Unreadable lines: 1');
  });
});
