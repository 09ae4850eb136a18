import { isWithin } from '../files/box-path.ts';
import type { OutsideFile } from './found-on-box.ts';

export interface OutsideLook {
  /** Null: it does not tell. */
  readonly life: string | null;
  readonly files: readonly Omit<OutsideFile, 'tier'>[];
  /** What `wandb sync` lays beside a run that it has sent. */
  readonly sent: readonly string[];
  readonly isCut: boolean;
  readonly unread: string | null;
}

/** As many as one look tells; beyond them a person looks by themselves. */
export const MOST_OUTSIDE = 2000;

const SENT = '.wandb.synced';
const RECORD = /^(\d{1,16}) (-?\d{1,12})(?:\.\d*)? (\/[^]+)$/;

/** What files-outside.sh prints; null: its answer was not whole. `skipped`: what lies below these is told of elsewhere. */
export function readOutside(
  stdout: string,
  mark: string,
  skipped: readonly string[],
): OutsideLook | null {
  const end = stdout.lastIndexOf(`\n${mark} whole`);
  const head = stdout.indexOf(`${mark} files\n`);
  if (end === -1 || head === -1) return null;
  const [, life = ''] = new RegExp(`^${mark} life (\\S{0,200})$`, 'm').exec(stdout) ?? [];
  const body = stdout.slice(head + `${mark} files\n`.length, end);
  // Of small files there is nothing but their ends.
  const parts = body
    .replace(/\0{2,}/g, '\0')
    .replace(/^\0/, '')
    .split('\0');
  const said = parts.pop() ?? '';
  const files = new Map<string, Omit<OutsideFile, 'tier'>>();
  const sent: string[] = [];
  let isUnread = false;
  for (const record of parts) {
    const [, bytes, seconds, path] = RECORD.exec(record) ?? [];
    if (bytes === undefined || seconds === undefined || path === undefined) {
      isUnread = true;
      continue;
    }
    if (skipped.some((folder) => isWithin(path, folder))) continue;
    if (path.endsWith(SENT)) sent.push(path);
    else files.set(path, { path, bytes: Number(bytes), modifiedAtMs: Number(seconds) * 1000 });
  }
  // A list that is as long as it may be ends anywhere.
  const isLong = !said.endsWith(`\n${mark} end\n`);
  const all = [...files.values()];
  return {
    life: life === '/' || life === '' ? null : life,
    files: all.slice(0, MOST_OUTSIDE),
    sent,
    isCut: isLong || all.length > MOST_OUTSIDE,
    unread: said.includes(`\n${mark} late`)
      ? 'it took too long.'
      : said.includes(`\n${mark} partly`)
        ? 'some of it is closed to you.'
        : isUnread
          ? 'the box told some of it in words that cannot be read.'
          : null,
  };
}
