import { MAX_LINE_CHARS } from './line-splitter.ts';
import { excerpt, nonBlankLines, type ProbeOutput } from './probe-output.ts';

/** Blocks and inodes. LC_ALL=C keeps titles and numbers untranslated, -P keeps each row on one line. */
export const DF_COMMANDS = ['LC_ALL=C df -Pk', 'LC_ALL=C df -Pi'] as const;

/** One mounted file system. What this df was not asked for, or the file system does not count, is null. */
export interface MountUsage {
  readonly device: string;
  /** With -T. */
  readonly type: string | null;
  readonly mount: string;
  readonly totalKiB: number | null;
  readonly usedKiB: number | null;
  /** For ordinary users: 0 while `usedKiB` is below the total means that only the reserve is left. */
  readonly freeKiB: number | null;
  readonly usedPct: number | null;
  readonly inodesTotal: number | null;
  readonly inodesUsed: number | null;
  readonly inodesFree: number | null;
  readonly inodesUsedPct: number | null;
  /** True after `-h`: figures like 4.4G are rounded up. */
  readonly isRounded: boolean;
}

/** A mount that df could not look at; the other rows are good all the same. */
export interface DfComplaint {
  readonly path: string;
  readonly reason: string;
  readonly line: string;
}

export interface DfOutput extends ProbeOutput<MountUsage> {
  readonly complaints: readonly DfComplaint[];
}

type Figure = Exclude<keyof MountUsage, 'device' | 'type' | 'mount' | 'isRounded'>;

/** What stands between the device and the mount point, in printed order. */
interface Header {
  readonly hasType: boolean;
  readonly figures: readonly Figure[];
  /** One block in KiB; null: sizes come with a letter (`-h`). */
  readonly blockKiB: number | null;
}

const TITLES = new Map<string, Figure>(
  Object.entries({
    size: 'totalKiB',
    used: 'usedKiB',
    available: 'freeKiB',
    avail: 'freeKiB',
    capacity: 'usedPct',
    'use%': 'usedPct',
    inodes: 'inodesTotal',
    iused: 'inodesUsed',
    ifree: 'inodesFree',
    'iuse%': 'inodesUsedPct',
    '%iused': 'inodesUsedPct',
  } as const),
);
const BLOCKS = /^(\d{1,9})([KMG]?)-blocks$/;
const KIB_OF_LETTER: Readonly<Record<string, number>> = {
  '': 1 / 1024,
  K: 1,
  M: 1024,
  G: 1024 ** 2,
  T: 1024 ** 3,
  P: 1024 ** 4,
};

/** Columns are found by the header. Rows before one could count blocks or inodes: unreadable. */
export function parseDf(text: string): DfOutput {
  const rows: MountUsage[] = [];
  const unreadable: string[] = [];
  const complaints: DfComplaint[] = [];
  let header: Header | null = null;
  /** A device so long that df, without -P, put its figures on the next line. */
  let wrapped: string | null = null;
  for (const line of nonBlankLines(text)) {
    if (line.length > MAX_LINE_CHARS) {
      unreadable.push(excerpt(line));
      continue;
    }
    const complaint = parseComplaint(line);
    if (complaint !== null) {
      complaints.push(complaint);
      continue;
    }
    const next = parseHeader(line);
    if (next !== null) header = next;
    else {
      const isContinued = wrapped !== null && /^\s/.test(line);
      const row = header && parseRow(isContinued ? `${wrapped} ${line}` : line, header);
      if (wrapped !== null && !(isContinued && row !== null)) unreadable.push(excerpt(wrapped));
      wrapped = null;
      if (row !== null) rows.push(row);
      else if (header !== null && /^\S+$/.test(line)) wrapped = line;
      else unreadable.push(excerpt(line));
    }
  }
  if (wrapped !== null) unreadable.push(excerpt(wrapped));
  return { rows, unreadable, complaints };
}

/** `df: /mnt/x: Stale file handle`; newer ones quote the path. */
function parseComplaint(line: string): DfComplaint | null {
  const [, path, reason] = /^(?:\S*\/)?df: (.*): ([^:]+)$/.exec(line) ?? [];
  if (path === undefined || reason === undefined) return null;
  return { path: path.replace(/^['‘](.*)['’]$/, '$1'), reason, line: excerpt(line) };
}

/** Null: not a header, or one that is not understood (another language, another unit). */
function parseHeader(line: string): Header | null {
  const titles = line.trim().split(/\s+/);
  if (titles[0] !== 'Filesystem' || titles.at(-2) !== 'Mounted' || titles.at(-1) !== 'on') {
    return null;
  }
  const hasType = titles[1] === 'Type';
  let blockKiB: number | null = null;
  const figures: Figure[] = [];
  for (const title of titles.slice(hasType ? 2 : 1, -2)) {
    const [, count, letter] = BLOCKS.exec(title) ?? [];
    if (count !== undefined) blockKiB = Number(count) * (KIB_OF_LETTER[letter ?? ''] ?? NaN);
    const figure = count === undefined ? TITLES.get(title.toLowerCase()) : 'totalKiB';
    if (figure === undefined) return null;
    figures.push(figure);
  }
  return { hasType, figures, blockKiB };
}

/** Devices and mount points may hold blanks, so the run of figures between them is looked for. */
function parseRow(line: string, header: Header): MountUsage | null {
  const words = [...line.matchAll(/\S+/g)];
  const length = header.figures.length;
  for (let first = header.hasType ? 2 : 1; first + length < words.length; first += 1) {
    const run = words.slice(first, first + length).map(([word]) => word);
    const mountAt = words[first + length]?.index ?? 0;
    const mount = line.slice(mountAt);
    if (!mount.startsWith('/') || !run.every((word, i) => fits(word, header.figures[i]))) continue;
    const deviceEnd = words[header.hasType ? first - 1 : first]?.index ?? 0;
    return {
      device: line.slice(0, deviceEnd).trim(),
      type: header.hasType ? (words[first - 1]?.[0] ?? null) : null,
      mount,
      ...toFigures(run, header),
      isRounded: run.some((word) => /[A-Z]$/.test(word)),
    };
  }
  return null;
}

function fits(word: string, figure: Figure | undefined): boolean {
  const isShare = figure === 'usedPct' || figure === 'inodesUsedPct';
  return isShare ? /^(?:\d{1,3}%|-)$/.test(word) : /^(?:-?\d{1,20}(?:\.\d)?[KMGTP]?|-)$/.test(word);
}

function toFigures(
  run: readonly string[],
  { figures, blockKiB }: Header,
): Readonly<Record<Figure, number | null>> {
  const of = (figure: Figure): string => run[figures.indexOf(figure)] ?? '-';
  const totalKiB = sizeKiB(of('totalKiB'), blockKiB);
  const inodesUsed = count(of('inodesUsed'));
  const inodesFree = count(of('inodesFree'));
  const inodesTotal = count(of('inodesTotal'));
  // 0 inodes in all means that this file system does not count them (vfat, btrfs), not that it is full.
  const countsInodes = inodesTotal !== 0 && !(inodesUsed === 0 && inodesFree === 0);
  return {
    totalKiB,
    usedKiB: sizeKiB(of('usedKiB'), blockKiB),
    freeKiB: sizeKiB(of('freeKiB'), blockKiB),
    // A share of nothing says nothing: macOS prints 100% for `map -hosts` with 0 blocks.
    usedPct: totalKiB === 0 ? null : percent(of('usedPct')),
    inodesTotal: countsInodes ? inodesTotal : null,
    inodesUsed: countsInodes ? inodesUsed : null,
    inodesFree: countsInodes ? inodesFree : null,
    inodesUsedPct: countsInodes ? percent(of('inodesUsedPct')) : null,
  };
}

function sizeKiB(word: string, blockKiB: number | null): number | null {
  const [, figure, letter] = /^(-?[\d.]+)([A-Z]?)$/.exec(word) ?? [];
  if (figure === undefined) return null;
  if (letter === '' && blockKiB !== null) return exact(Number(figure) * blockKiB);
  // `-h` prints a bare 0, and bytes without a letter.
  return exact(Math.round(Number(figure) * (KIB_OF_LETTER[letter ?? ''] ?? NaN)));
}

function count(word: string): number | null {
  return /^-?\d+$/.test(word) ? exact(Number(word)) : null;
}

/** macOS counts free inodes up to 2^63; a number that cannot be held exactly is not a count. */
function exact(value: number): number | null {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
}

function percent(word: string): number | null {
  return word === '-' ? null : Number(word.slice(0, -1));
}
