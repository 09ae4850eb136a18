import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFolder } from '../storage/disk.fixture.ts';
import type { Profiles } from '../../shared/profiles/loaded.ts';
import { loadProfiles } from './load-profiles.ts';
import { SHIPPED, SHIPPED_IDS, shippedProfile } from './profiles.fixture.ts';

/** The shipped profiles with these files of the person's own. */
async function withOwn(
  files: Readonly<Record<string, string | Uint8Array>>,
  check: (profiles: Profiles, folder: string) => void,
): Promise<void> {
  await withFolder(async (folder) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    check(await loadProfiles({ shipped: SHIPPED, own: folder }), folder);
  });
}

const of = ({ all }: Profiles, id: string) => all.find(({ profile }) => profile.id === id);
const runpodText = readFileSync(`${SHIPPED}runpod.yaml`, 'utf8');

describe('loadProfiles', () => {
  it('finds every shipped one where there is no folder of own ones', () =>
    withFolder(async (folder) => {
      const own = join(folder, 'absent');
      const { all, faults } = await loadProfiles({ shipped: SHIPPED, own });
      expect(faults).toEqual([]);
      expect(all.map(({ profile }) => profile.id)).toEqual(SHIPPED_IDS);
      expect(all.every(({ origin }) => origin === 'shipped')).toBe(true);
    }));

  it('says so when the shipped ones are not there', () =>
    withFolder(async (folder) => {
      const profiles = await loadProfiles({ shipped: join(folder, 'absent'), own: folder });
      expect(profiles).toMatchObject({ all: [], faults: [{ message: 'cannot be read (ENOENT)' }] });
    }));

  it('reads a whole one that is older than what is watched, and refuses a place that cannot be compared', () => {
    const own = runpodText.replace('id: runpod', 'id: ours');
    const old = own.replace(/^watched:[^]*?(?=^actions:)/m, '');
    const vague = own.replace('path: /workspace\n    for', 'path: /scratch/$USER\n    for');
    return withOwn({ 'ours.yaml': old }, (profiles) => {
      expect(profiles.faults).toEqual([]);
      expect(of(profiles, 'ours')?.profile).toMatchObject({ watched: [], looks: [] });
    }).then(() =>
      withOwn({ 'ours.yaml': vague }, ({ faults }) => {
        expect(faults).toMatchObject([{ line: vague.split('\n').indexOf('watched:') + 2 }]);
      }),
    );
  });

  it('lets the person’s fields win, one by one', () =>
    withOwn(
      {
        'mine.yaml': `format: 1
id: runpod
name: RunPod, ours
storage:
  - name: volume disk
    rates: { stopped: 0.30 USD/GB-month }
    verified: 2026-10
prices:
  - what: our H100
    price: 2.10 USD/hour
    note: null
    verified: 2026-10
    source: our contract
`,
      },
      (profiles) => {
        expect(profiles.faults).toEqual([]);
        const found = of(profiles, 'runpod');
        const shipped = shippedProfile('runpod');
        expect(found?.origin).toBe('overridden');
        expect(found?.profile).toEqual({
          ...shipped,
          name: 'RunPod, ours',
          storage: shipped.storage.map((tier) =>
            tier.name === 'volume disk'
              ? {
                  ...tier,
                  rates: {
                    ...tier.rates,
                    stopped: { micros: 300_000, currency: 'USD', per: 'GB-month' },
                  },
                  verified: '2026-10',
                  source: 'your own profile',
                }
              : tier,
          ),
          prices: [
            ...shipped.prices,
            {
              what: 'our H100',
              price: { micros: 2_100_000, currency: 'USD', per: 'hour' },
              note: null,
              verified: '2026-10',
              source: 'our contract',
            },
          ],
        });
      },
    ));

  it('lists each field that the person has changed, with its line and what ships there', () =>
    withOwn(
      {
        'mine.yaml':
          'format: 1\nid: runpod\nname: Ours\nstorage:\n  - name: volume disk\n    rates: { stopped: 0.30 USD/GB-month }\n    verified: 2026-10\nconveniences: [a, b]\nprices:\n  - what: our H100\n    price: 2.10 USD/hour\n    note: null\n    verified: 2026-10\n    source: our contract\n',
      },
      (profiles, folder) => {
        const found = of(profiles, 'runpod');
        expect(found?.file).toBe(join(folder, 'mine.yaml'));
        expect(found?.changes.map(({ field, line, was, now }) => [field, line, was, now])).toEqual([
          ['name', 3, 'RunPod Pods', 'Ours'],
          ['storage › volume disk › rates › stopped', 6, '0.20 USD/GB-month', '0.30 USD/GB-month'],
          ['storage › volume disk › verified', 7, '2026-06', '2026-10'],
          ['conveniences', 8, expect.stringContaining('HTTPS proxy URL'), '["a","b"]'],
          ['prices › our H100', 10, null, expect.stringContaining('2.10 USD/hour')],
        ]);
      },
    ));

  it('takes a complete profile of a platform that does not ship', () =>
    withOwn({ 'ours.yml': runpodText.replace('id: runpod', 'id: ours') }, (profiles) => {
      expect(profiles.faults).toEqual([]);
      expect(of(profiles, 'ours')?.origin).toBe('own');
      expect(profiles.all).toHaveLength(SHIPPED_IDS.length + 1);
    }));

  const bomb = `format: 1\nid: runpod\na: &a [1,1,1,1,1,1,1,1,1]\n${'bcdefghij'
    .split('')
    .map((name, index) => `${name}: &${name} [${`*${'abcdefghij'[index] ?? ''},`.repeat(9)}]`)
    .join('\n')}\n`;

  it.each<[what: string, text: string | Uint8Array, line: number, message: string, fix: string]>([
    [
      'a newer format',
      'id: runpod\nformat: 2\n',
      2,
      'newer Leasehold (format 2',
      'Update Leasehold',
    ],
    ['no format', 'id: runpod\n', 1, 'does not say its format', 'Add "format: 1"'],
    ['no platform', 'format: 1\n', 1, 'which platform', 'Add "id'],
    [
      'an unknown field',
      'format: 1\nid: runpod\nbilling:\n  stopverb: x\n  verified: 2026-10\n',
      4,
      'billing.stopverb is not a field',
      'spelling',
    ],
    [
      'a wrong price',
      'format: 1\nid: runpod\nstorage:\n  - name: volume disk\n    verified: 2026-10\n    rates:\n      stopped: 0.2\n',
      7,
      'storage.1.rates.stopped',
      '',
    ],
    [
      'a negative price',
      'format: 1\nid: runpod\nprices:\n  - what: x\n    price: -1 USD/hour\n    note: null\n    verified: 2026-10\n    source: x\n',
      5,
      'cannot be used',
      'Write a price as',
    ],
    [
      'an unknown currency',
      'format: 1\nid: runpod\nprices:\n  - what: x\n    price: 1 RMB/hour\n    note: null\n    verified: 2026-10\n    source: x\n',
      5,
      'cannot be used',
      'ISO code',
    ],
    [
      'a changed fact without a month',
      'format: 1\nid: runpod\nclocks:\n  - id: runpod.stale-30d\n    after: 60 days\n',
      4,
      'without saying when it was verified',
      'verified: YYYY-MM',
    ],
    [
      'a platform fact that claims to be general',
      'format: 1\nid: runpod\nbilling: { stopVerb: stop, verified: null }\n',
      3,
      'cannot be used',
      'Say when this was verified',
    ],
    [
      'a clock that loses a tier that is none',
      'format: 1\nid: runpod\nclocks:\n  - id: runpod.spot\n    loses: [my disk]\n    verified: 2026-10\n',
      5,
      'cannot be used',
      'Name a tier',
    ],
    [
      'an incomplete profile of its own',
      'format: 1\nid: ours\nname: Ours\n',
      1,
      'is missing',
      'null says that it is not known',
    ],
    [
      'an alias',
      'format: 1\nid: &id runpod\nname: *id\n',
      2,
      'anchor, an alias or a tag',
      'Write the value out',
    ],
    ['a bomb of aliases', bomb, 3, 'anchor, an alias or a tag', 'Write the value out'],
    [
      'a tag',
      'format: 1\nid: runpod\nname: !!binary aGk=\n',
      3,
      'anchor, an alias or a tag',
      'Write',
    ],
    [
      'a key twice',
      'format: 1\nid: runpod\nname: a\nname: b\n',
      4,
      'not plain YAML',
      'Mend this line',
    ],
    ['broken YAML', 'format: 1\nid: runpod\nname: "a\n', 3, 'not plain YAML', 'Mend this line'],
    ['a list', '- format: 1\n', 1, 'holds no fields', 'Begin with'],
    ['nothing', '', 1, 'holds no fields', 'Begin with'],
    [
      'depth',
      `format: 1\nid: ${'['.repeat(100_000)}\n`,
      2,
      'nested too deeply',
      'docs/profiles.md',
    ],
    [
      'closed depth',
      `format: 1\nid: ${'['.repeat(50_000)}${']'.repeat(50_000)}\n`,
      2,
      'nested too deeply',
      'docs/profiles.md',
    ],
    [
      'length',
      `format: 1\nid: runpod\n#${'x'.repeat(256 * 1024)}\n`,
      1,
      'longer than 256 KiB',
      'Keep only',
    ],
    ['what is not text', new Uint8Array([0xff, 0xfe, 0x00]), 1, 'not UTF-8', 'UTF-8'],
  ])('uses the shipped one and says where and how to mend %s', (_what, text, line, message, fix) =>
    withOwn({ 'runpod.yaml': text }, (profiles, folder) => {
      const [fault] = profiles.faults;
      expect(fault).toMatchObject({ file: join(folder, 'runpod.yaml'), line });
      expect(fault?.message).toContain(message);
      expect(fault?.fix).toContain(fix);
      expect(fault?.fix).not.toBe('');
      expect(of(profiles, 'runpod')).toEqual({
        profile: shippedProfile('runpod'),
        origin: 'shipped',
        file: null,
        changes: [],
      });
      expect(profiles.all).toHaveLength(SHIPPED_IDS.length);
    }),
  );

  it('names the second file for a platform instead of choosing silently', () =>
    withOwn(
      {
        'a.yaml': 'format: 1\nid: runpod\nname: First\n',
        'b.yaml': 'format: 1\nid: runpod\nname: Second\n',
      },
      (profiles) => {
        expect(of(profiles, 'runpod')?.profile.name).toBe('First');
        expect(profiles.faults).toMatchObject([
          { line: 2, message: 'is a second file for "runpod"' },
        ]);
      },
    ));

  it('does not wait for a pipe and does not read a folder', () =>
    withFolder(async (folder) => {
      execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
      mkdirSync(join(folder, 'folder.yaml'));
      const { all, faults } = await loadProfiles({ shipped: SHIPPED, own: folder });
      expect(faults.map(({ message }) => message)).toEqual([
        'is not a plain file',
        'is not a plain file',
      ]);
      expect(all).toHaveLength(SHIPPED_IDS.length);
    }));
});
