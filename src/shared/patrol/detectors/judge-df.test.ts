import { describe, expect, it } from 'vitest';
import { parseDf } from '../../probes/df.ts';
import { sample } from '../../probes/sample.fixture.ts';
import { judgeDf } from './judge-df.ts';

const foundIn = (text: string): readonly string[] =>
  judgeDf(parseDf(text).rows).map(
    ({ detector, severity, subject }) =>
      `${detector} ${severity} ${subject.kind === 'mount' ? subject.path : ''}`,
  );

const BYTES = 'Filesystem 1024-blocks Used Available Capacity Mounted on\n';
const INODES = 'Filesystem Inodes IUsed IFree IUse% Mounted on\n';

describe('judgeDf', () => {
  it.each([
    ['df--centos-root-inodes-100-i', ['U7 warn /']],
    ['df--ubuntu1804-snaps', []],
    ['df--centos7', []],
    ['df--macos', []],
  ])('finds in %s what is full: %j', (name, wanted) => {
    expect(foundIn(sample(name).text)).toEqual(wanted);
  });

  it('takes no image and no table of the kernel for a disk', () => {
    const rows = [
      '/dev/loop0 65536 65536 0 100% /snap/core/1',
      '/dev/sr0 700000 700000 0 100% /media/cdrom',
      'udev 4 4 0 100% /dev',
      'efivarfs 128 128 0 100% /sys/firmware/efi/efivars',
    ];
    expect(foundIn(`${BYTES}${rows.join('\n')}\n`)).toEqual(['U6 critical /media/cdrom']);
    expect(
      foundIn(
        'Filesystem Type 1K-blocks Used Available Use% Mounted on\n/dev/sr0 iso9660 7 7 0 100% /cd\n',
      ),
    ).toEqual([]);
  });

  it('calls a disk with a little room on it full, and one with a gigabyte not', () => {
    expect(foundIn(`${BYTES}/dev/vdb1 51200000 51000000 200000 100% /root/data\n`)).toEqual([
      'U6 critical /root/data',
    ]);
    expect(foundIn(`${BYTES}/dev/vdb1 5120000000 5117000000 3000000 100% /big\n`)).toEqual([]);
  });

  it('reads space and inodes of one box together', () => {
    const text = `${BYTES}/dev/a 9 8 0 100% /\n${INODES}/dev/a 1000 950 50 95% /\n`;
    expect(foundIn(text)).toEqual(['U6 critical /', 'U7 warn /']);
  });
});
