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
    readonly findings: readonly { readonly detector: string }[];
    readonly unknown: readonly { readonly detector: string }[];
  };
  return { code: json.code, out: people.out, report };
}

describe('detect', () => {
  it.each([
    ['dmon--t4-uc-starved', ['U24']],
    ['xid--79-with-aer', ['U22']],
    ['query--error-gpu-lost', ['U22']],
    ['query--error-lib-mismatch', ['driver']],
  ])('finds in %s what is there', async (name, wanted) => {
    const { code, out, report } = await detect(name);
    expect(report.findings.map(({ detector }) => detector)).toEqual(wanted);
    expect(code).toBe(1);
    expect(out).toContain(`${wanted[0] ?? ''} (`);
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
