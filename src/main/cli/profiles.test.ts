import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SHIPPED_IDS } from '../profiles/profiles.fixture.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { ROOT, run, type Ran } from './cli.fixture.ts';

/** With a config folder that holds this one profile, or none. */
const runWith = (own: string | null, ...argv: readonly string[]): Promise<Ran> =>
  runIn({ own, settings: null }, ...argv);

interface ConfigFolder {
  readonly own: string | null;
  readonly settings: string | null;
}

async function runIn({ own, settings }: ConfigFolder, ...argv: readonly string[]): Promise<Ran> {
  let ran: Ran | undefined;
  await withFolder(async (folder) => {
    if (settings !== null) writeFileSync(join(folder, 'settings.json'), settings);
    if (own !== null) {
      mkdirSync(join(folder, 'profiles'));
      writeFileSync(join(folder, 'profiles', 'own.yaml'), own);
    }
    ran = await run(['profiles', ...argv], { env: { LEASEHOLD_DATA_FOLDER: folder } });
  });
  return ran!;
}

afterEach(() => void vi.useRealTimers());

describe('profiles check', () => {
  it('is content while every fact is young, and not one day longer', async () => {
    const young = await runWith(null, 'check', '--now', '2026-11-30');
    expect(young).toMatchObject({ code: 0, err: '' });
    expect(young.out).toContain('none is old, which begins at 6 months');
    const old = await runWith(null, 'check', '--now', '2026-12-01');
    expect(old.code).toBe(1);
    expect(old.out).toMatch(/runpod +clock runpod\.stale-30d +2026-06 +6 months/);
    expect(old.out).not.toContain('generic-ssh ');
    expect(old.out).toMatch(/autodl +storage system disk .* its sources as a whole\n/);
  });

  it('takes another age', async () => {
    expect((await runWith(null, 'check', '--now', '2026-12-01', '--max-age', '12')).code).toBe(0);
    expect((await runWith(null, 'check', '--now', '2026-08-01', '--max-age', '2')).code).toBe(1);
    for (const months of ['0', '-1', '1.5', 'six']) {
      expect((await runWith(null, 'check', `--max-age=${months}`)).code).toBe(2);
    }
    expect((await runWith(null, 'check', '--now', 'soon')).code).toBe(2);
  });

  it('takes the age that the person has set in Leasehold, and says so when it cannot be read', async () => {
    const check = ['check', '--now', '2026-08-01'];
    expect((await runWith(null, ...check)).code).toBe(0);
    const strict = { own: null, settings: '{"facts":{"maxAgeMonths":2}}' };
    expect((await runIn(strict, ...check)).code).toBe(1);
    expect((await runIn(strict, ...check, '--max-age', '6')).code).toBe(0);
    vi.useFakeTimers({ now: Date.parse('2026-08-01'), toFake: ['Date'] });
    expect((await runIn(strict, 'show', 'runpod')).out).toContain('2026-06, 2 months ago, old');
    const broken = await runIn({ own: null, settings: '{' }, ...check);
    expect(broken.code).toBe(0);
    expect(broken.err).toContain('Your settings cannot be read; a fact of 6 months is old.');
  });

  it('says the same as JSON, and names facts from the future', async () => {
    const { code, out } = await runWith(null, 'check', '--json', '--now', '2026-01-01');
    const { old, profiles } = JSON.parse(out) as {
      old: { freshness: unknown }[];
      profiles: number;
    };
    expect(code).toBe(1);
    expect(profiles).toBe(SHIPPED_IDS.length);
    expect(old[0]?.freshness).toEqual({ kind: 'future' });
  });

  it('fails for a broken profile of the person’s own, with its line', async () => {
    const { code, out } = await runWith(
      'format: 1\nid: runpod\nnam: x\n',
      'check',
      '--now',
      '2026-07-01',
    );
    expect(code).toBe(1);
    expect(out).toContain('own.yaml:3 nam is not a field of a profile.');
  });
});

describe('profiles table', () => {
  it('prints a line of Markdown for each platform', async () => {
    const { code, out, err } = await runWith(null, 'table');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(SHIPPED_IDS.length + 2);
    expect(lines.every((line) => line.split(/(?<!\\)\|/).length === 13)).toBe(true);
    expect(lines.find((line) => line.startsWith('| autodl |'))).toContain(
      '| instance powered off: 15 days |',
    );
  });

  it('names the price of bytes out where a profile knows one', async () => {
    const own =
      'format: 1\nid: runpod\negress:\n  isFree: false\n  price: 0.09 USD/GB\n  verified: 2026-06\n';
    const { out } = await runWith(own, 'table');
    expect(out).toMatch(/\| runpod \|.*\| no, 0\.09 USD\/GB \|/);
  });

  it('never shows what is not known as an answer', async () => {
    const { out } = await runWith(null, 'table', '--json');
    const rows = JSON.parse(out) as Record<string, string>[];
    expect(rows.find(({ id }) => id === 'slurm')).toMatchObject({
      isIrreversible: 'not known',
      stopEndsStorageBilling: 'there is no stop',
      egress: 'not known',
    });
    expect(rows.every((row) => Object.values(row).every((cell) => cell !== ''))).toBe(true);
  });
});

describe('profiles show', () => {
  it('shows one platform, with what the person changed', async () => {
    const { code, out } = await runWith('format: 1\nid: runpod\nname: Ours\n', 'show', 'runpod');
    expect(code).toBe(0);
    expect(out).toContain('Ours (runpod)');
    expect(out).toMatch(
      /volume disk +\/workspace +yes +no +0\.10 USD\/GB-month +0\.20 USD\/GB-month/,
    );
  });

  it('refuses an id that it does not know, and names those that it does', async () => {
    const { code, err } = await runWith(null, 'show', 'nimbus');
    expect(code).toBe(2);
    expect(err).toContain('there is no profile "nimbus". Known: autodl,');
  });
});

describe('profiles verbs', () => {
  it('is what docs/verbs.md says', async () => {
    const { code, out } = await runWith(null, 'verbs');
    expect(code).toBe(0);
    expect(out).toBe(readFileSync(join(ROOT, 'docs', 'verbs.md'), 'utf8'));
  });

  it('says what goes, what stays to be paid for, what begins, and what is no end at all', async () => {
    const { out } = await runWith(null, 'verbs');
    expect(out).toMatch(/\| 关机 \(stop\) \(GS1, GS5\) \| system disk \| local SSD \(for 24 h\)/);
    expect(out).toMatch(/\| stop \(RP2, RP8, RP4\) .*about 30 days: Pod removed/);
    expect(out).toMatch(/\| destroy machine \(PS9\) .*static address: 0\.0045 USD\/hour/);
    expect(out).toContain('**No end: in-OS shutdown** (LAM3). Puts the instance in Alert');
  });
});
