import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplePath } from '../../shared/probes/sample.fixture.ts';
import { ROOT, run } from './cli.fixture.ts';

const doc = readFileSync(join(ROOT, 'docs', 'cli.md'), 'utf8');

/** What stands under this heading, up to the next one. */
function section(heading: string): string {
  return doc.split(/^#{2,4} /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
}

/** The names in the first column of its table. */
function documented(heading: string): readonly string[] {
  return [...section(heading).matchAll(/^\| `(\w+)`/gm)].map((match) => match[1] ?? '');
}

async function printed(...argv: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const { out } = await run([...argv, '--json']);
  return JSON.parse(out) as Record<string, unknown>;
}

/** Scripts depend on these names (docs/cli.md). */
describe('the JSON of', () => {
  it.each([
    ['`read dmon --json`', ['read', 'dmon', samplePath('dmon--t4-uc-starved')]],
    ['`read query --json`', ['read', 'query', samplePath('query--h100-590-csv-load')]],
    ['`read query --json`', ['read', 'query', samplePath('query-form--h100-590-q-load')]],
    ['`read query --json`', ['read', 'query', samplePath('query-form--a100-535-q-x')]],
    ['`read query --json`', ['read', 'query', samplePath('query-form--h100-mig-590-table-load')]],
    ['`read query --json`', ['read', 'query', samplePath('query-form--rtx4080s-595-pmon-load')]],
    ['`read xid --json`', ['read', 'xid', samplePath('xid--79-with-aer')]],
    ['`read df --json`', ['read', 'df', samplePath('df--centos7')]],
    ['`read cgroup --json`', ['read', 'cgroup', samplePath('cgroup--v2-memory.events')]],
    ['`detect --json`', ['detect', samplePath('dmon--t4-uc-starved')]],
  ])('%s holds what the documentation says, and nothing else', async (heading, argv) => {
    const names = Object.keys(await printed(...argv));
    expect([...names].sort()).toEqual([...documented(heading)].sort());
  });

  it('a finding holds what the documentation says', async () => {
    const wanted = documented('A finding');
    const { findings } = await printed('read', 'xid', samplePath('xid--79-with-aer'));
    expect(Object.keys((findings as object[])[0] ?? {}).sort()).toEqual([...wanted].sort());
    const killed = await printed('read', 'cgroup', samplePath('oom-kill--oom-kernel-lines'));
    expect(Object.keys((killed['findings'] as object[])[0] ?? {}).sort()).toEqual(
      wanted.slice(0, 7).sort(),
    );
  });

  it('parts of it hold what the documentation says', async () => {
    const mig = await printed('read', 'query', samplePath('query-form--h100-mig-590-table-load'));
    const dmon = await printed('read', 'dmon', samplePath('dmon--t4-uc-starved'));
    for (const [parts, heading] of [
      [mig['gpus'], '`read query --json`'],
      [mig['instances'], '`read query --json`'],
      [mig['processes'], '`read query --json`'],
      [dmon['gpus'], '`read dmon --json`'],
    ] as const) {
      for (const name of Object.keys((parts as object[])[0] ?? {})) {
        expect(section(heading)).toContain(`\`${name}\``);
      }
    }
  });
});
