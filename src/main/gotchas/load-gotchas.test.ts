import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Gotchas } from '../../shared/gotchas/gotcha.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { checkGotchas } from './check-gotchas.ts';
import { SHIPPED_GOTCHAS, shippedGotchas } from './gotchas.fixture.ts';
import { KNOWN_IDS } from './known-ids.ts';
import { loadGotchas } from './load-gotchas.ts';

/** The shipped catalog with these files of the person's own. */
async function withOwn(
  files: Readonly<Record<string, string | Uint8Array>>,
  check: (gotchas: Gotchas, folder: string) => void,
): Promise<void> {
  await withFolder(async (folder) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    check(await loadGotchas({ shipped: SHIPPED_GOTCHAS, own: folder }), folder);
  });
}

const entry = (lines: string): string =>
  `format: 1
entries:
  - id: MY-1
    title: Ours
    theme: disk
    severity: warn
    symptom: The scratch mount is gone.
    cause: It is cleaned every Sunday.
    fix: [Keep results elsewhere]
    source: own experience
${lines}`;

const of = ({ all }: Gotchas, id: string) => all.find(({ gotcha }) => gotcha.id === id);

describe('the shipped catalog', () => {
  it('has every id once, links that lead somewhere, and a month for what is not true anywhere', () => {
    const gotchas = shippedGotchas();
    const ids = gotchas.map(({ id }) => id);
    expect([...ids].sort()).toEqual([...KNOWN_IDS].sort());
    expect(KNOWN_IDS).toHaveLength(168);
    for (const { id, related, verified, source, scope } of gotchas) {
      expect({ id, lost: related.filter((each) => !ids.includes(each)) }).toEqual({ id, lost: [] });
      const isGeneral = ['universal', 'generic-ssh', 'multinode'].includes(scope);
      expect({ id, isGeneral: verified === null }).toEqual({ id, isGeneral });
      expect(source === 'general').toBe(isGeneral);
    }
  });
});

describe('loadGotchas', () => {
  it('reads them in the order of their ids where there is no folder of own ones', () =>
    withFolder(async (folder) => {
      const own = join(folder, 'absent');
      const { all, faults } = await loadGotchas({ shipped: SHIPPED_GOTCHAS, own });
      expect(faults).toEqual([]);
      const ids = all.map(({ gotcha }) => gotcha.id);
      expect(ids.slice(0, 3)).toEqual(['AD-DANGER', 'AD1', 'AD2']);
      expect(ids.slice(-3)).toEqual(['VAST13', 'VAST14', 'VAST15']);
      expect(ids.indexOf('U10')).toBe(ids.indexOf('U9') + 1);
    }));

  it('says so when the shipped ones are not there', () =>
    withFolder(async (folder) => {
      const gotchas = await loadGotchas({ shipped: join(folder, 'absent'), own: folder });
      expect(gotchas).toMatchObject({ all: [], faults: [{ message: 'cannot be read (ENOENT)' }] });
    }));

  it('adds an entry of the person’s own, with what it may leave out', () =>
    withOwn({ 'mine.yaml': entry('    signs: [scratch is gone]\n') }, (gotchas) => {
      expect(gotchas.faults).toEqual([]);
      expect(of(gotchas, 'MY-1')).toMatchObject({
        origin: 'own',
        gotcha: { scope: 'universal', role: 'advice', related: [], coverage: null },
      });
    }));

  it('lets it win over the shipped one; what is done about that stays Leasehold’s to say', () =>
    withOwn(
      {
        'mine.yaml': entry('    coverage: { done: [], shown: [], planned: [] }\n').replace(
          'MY-1',
          'U23',
        ),
      },
      (gotchas) => {
        const shipped = shippedGotchas().find(({ id }) => id === 'U23');
        const found = of(gotchas, 'U23');
        expect(found).toMatchObject({ origin: 'replaced', gotcha: { title: 'Ours' } });
        expect(found?.gotcha.coverage).toEqual(shipped?.coverage);
        expect(gotchas.all).toHaveLength(KNOWN_IDS.length);
      },
    ));

  it('reads what an earlier Leasehold called otherwise, which no shipped entry does', () => {
    const old = [
      '    evidence: [{ probe: df -h, means: the disk is full }]',
      '    alert: { short: gone, says: {}, look: [df -h] }',
      '',
    ].join('\n');
    expect(checkGotchas('own.yaml', entry(old))).toMatchObject({
      value: {
        entries: [
          {
            probes: [{ probe: 'df -h', means: 'the disk is full' }],
            alert: { commands: ['df -h'] },
          },
        ],
      },
    });
    const both = checkGotchas('own.yaml', entry(`${old}    probes: []\n`));
    expect(both).toMatchObject({
      error: [{ line: 11, message: expect.stringContaining('evidence') }],
    });
    for (const file of readdirSync(SHIPPED_GOTCHAS)) {
      const text = readFileSync(join(SHIPPED_GOTCHAS, file), 'utf8');
      expect(text).not.toMatch(/^ {4}evidence:|^ {6}look:/m);
    }
  });

  it.each<[what: string, text: string | Uint8Array, line: number, message: string, fix: string]>([
    ['a newer format', 'format: 2\nentries: []\n', 1, 'newer Leasehold (format 2', 'Update'],
    ['no format', 'entries: []\n', 1, 'format is missing', 'Add it'],
    ['an unknown field', entry('    sympton: x\n'), 11, 'sympton is not a field', 'handbook.md'],
    ['a wrong id', entry('').replace('MY-1', 'my one'), 3, 'entries.0.id', 'in capitals'],
    ['no steps', entry('').replace('[Keep results elsewhere]', '[]'), 9, 'fix', 'one step'],
    ['a wrong month', entry('    verified: June\n'), 11, 'verified', 'YYYY-MM'],
    [
      'a platform’s fact without a month',
      entry('').replace('own experience', 'their docs'),
      3,
      'entries.0.verified',
      '',
    ],
    ['a sign that fits anything', entry("    signs: ['a']\n"), 11, 'signs.0', 'four characters'],
    [
      'a command with a line end, which would run it',
      entry('    alert: { short: gone, says: {}, commands: ["df -h\\nreboot"] }\n'),
      11,
      'alert.commands.0',
      'one line',
    ],
    ['an alias', entry('    doubt: &a x\n    duty: *a\n'), 11, 'anchor, an alias', 'Write the'],
    ['broken YAML', 'format: 1\nentries: "a\n', 2, 'not plain YAML', 'Mend this line'],
    [
      'two documents',
      'format: 1\n---\nformat: 1\n',
      2,
      'more than one document',
      'before this line',
    ],
    ['a list', '- format: 1\n', 1, 'holds no fields', 'Begin with'],
    ['depth', `format: 1\nentries: ${'['.repeat(100_000)}\n`, 2, 'too deeply', 'handbook.md'],
    [
      'lists in lists',
      `format: 1\nentries:\n${'- '.repeat(300)}\n`,
      3,
      'too deeply',
      'handbook.md',
    ],
    ['length', `format: 1\n#${'x'.repeat(256 * 1024)}\n`, 1, '256 KiB', 'several files'],
    ['what is not text', new Uint8Array([0xff, 0xfe, 0x00]), 1, 'not UTF-8', 'UTF-8'],
  ])('says where and how to mend %s, and keeps the rest', (_what, text, line, message, fix) =>
    withOwn({ 'mine.yaml': text }, (gotchas, folder) => {
      const [fault] = gotchas.faults;
      expect(fault).toMatchObject({ file: join(folder, 'mine.yaml'), line });
      expect(fault?.message).toContain(message);
      expect(fault?.fix).toContain(fix);
      expect(fault?.fix).not.toBe('');
      expect(gotchas.all).toHaveLength(KNOWN_IDS.length);
    }),
  );

  it('names a second entry of one id instead of choosing silently', () =>
    withOwn({ 'a.yaml': entry(''), 'b.yaml': entry('').replace('Ours', 'Other') }, (gotchas) => {
      expect(of(gotchas, 'MY-1')?.gotcha.title).toBe('Ours');
      expect(gotchas.faults).toMatchObject([{ line: 3 }]);
      expect(gotchas.faults[0]?.message).toContain('second entry "MY-1"');
    }));

  it('does not wait for a pipe and does not read a folder', () =>
    withFolder(async (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
      mkdirSync(join(folder, 'folder.yaml'));
      const { faults } = await loadGotchas({ shipped: SHIPPED_GOTCHAS, own: folder });
      expect(faults.map(({ message }) => message)).toEqual([
        'is not a plain file',
        'is not a plain file',
      ]);
    }));
});
