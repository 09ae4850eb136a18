import { describe, expect, it } from 'vitest';
import { DF_COMMANDS, parseDf, type DfComplaint, type MountUsage } from './df.ts';
import { damaged, noise, randomText, sample, sampleNames } from './sample.fixture.ts';

interface Expected {
  readonly rows?: readonly Partial<MountUsage>[];
  readonly rowCount?: number;
  readonly selected?: Readonly<Record<string, Partial<MountUsage>>>;
  readonly complaints: readonly DfComplaint[];
  readonly unreadable: readonly string[];
}

/** What a row does not mention is unknown. */
const NOTHING = {
  type: null,
  totalKiB: null,
  usedKiB: null,
  freeKiB: null,
  usedPct: null,
  inodesTotal: null,
  inodesUsed: null,
  inodesFree: null,
  inodesUsedPct: null,
  isRounded: false,
};
const BLOCKS = 'Filesystem 1024-blocks Used Available Capacity Mounted on\n';
const INODES = 'Filesystem Inodes IUsed IFree IUse% Mounted on\n';

describe('recorded answers', () => {
  it.each(sampleNames('df'))('reads %s', (name) => {
    const { text, expected } = sample<Expected>(name);
    const { rows, complaints, unreadable } = parseDf(text);
    if (expected.rows !== undefined) {
      expect(rows).toEqual(expected.rows.map((row) => ({ ...NOTHING, ...row })));
    } else {
      expect(rows).toHaveLength(expected.rowCount ?? NaN);
    }
    for (const [index, row] of Object.entries(expected.selected ?? {})) {
      expect(rows[Number(index)]).toEqual({ ...NOTHING, ...row });
    }
    expect(complaints).toEqual(expected.complaints);
    expect(unreadable).toEqual(expected.unreadable);
  });

  it.each(sampleNames('df'))('reads %s the same with Windows line ends', (name) => {
    const { text } = sample<Expected>(name);
    expect(parseDf(text.replaceAll('\n', '\r\n'))).toEqual(parseDf(text));
  });

  // Two recordings are rows without their header: nothing in them tells blocks from inodes.
  it('reads the rows that were kept without a header once they have one', () => {
    const typed = 'Filesystem Type Size Used Avail Use% Mounted on\n';
    expect(parseDf(typed + sample('df--mount-point-with-blanks').text).rows).toEqual([
      {
        ...NOTHING,
        device: '/dev/sr0',
        type: 'iso9660',
        mount: '/run/media/xxxxxxx/CentOS 7 x86_64',
        totalKiB: Math.round(4.4 * 1024 ** 2),
        usedKiB: Math.round(4.4 * 1024 ** 2),
        freeKiB: 0,
        usedPct: 100,
        isRounded: true,
      },
    ]);
    const plain = 'Filesystem Size Used Avail Use% Mounted on\n';
    expect(parseDf(plain + sample('df--centos-root-full-h').text).rows).toMatchObject([
      { mount: '/', totalKiB: 17 * 1024 ** 2, freeKiB: 56, usedPct: 100, isRounded: true },
      { mount: '/boot', totalKiB: 1014 * 1024, freeKiB: 879 * 1024, usedPct: 14 },
    ]);
  });
});

describe('headers', () => {
  it('asks for untranslated, unwrapped output', () => {
    for (const command of DF_COMMANDS) expect(command).toMatch(/^LC_ALL=C df -P/);
  });

  it.each([
    ['1K-blocks', 8],
    ['512-blocks', 4],
    ['1M-blocks', 8192],
    ['1G-blocks', 8 * 1024 ** 2],
  ])('counts in %s', (title, totalKiB) => {
    const { rows } = parseDf(
      `Filesystem ${title} Used Available Use% Mounted on\n/dev/a 8 8 0 100% /\n`,
    );
    expect(rows).toMatchObject([{ totalKiB, isRounded: false }]);
  });

  it.each([
    ['in another language', 'Dateisystem 1K-Blöcke Benutzt Verfügbar Verw% Eingehängt auf'],
    ['in an unknown unit', 'Filesystem 1kB-blocks Used Available Use% Mounted on'],
    ['with an unknown column', 'Filesystem 1K-blocks constructor Available Use% Mounted on'],
  ])('does not read rows under a header %s', (_, header) => {
    const row = '/dev/a 8 8 0 100% /';
    expect(parseDf(`${header}\n${row}\n`)).toMatchObject({ rows: [], unreadable: [header, row] });
  });

  it('reads blocks and inodes of one text', () => {
    const { rows } = parseDf(`${BLOCKS}/dev/a 8 8 0 100% /\n${INODES}/dev/a 9 3 6 34% /\n`);
    expect(rows).toMatchObject([
      { totalKiB: 8, inodesTotal: null },
      { totalKiB: null, inodesTotal: 9, inodesFree: 6, inodesUsedPct: 34 },
    ]);
  });
});

describe('rows', () => {
  it('keeps blanks in devices and mount points', () => {
    const { rows } = parseDf(`${BLOCKS}//nas/my share 8 4 4 50% /mnt/my share 100% /x\n`);
    expect(rows).toMatchObject([
      { device: '//nas/my share', mount: '/mnt/my share 100% /x', usedPct: 50 },
    ]);
  });

  it('joins a device that stands on a line of its own', () => {
    const device = '/dev/mapper/a-very-long-volume-group-name';
    const { rows, unreadable } = parseDf(`${BLOCKS}${device}\n          8 4 4 50% /data\n`);
    expect(rows).toMatchObject([{ device, mount: '/data', usedKiB: 4 }]);
    expect(unreadable).toEqual([]);
  });

  it.each(['lonely\n', 'lonely\nlonely 2\n', 'lonely\n/dev/a 8 8 0 100% /\n'])(
    'names a device without figures: %j',
    (text) => expect(parseDf(BLOCKS + text).unreadable).toContain('lonely'),
  );

  it.each([
    '/dev/a 8 8 0 100%',
    '/dev/a 8 8 0 /',
    '/dev/a 8 8 0 100% relative',
    '8 8 0 100% /',
    '/dev/a 8 8 0 many /',
  ])('does not read %j', (row) => {
    expect(parseDf(`${BLOCKS}${row}\n`)).toMatchObject({ rows: [], unreadable: [row] });
  });

  it('cuts an unreadable line, and looks into no endless one', () => {
    const { rows, unreadable } = parseDf(`${BLOCKS}${'/dev/a '.repeat(100_000)}8 8 0 100% /\n`);
    expect(rows).toEqual([]);
    expect(unreadable[0]?.length).toBeLessThan(250);
  });

  it('takes the use of an empty file system as unknown, whatever is printed', () => {
    expect(parseDf(`${BLOCKS}none 0 0 0 100% /proc\n`).rows).toMatchObject([{ usedPct: null }]);
    expect(parseDf(`${INODES}none 0 0 0 100% /proc\n`).rows).toMatchObject([
      { inodesTotal: null, inodesFree: null, inodesUsedPct: null },
    ]);
  });

  it('does not take a full file system for an empty one', () => {
    expect(parseDf(`${INODES}tmpfs 7 7 0 100% /x\n`).rows).toMatchObject([
      { inodesTotal: 7, inodesFree: 0, inodesUsedPct: 100 },
    ]);
  });
});

it.each([
  ['df: /mnt/x: Transport endpoint is not connected', '/mnt/x'],
  ["df: '/mnt/my disk': Stale file handle", '/mnt/my disk'],
  ['/bin/df: /a: b: Permission denied', '/a: b'],
])('reads the complaint %j', (line, path) => {
  const { complaints, unreadable } = parseDf(`${line}\n${BLOCKS}/dev/a 8 4 4 50% /\n`);
  expect(complaints).toMatchObject([{ path, line }]);
  expect(unreadable).toEqual([]);
});

it('reads noise and damaged answers without throwing', () => {
  const random = noise(5);
  for (const name of sampleNames('df')) {
    for (let round = 0; round < 20; round += 1) {
      parseDf(damaged(sample(name).text, random));
      parseDf(BLOCKS + randomText(3000, random));
    }
  }
});
