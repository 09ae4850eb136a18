import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapedPath, parseMeasured, parseMountList } from './mounts.ts';
import { damaged, noise } from './sample.fixture.ts';

const MARK = 'leasehold-1';
const section = (name: string, text: string, code = 0): string =>
  `\n${MARK} begin ${name}\n${text}\n${MARK} end ${name} ${code}\n`;
const whole = section('whole', '');
const listed = (...lines: readonly string[]) =>
  parseMountList(section('mountinfo', lines.join('\n')) + whole, MARK);

const ROOT = '27 1 254:0 / / rw,relatime - overlay overlay rw,lowerdir=/a:/b';

describe('parseMountList', () => {
  it('reads the machine and what is mounted', () => {
    const machine = section('machine', 'home /root\ntmpdir \nuser root');
    const nfs = '40 27 0:61 / /mnt/nas ro,relatime shared:5 master:1 - nfs4 10.0.0.1:/vol\\0401 rw';
    const text = machine + section('mountinfo', `${ROOT}\n${nfs}`) + whole;
    expect(parseMountList(text, MARK)).toEqual({
      mounts: [
        {
          id: '/',
          path: '/',
          source: 'overlay',
          type: 'overlay',
          device: '254:0',
          isReadOnly: false,
        },
        {
          id: '/mnt/nas',
          path: '/mnt/nas',
          source: '10.0.0.1:/vol 1',
          type: 'nfs4',
          device: '0:61',
          isReadOnly: true,
        },
      ],
      home: '/root',
      user: 'root',
      tmpdir: null,
      unreadable: [],
      isWhole: true,
    });
  });

  it('reads /proc/mounts where the kernel has nothing better', () => {
    const text =
      section('mounts', '/dev/sda1 / ext4 rw 0 0\nserver:/x /data nfs ro,hard 0 0') + whole;
    expect(parseMountList(text, MARK).mounts).toMatchObject([
      { path: '/', source: '/dev/sda1', type: 'ext4', device: '/dev/sda1', isReadOnly: false },
      { path: '/data', source: 'server:/x', type: 'nfs', isReadOnly: true },
    ]);
  });

  it('takes the later of two mounts at one place: it hides the other', () => {
    const { mounts } = listed(
      ROOT,
      '1 1 0:9 / /data rw - ext4 a rw',
      '2 1 0:8 / /data rw - xfs b rw',
    );
    expect(mounts.map(({ path, type }) => [path, type])).toEqual([
      ['/', 'overlay'],
      ['/data', 'xfs'],
    ]);
  });

  it.each([
    'nonsense',
    '27 1 254 / / rw - ext4 a rw',
    '27 1 254:0 / relative rw - ext4 a rw',
    '27 1 254:0 / / rw ext4 a rw',
    `27 1 254:0 / /${'x'.repeat(100_000)} rw - ext4 a rw`,
  ])('names the line that it cannot read: %j', (line) => {
    const { mounts, unreadable } = listed(line);
    expect(mounts).toEqual([]);
    expect(unreadable).toHaveLength(1);
    expect(unreadable[0]?.length).toBeLessThan(250);
  });

  it('knows that the list was cut off, and believes no mark but its own', () => {
    expect(parseMountList(section('mountinfo', ROOT), MARK).isWhole).toBe(false);
    const forged = ROOT.replace(' / rw', ' /leasehold-2\\012end rw');
    expect(listed(forged).mounts[0]?.path).toBe('/leasehold-2\nend');
  });

  it('reads any name that a mount can have, and can send it back as one word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => {
        const path = `/${name}`;
        const id = escapedPath(path);
        expect(id).not.toMatch(/[ \t\r\n\0]/);
        const { mounts } = listed(`1 1 0:9 / ${id} rw - ext4 a rw`);
        expect(mounts[0]).toMatchObject({ id, path });
      }),
      { numRuns: 200 },
    );
  });

  it('ends on noise', () => {
    const random = noise(11);
    const text = section('mountinfo', `${ROOT}\n${ROOT}`) + whole;
    for (let round = 0; round < 100; round += 1) parseMountList(damaged(text, random), MARK);
  });
});

const HEAD = 'Filesystem 1024-blocks Used Available Capacity Mounted on';
const INODES = 'Filesystem Inodes IUsed IFree IUse% Mounted on';
const asked = { mounts: listed(ROOT).mounts, places: ['/workspace'] };
const measured = (text: string) => parseMeasured(text, MARK, asked);

describe('parseMeasured', () => {
  it('joins blocks and inodes', () => {
    const text =
      section('space-0', `${HEAD}\noverlay 100 40 60 40% /`) +
      section('inodes-0', `${INODES}\noverlay 10 3 7 30% /`) +
      section('place-0', '/mnt/volume');
    expect(measured(text)).toMatchObject({
      mounts: [
        { usage: { totalKiB: 100, freeKiB: 60, inodesTotal: 10, inodesFree: 7 }, because: null },
      ],
      places: [{ kind: 'there', path: '/mnt/volume' }],
    });
  });

  it('keeps the blocks where this df cannot count inodes', () => {
    const text =
      section('space-0', `${HEAD}\noverlay 100 40 60 40% /`) +
      section('inodes-0', 'df: invalid option -- i', 1);
    expect(measured(text).mounts).toMatchObject([{ usage: { totalKiB: 100, inodesTotal: null } }]);
  });

  it.each([
    ['nothing', '', 'the box did not say'],
    ['no answer in time', section('space-0', '', 137), 'it did not answer in time'],
    ['a refusal', section('space-0', 'df: /: Permission denied', 1), 'df says: Permission denied'],
    [
      'another language',
      section('space-0', 'Dateisystem 1 2 3', 0),
      'df said nothing that could be read',
    ],
    ['too many that hang', `${MARK} unasked 0\n`, 'it was not asked'],
  ])('says why a size is unknown: %s', (_what, text, because) => {
    const [mount] = measured(text).mounts;
    expect(mount?.usage).toBeNull();
    expect(mount?.because).toContain(because);
  });

  it.each([
    ['absent', section('place-0', '', 2), 'absent'],
    ['hanging', section('place-0', '', 137), 'unknown'],
    ['not told', '', 'unknown'],
    ['told as no path', section('place-0', 'sh: cd', 0), 'unknown'],
  ])('a folder that is %s', (_what, text, kind) => {
    expect(measured(text).places).toMatchObject([{ kind }]);
  });
});
