import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFolder } from '../storage/disk.fixture.ts';
import { run, type Ran } from './cli.fixture.ts';

const OWN = `format: 1
entries:
  - id: MY-1
    title: Our scratch is swept on Sundays
    theme: disk
    severity: warn
    symptom: Monday's run finds no data.
    cause: A cron job.
    fix: [Keep data elsewhere]
    signs: [scratch was swept]
    source: own experience
`;

/** With a config folder that holds this file of entries, or none. */
async function runWith(
  own: string | null,
  argv: readonly string[],
  stdin: readonly string[] = [],
): Promise<Ran> {
  let ran: Ran | undefined;
  await withFolder(async (folder) => {
    if (own !== null) {
      mkdirSync(join(folder, 'gotchas'));
      writeFileSync(join(folder, 'gotchas', 'own.yaml'), own);
    }
    ran = await run(['gotchas', ...argv], { env: { LEASEHOLD_DATA_FOLDER: folder }, stdin });
  });
  return ran!;
}

describe('gotchas list', () => {
  it('lists all of them, or those of one kind', async () => {
    const all = await runWith(null, ['list']);
    expect(all).toMatchObject({ code: 0, err: '' });
    expect(all.out).toContain('168 gotchas');
    const some = await runWith(null, ['list', '--json', '--scope=slurm', '--severity=critical']);
    const ids = (JSON.parse(some.out) as { id: string }[]).map(({ id }) => id);
    expect(ids).toEqual(['SLURM1', 'SLURM2', 'SLURM4', 'SLURM5']);
    const none = await runWith(null, ['list', '--scope=slurm', '--role=teardown']);
    expect(none).toMatchObject({ code: 1, out: 'No entry is of this kind.\n' });
    expect((await runWith(null, ['list', '--role=x'])).code).toBe(2);
  });

  it('fails for a broken file of the person’s own, and lists the rest', async () => {
    const { code, out, err } = await runWith(OWN.replace('theme', 'thema'), ['list']);
    expect(code).toBe(1);
    expect(out).toContain('168 gotchas');
    expect(err).toMatch(/own\.yaml:5 entries\.0\.thema is not a field of a gotcha\./);
  });
});

describe('gotchas show', () => {
  it('shows one whole, whatever the case of its id', async () => {
    const { code, out } = await runWith(null, ['show', 'rp8']);
    expect(code).toBe(0);
    for (const part of ['RP8  Low balance', 'Symptom: ', '1. ', 'What Leasehold does', '2026-06']) {
      expect(out).toContain(part);
    }
    expect(await runWith(OWN, ['show', 'MY-1'])).toMatchObject({ code: 0 });
    expect((await runWith(null, ['show', 'U99'])).code).toBe(2);
  });
});

describe('gotchas search', () => {
  it('ranks what fits a log on the standard input, and says because of which line', async () => {
    const log = ['epoch 1\n', 'NVRM: Xid (PCI:0000:41:00): 79, GPU has fallen ', 'off the bus\n'];
    const { code, out } = await runWith(null, ['search', '-', '--json', '--limit', '1'], log);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      isLog: true,
      hits: [{ id: 'U22', reason: { kind: 'sign', line: log.slice(1).join('').trim() } }],
    });
  });

  it('finds words, an entry of the person’s own, and says when nothing fits', async () => {
    expect((await runWith(null, ['search', 'gpu', 'throttling'])).out).toMatch(/U23/);
    expect((await runWith(OWN, ['search', 'the', 'scratch', 'was', 'swept'])).out).toMatch(
      /^MY-1/m,
    );
    const none = await runWith(null, ['search', 'qqqqzzzz']);
    expect(none).toMatchObject({ code: 1, out: 'Nothing in the catalog fits.\n' });
    expect((await runWith(null, ['search', 'x', '--limit', '0'])).code).toBe(2);
  });

  it('lets no control character of a log through to the terminal', async () => {
    const { out } = await runWith(
      null,
      ['search', '-'],
      ['a\nCUDA out of memory \u009b31m\u202e\n'],
    );
    expect(out).toContain('U10');
    expect(out).not.toMatch(/[\u009b\u202e]/);
  });
});

describe('gotchas draft, keep and export', () => {
  it('lead from a log to an entry of one’s own, which every other command marks', async () => {
    await withFolder(async (folder) => {
      const env = { LEASEHOLD_DATA_FOLDER: folder };
      const leasehold = (argv: readonly string[], stdin: readonly string[] = []): Promise<Ran> =>
        run(['gotchas', ...argv], { env, stdin });
      const log = 'epoch 1\nLeaseError: lease 7 of token=hunter22 was lost\n';
      const drafted = await leasehold(['draft', '-', '--saw', 'The worker hung'], [log]);
      expect(drafted).toMatchObject({ code: 0, err: '' });
      expect(drafted.out).toContain('The worker hung. The log says: LeaseError: lease 7');
      expect(drafted.out).not.toContain('hunter22');
      const open = await leasehold(['keep', '-', '--yes'], [drafted.out]);
      expect(open.code).toBe(1);
      expect(open.err).toContain('answers.rootCaused cannot be used');
      const answered = drafted.out
        .replace(/^ {4}cause:.*$/m, '    cause: The broker restarts.')
        .replace(/^ {4}fix:.*$/m, '    fix: [Start the worker again]')
        .replace(/^( {6}(?:rootCaused|reproduced|general):).*$/gm, '$1 yes');
      const shown = await leasehold(['keep', '-'], [answered]);
      expect(shown).toMatchObject({ code: 0, err: '' });
      expect(shown.out).toContain('Nothing is written yet.');
      expect(existsSync(join(folder, 'gotchas'))).toBe(false);
      const kept = await leasehold(['keep', '-', '--yes'], [answered]);
      expect(kept.out).toContain(`OWN1 is kept in ${join(folder, 'gotchas', 'OWN1.yaml')}`);
      expect((await leasehold(['list', '--own'])).out).toMatch(/^OWN1 .*\(yours\)$/m);
      expect((await leasehold(['show', 'own1'])).out).toContain('From your own experience.');
      const found = await leasehold(['search', '-'], ['x\nLeaseError: lease 9 of q was lost\n']);
      expect(found.out).toMatch(/OWN1 +The worker hung \(yours\)/);
      const exported = await leasehold(['export', 'OWN1']);
      expect(exported.out).toContain('## Cause');
      expect((await leasehold(['export', 'OWN1', '--yaml'])).out).toMatch(/^format: 1/);
      expect((await leasehold(['export', 'OWN2'])).code).toBe(1);
      const checked = await leasehold(['check']);
      expect(checked).toMatchObject({ code: 0 });
      expect(checked.out).toContain('Own entries that can be used: 1.');
    });
  });

  it('refuse what is no draft, with its line', async () => {
    const none = await runWith(null, ['keep', '-'], ['format: 1\nentries: []\n']);
    expect(none).toMatchObject({ code: 1, out: '' });
    expect(none.err).toContain('standard input:2 holds not exactly one entry');
    const wrong = await runWith(null, ['keep', '-'], [OWN.replace('theme: disk', 'theme: x')]);
    expect(wrong.err).toContain('standard input:5 theme cannot be used');
    expect((await runWith(null, ['draft', '-'], [' \n'])).code).toBe(2);
    expect((await runWith(null, ['draft', '/no/such/file'])).code).toBe(2);
  });
});

describe('gotchas check', () => {
  it('fails for a file of the person’s own that cannot be used, and a link that leads nowhere', async () => {
    const lost = await runWith(`${OWN}    related: [U99]\n`, ['check']);
    expect(lost.code).toBe(1);
    expect(lost.out).toContain('MY-1 names U99, which is not there');
    const broken = await runWith(OWN.replace('theme', 'thema'), ['check']);
    expect(broken.code).toBe(1);
    expect(broken.out).toContain('thema is not a field');
  });

  it('proves every mark, prints the totals, and is strict only when asked', async () => {
    const { code, out } = await runWith(OWN, ['check']);
    expect(code).toBe(0);
    expect(out).toMatch(/^all +168 +\d+ +\d+ +\d+ +\d+$/m);
    expect(out).toContain('Every mark is proven.');
    expect((await runWith(null, ['check', '--strict'])).code).toBe(1);
  });

  it('fails where entries are missing, and refuses where the sources are', async () => {
    await withFolder(async (root) => {
      expect((await run(['gotchas', 'check'], { root })).code).toBe(2);
      mkdirSync(join(root, 'src', 'main'), { recursive: true });
      const { code, out } = await run(['gotchas', 'check', '--json'], { root });
      const { faults, unreadable } = JSON.parse(out) as { faults: unknown[]; unreadable: string[] };
      expect({ code, faults: faults.length }).toEqual({ code: 1, faults: 168 });
      expect(unreadable[0]).toContain('cannot be read (ENOENT)');
    });
  });
});

describe('gotchas coverage', () => {
  it('prints the page, or writes it into the clone', async () => {
    await withFolder(async (root) => {
      mkdirSync(join(root, 'src', 'main'), { recursive: true });
      mkdirSync(join(root, 'docs'));
      const written = await run(['gotchas', 'coverage', '--write'], { root });
      expect(written).toMatchObject({ code: 1, out: '' }); // this clone has no entries
    });
    const { code, out } = await run(['gotchas', 'coverage']);
    expect(code).toBe(0);
    expect(out).toContain('| U23 | Thermal or power throttling');
  });
});

describe('triage', () => {
  it('says what a log looks like and what to do; only a good end is fine', async () => {
    const oom = await run(['triage', '-'], {
      stdin: ['x\nRuntimeError: CUDA out of memory\u202e\n'],
    });
    expect(oom.code).toBe(1);
    expect(oom.out).toContain('This looks like: CUDA out of memory.');
    expect(oom.out).toContain('More: gotchas show U10');
    expect(oom.out).not.toContain('\u202e');
    expect((await run(['triage', '-'], { stdin: ['rc=0\n'] })).code).toBe(0);
    const stopped = await run(['triage', '-', '--json'], { stdin: ['epoch 3\n'] });
    expect(JSON.parse(stopped.out)).toMatchObject({ kind: 'unknown' });
    expect(stopped.code).toBe(1);
    expect((await run(['triage', '/no/such/file'])).code).toBe(2);
  });
});
