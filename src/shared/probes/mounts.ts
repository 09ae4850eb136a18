import type { MeasuredMount, Mount, Place } from '../mounts/mount.ts';
import { MAX_LINE_CHARS } from './line-splitter.ts';
import { parseDf } from './df.ts';
import { readMarkedSections, type MarkedSections } from './marked-sections.ts';
import { nonBlankLines, UnreadableLines } from './probe-output.ts';
import { readPairs } from './word-lines.ts';

/** What resources/onbox/list-mounts.sh told. */
export interface ListedMounts {
  readonly mounts: readonly Mount[];
  readonly home: string | null;
  readonly user: string | null;
  readonly tmpdir: string | null;
  readonly unreadable: readonly string[];
  /** False: the output ended in the middle. */
  readonly isWhole: boolean;
}

export function parseMountList(stdout: string, mark: string): ListedMounts {
  const sections = readMarkedSections(stdout, mark);
  const machine = readPairs(sections.text('machine') ?? '');
  const unreadable = new UnreadableLines();
  const info = sections.text('mountinfo');
  const lines = nonBlankLines(info ?? sections.text('mounts') ?? '');
  const read = info === null ? readMountsLine : readMountInfoLine;
  const mounts = new Map<string, Mount>();
  for (const line of lines) {
    const mount = line.length >= MAX_LINE_CHARS ? null : read(line);
    if (mount === null) unreadable.add(line);
    // A later mount hides an earlier one at the same place.
    else mounts.set(mount.id, mount);
  }
  const folder = (word: string): string | null => {
    const said = machine.get(word)?.[0] ?? '';
    return said.startsWith('/') ? said : null;
  };
  return {
    mounts: [...mounts.values()],
    home: folder('home'),
    user: machine.get('user')?.[0] ?? null,
    tmpdir: folder('tmpdir'),
    unreadable: unreadable.lines,
    isWhole: sections.text('whole') !== null,
  };
}

/** `36 35 98:0 /root /mnt rw,noatime master:1 - ext3 /dev/root rw`: any number of fields before the hyphen. */
export function readMountInfoLine(line: string): Mount | null {
  const words = line.split(' ');
  const hyphen = words.indexOf('-', 6);
  const [device, , id, options] = words.slice(2, 6);
  const [type, source] = hyphen < 0 ? [] : words.slice(hyphen + 1, hyphen + 3);
  if (!/^\d+:\d+$/.test(device ?? '')) return null;
  return mountOf({ device, id, options, type, source });
}

/** `/dev/sda1 / ext4 rw,relatime 0 0`: has no device number, so its source stands in for that. */
function readMountsLine(line: string): Mount | null {
  const [source, id, type, options] = line.split(' ');
  return mountOf({ device: source, id, options, type, source });
}

function mountOf({
  device,
  id,
  options,
  type,
  source,
}: Readonly<
  Record<'device' | 'id' | 'options' | 'type' | 'source', string | undefined>
>): Mount | null {
  if (!device || !id?.startsWith('/') || !options || !type || source === undefined) return null;
  const isReadOnly = options.split(',').includes('ro');
  return { id, path: unescaped(id), source: unescaped(source), type, device, isReadOnly };
}

/** The kernel writes blanks, line breaks, backslashes and hashes as three octal digits. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

/** The other way round: for a path that goes to the box as one word. */
export function escapedPath(path: string): string {
  return path.replace(
    /[\u0000-\u0020\\\u007f]/g,
    (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

/** What resources/onbox/measure-mounts.sh told of these, in the order in which they were asked. */
export interface Measured {
  readonly mounts: readonly MeasuredMount[];
  readonly places: readonly Place[];
}

export function parseMeasured(
  stdout: string,
  mark: string,
  asked: { readonly mounts: readonly Mount[]; readonly places: readonly string[] },
): Measured {
  const sections = readMarkedSections(stdout, mark);
  const unasked = new Set(sections.notes('unasked'));
  return {
    mounts: asked.mounts.map((mount, at): MeasuredMount => {
      if (unasked.has(String(at))) return { ...mount, usage: null, because: NOT_ASKED };
      return { ...mount, ...readUsage(sections, at) };
    }),
    places: asked.places.map((_, at) => readPlace(sections, at)),
  };
}

export const NOT_ASKED =
  'it was not asked, because others like it did not answer or this box has no `timeout`';
export const NO_ANSWER = 'it did not answer in time';
/** 128 and SIGKILL: ended by the script's own limit. */
export const KILLED = 137;

function readUsage(sections: MarkedSections, at: number): Pick<MeasuredMount, 'usage' | 'because'> {
  const space = sections.text(`space-${at}`);
  if (space === null) return { usage: null, because: 'the box did not say' };
  if (sections.code(`space-${at}`) === KILLED) return { usage: null, because: NO_ANSWER };
  const { rows, complaints } = parseDf(space);
  const [row] = rows;
  if (row === undefined) {
    const reason = complaints[0]?.reason;
    return {
      usage: null,
      because: reason === undefined ? 'df said nothing that could be read' : `df says: ${reason}`,
    };
  }
  const [inodes] = parseDf(sections.text(`inodes-${at}`) ?? '').rows;
  if (inodes === undefined) return { usage: row, because: null };
  const { inodesTotal, inodesUsed, inodesFree, inodesUsedPct } = inodes;
  return { usage: { ...row, inodesTotal, inodesUsed, inodesFree, inodesUsedPct }, because: null };
}

function readPlace(sections: MarkedSections, at: number): Place {
  const text = sections.text(`place-${at}`);
  const code = sections.code(`place-${at}`);
  if (text === null || code === null) return { kind: 'unknown', because: 'the box did not say' };
  if (code === KILLED) return { kind: 'unknown', because: NO_ANSWER };
  const path = text.trim();
  if (code !== 0) return { kind: 'absent' };
  return path.startsWith('/')
    ? { kind: 'there', path }
    : { kind: 'unknown', because: 'the box did not say' };
}
