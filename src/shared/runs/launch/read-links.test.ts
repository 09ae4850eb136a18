import { expect, it } from 'vitest';
import { readLinks } from './read-links.ts';

const MARK = 'mark-1';
const told = (...links: readonly (readonly [string, string])[]): string =>
  `motd\n${MARK} links\n/mnt/disk/out\0${links.flat().join('\0')}\0\n${MARK} whole\n`;
const leadOf = (link: string, target: string) =>
  readLinks(told([link, target]), MARK, '/w/out').get(link);

it.each([
  // Beside it, above it within the folder, and by the name of the folder with or without links on its way.
  ['best', 'a.pt', '/mnt/disk/out/a.pt', true],
  ['best', './a//b.pt', '/mnt/disk/out/a/b.pt', true],
  ['ckpt/best', '../a.pt', '/mnt/disk/out/a.pt', true],
  ['snapshots/1/w', '../../blobs/x', '/mnt/disk/out/blobs/x', true],
  ['best', '/w/out/a.pt', '/w/out/a.pt', true],
  ['best', '/mnt/disk/out/a.pt', '/mnt/disk/out/a.pt', true],
  ['best', '.', null, false],
  ['best', '/srv/ckpt/best.pt', '/srv/ckpt/best.pt', false],
  ['best', '/w/out-2/a.pt', '/w/out-2/a.pt', false],
  ['best', '../other/a.pt', '/mnt/disk/other/a.pt', false],
  ['ckpt/best', '../../a.pt', '/mnt/disk/a.pt', false],
  ['best', '../../../../../etc', '/etc', false],
  // Where a step up leads behind a name, only the box knows: that may be a link.
  ['best', 'ckpt/../a.pt', null, false],
  ['best', '/w/out/../x', null, false],
  ['best', '/../w/out/a', null, false],
  ['best', '', null, false],
  ['best', 'x/'.repeat(200), null, false],
])('says of a link %s to %j where it leads: %j', (link, target, path, isInside) => {
  expect(leadOf(link, target)).toEqual({ target, path, isInside });
});

it('tells all of them, and knows nothing of one that was cut off or never told', () => {
  const links = [
    ['a', 'x\n'],
    ['b\nc', 'y'],
  ] as const;
  const whole = told(...links);
  expect([...readLinks(whole, MARK, '/w').keys()]).toEqual(['a', 'b\nc']);
  expect([...readLinks(whole.slice(0, whole.indexOf('\0y')), MARK, '/w').keys()]).toEqual(['a']);
  expect([...readLinks(whole.slice(0, whole.indexOf('y') + 1), MARK, '/w').keys()]).toEqual(['a']);
  for (const nothing of ['', 'motd\n', `\n${MARK} whole\n`, `${MARK} links\n/w`]) {
    expect(readLinks(nothing, MARK, '/w').size, nothing).toBe(0);
  }
});
