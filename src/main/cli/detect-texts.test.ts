import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from './cli.fixture.ts';

interface Told {
  readonly findings: readonly { readonly detector: string; readonly headline: string }[];
  readonly unknown: readonly { readonly detector: string; readonly because: string }[];
}

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leasehold-detect-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function detect(text: string): Promise<Told & { readonly code: number }> {
  const file = join(folder, 'recorded.txt');
  await writeFile(file, text);
  const { code, out } = await run(['detect', file, '--json']);
  return { ...(JSON.parse(out) as Told), code };
}

const HEADER =
  '# gpu    pwr  gtemp  mtemp     sm    mem   mclk   pclk\n# Idx      W      C      C      %      %    MHz    MHz\n';
const WORKING = '    0    600     65      -     99     40   2619   1980\n';
const IDLE = '    0     60     35      -      0      0   2619    345\n';

describe('detect, on texts that say little', () => {
  it.each([
    [
      'a card that asks for its reset in the words of older drivers',
      'gpu_reset_status.reset_required, gpu_reset_status.drain_and_reset_recommended\nYes, No\n',
      'U22',
    ],
    ['an action that no rule knows', 'gpu_recovery_action\nReplace Module\n', 'U22'],
    [
      'errors in a part of the memory',
      'index, ecc.errors.uncorrected.volatile.dram, ecc.errors.uncorrected.volatile.sram\n0, 1, [N/A]\n',
      'ecc',
    ],
    [
      'what the kernel ended',
      '[Fri Nov 20 10:00:00 2026] Out of memory: Kill process 1200 (python) score 900 or sacrifice child\n[Fri Nov 20 10:00:01 2026] Killed process 1201 (python) total-vm:8000kB, anon-rss:7000kB, file-rss:0kB\n',
      'U9',
    ],
  ])('finds %s', async (_what, text, detector) => {
    const { code, findings } = await detect(text);
    expect(findings.map((each) => each.detector)).toEqual([detector]);
    expect(findings[0]?.headline).not.toContain('since the last check');
    expect(code).toBe(1);
  });

  it('finds nothing in parts of the memory without errors, and does not clear the others', async () => {
    const { findings, unknown } = await detect(
      'index, ecc.errors.uncorrected.volatile.dram, gpu_recovery_action\n0, 0, None\n',
    );
    expect(findings).toEqual([]);
    expect(unknown).toContainEqual(expect.objectContaining({ detector: 'ecc' }));
  });

  it('says of what time in its middle a rule could not judge, although it could at the end', async () => {
    const text = HEADER + WORKING.repeat(200) + IDLE.repeat(800) + WORKING.repeat(200);
    const { findings, unknown } = await detect(text);
    expect(findings).toEqual([]);
    const idle = unknown.find(({ detector }) => detector === 'idle');
    expect(idle?.because).toMatch(
      /^from about 3 min to about 17 min of the recording: whether a job/,
    );
  });

  it('claims of no text that something has not come yet, nor that it was asked for', async () => {
    for (const text of [HEADER + WORKING.repeat(5), 'index, utilization.gpu [%]\n0, 5 %\n']) {
      const { unknown } = await detect(text);
      const reasons = unknown.map(({ because }) => because).join('\n');
      expect(reasons).toContain('no kernel log was given');
      expect(reasons).not.toMatch(/\byet\b|asked for|nvidia-smi has not answered/);
    }
  });
});
