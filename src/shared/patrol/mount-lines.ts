import type { MeasuredMount, Mount } from '../mounts/mount.ts';
import type { MountUsage } from '../probes/df.ts';
import type { MarkedSections } from '../probes/marked-sections.ts';
import { KILLED, NO_ANSWER, NOT_ASKED, readMountInfoLine } from '../probes/mounts.ts';
import { excerpt, nonBlankLines } from '../probes/probe-output.ts';
import { readPairs } from '../probes/word-lines.ts';
import { isLocal } from '../mounts/select-mounts.ts';
import type { FillsLook, NamedBytes } from './patrol-look.ts';

/** The script tells no more, and how many it left out. */
const MAX_MOUNTS = 24;

/** Reads the sections `mounts`, `space` and `far-…` of resources/onbox/patrol.sh. */
export function readMounts(sections: MarkedSections): readonly MeasuredMount[] {
  const mounts = nonBlankLines(sections.text('mounts') ?? '')
    .slice(0, MAX_MOUNTS)
    .flatMap((line) => readMountInfoLine(line) ?? []);
  const spaces = readSpaces(sections.text('space'));
  const unasked = new Set(sections.notes('unasked'));
  let far = -1;
  return mounts.map((mount): MeasuredMount => {
    if (isLocal(mount)) return withUsage(mount, spaces);
    far += 1;
    const name = `far-${String(far)}`;
    if (unasked.has(String(far))) return { ...mount, usage: null, because: NOT_ASKED };
    if (sections.code(name) === KILLED) return { ...mount, usage: null, because: NO_ANSWER };
    return withUsage(mount, readSpaces(sections.text(name)));
  });
}

function withUsage(mount: Mount, spaces: ReadonlyMap<string, Usage>): MeasuredMount {
  const usage = spaces.get(mount.path);
  return usage === undefined
    ? { ...mount, usage: null, because: 'the box did not say how full it is' }
    : { ...mount, usage: { ...usage, device: mount.source, type: mount.type }, because: null };
}

type Usage = Omit<MountUsage, 'device' | 'type'>;

/** `stat -f`: "block bytes, blocks, free for ordinary users, free, inodes, inodes free, path". */
const SPACE = /^(\d{1,10}) (\d{1,20}) (\d{1,20}) (\d{1,20}) (\d{1,20}) (\d{1,20}) (\/.*)$/;

function readSpaces(text: string | null): ReadonlyMap<string, Usage> {
  return new Map(
    nonBlankLines(text ?? '')
      .slice(0, MAX_MOUNTS)
      .flatMap((line) => {
        const [, block, blocks, open, free, inodes, inodesFree, path] = SPACE.exec(line) ?? [];
        if (path === undefined) return [];
        const usage = usageOf(
          Number(block),
          [blocks, open, free].map(Number),
          [inodes, inodesFree].map(Number),
        );
        return [[path, { ...usage, mount: path, isRounded: false }] as const];
      }),
  );
}

function usageOf(
  blockBytes: number,
  [blocks = 0, open = 0, free = 0]: readonly number[],
  [inodes = 0, inodesFree = 0]: readonly number[],
): Omit<Usage, 'mount' | 'isRounded'> {
  const used = Math.max(0, blocks - free);
  const inodesUsed = Math.max(0, inodes - inodesFree);
  // None in all, or more free than there are (CephFS and others answer 2^64 - 1): this file system does not count them.
  const countsInodes = inodes > 0 && inodesFree <= inodes;
  return {
    totalKiB: (blocks * blockBytes) / 1024,
    usedKiB: (used * blockBytes) / 1024,
    freeKiB: (open * blockBytes) / 1024,
    usedPct: used + open === 0 ? null : (100 * used) / (used + open),
    inodesTotal: countsInodes ? inodes : null,
    inodesUsed: countsInodes ? inodesUsed : null,
    inodesFree: countsInodes ? inodesFree : null,
    inodesUsedPct: countsInodes ? (100 * inodesUsed) / inodes : null,
  };
}

/** The script tells the largest ones, and no more. */
const MAX_NAMED = 8;

/** Reads the section `fills`. Null: nobody looked. */
export function readFills(text: string | null): FillsLook | null {
  if (text === null) return null;
  const pairs = readPairs(text);
  const cache = pairs.get('cache')?.[0] ?? '';
  return {
    cacheFolder: cache === 'none' ? 'none' : isPath(cache) ? cache : null,
    models: readNamed(pairs.get('model') ?? [], /^(\d{1,15})\s+(\/.*)$/, 1024),
    snapshots: readNamed(pairs.get('snapshot') ?? [], /^(\d{1,18}) (\/.*)$/, 1),
  };
}

const isPath = (text: string): text is `/${string}` => text.startsWith('/');

function readNamed(
  lines: readonly string[],
  form: RegExp,
  unitBytes: number,
): readonly NamedBytes[] {
  return lines.slice(0, MAX_NAMED).flatMap((line) => {
    const [, size, path] = form.exec(line) ?? [];
    return path === undefined
      ? []
      : [{ path: excerpt(path, 1000), bytes: Number(size) * unitBytes }];
  });
}
