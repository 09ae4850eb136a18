import type { AlarmText } from '../clocks/alarm-text.ts';
import { formatWhen } from '../clocks/when.ts';
import { plainLine } from '../questions/hostile-text.ts';
import type { Awaited, OverSentinel, Sentinel } from './sentinel.ts';

const MAX_CHARS = 200;

/** A look comes every minute; with more than this between two of them, nobody could look. */
const UNSEEN_MS = 3 * 60_000;

const short = (text: string): string => plainLine(text, MAX_CHARS);

/** ` *.pt`, behind "files". */
const withEnding = (ending: string): string => (ending === '' ? '' : ` *${short(ending)}`);

export function processName({ pid, name }: Awaited & { readonly kind: 'process' }): string {
  const words = short(name);
  return words === '' ? `process ${String(pid)}` : words;
}

/** What is waited for: `train.py ends`. */
export function awaitedWords(awaited: Awaited): string {
  switch (awaited.kind) {
    case 'process':
      return `${processName(awaited)} ends`;
    case 'file':
      return `${short(awaited.path)} appears or changes`;
    case 'line':
      return `“${short(awaited.text)}” is written to ${short(awaited.path)}`;
    case 'count':
      return `${String(awaited.atLeast)} files${withEnding(awaited.ending)} are in ${short(awaited.folder)}`;
    case 'newest':
      return `a new file${withEnding(awaited.ending)} is in ${short(awaited.folder)}`;
  }
}

/** What came of it: `train.py has ended`. */
export function overWords(over: Pick<OverSentinel, 'awaited' | 'end' | 'before'>): string {
  const { awaited, end } = over;
  switch (end) {
    case 'happened':
      return happenedWords(over);
    case 'already':
      return `Already so at the first check: ${happenedWords(over)}`;
    case 'expired':
      return `Not seen in time: ${awaitedWords(awaited)}`;
    case 'moved':
      return `No longer checked, the box has another address: ${awaitedWords(awaited)}`;
  }
}

function happenedWords({ awaited, before }: Pick<OverSentinel, 'awaited' | 'before'>): string {
  switch (awaited.kind) {
    case 'process':
      return `${processName(awaited)} has ended`;
    case 'file':
      return `${short(awaited.path)} has ${before?.isThere === true ? 'changed' : 'appeared'}`;
    case 'line':
      return `“${short(awaited.text)}” was written to ${short(awaited.path)}`;
    case 'count':
      return awaitedWords(awaited);
    case 'newest':
      return `a new file${withEnding(awaited.ending)} is in ${short(awaited.folder)}`;
  }
}

/** When it happened, as far as it was watched; null: of something that did not. */
export function whenWords({ end, atMs, before }: OverSentinel, timeZone?: string): string | null {
  if (end !== 'happened') return null;
  const at = formatWhen(atMs, timeZone);
  if (before === null) return `Seen at the first check, ${at}.`;
  return atMs - before.atMs > UNSEEN_MS
    ? `It happened between ${formatWhen(before.atMs, timeZone)} and ${at}, while no check could run.`
    : `Seen ${at}.`;
}

/** What cannot be ruled out; empty: everything was read. */
export function gapWords(gap: OverSentinel['gap'], timeZone?: string): string {
  if (gap === null) return '';
  const span = `between ${formatWhen(gap.fromMs, timeZone)} and ${formatWhen(gap.toMs, timeZone)}`;
  return `The log was replaced or emptied ${span}. What was written to the old one in that time could not be read, so such a line there cannot be ruled out.`;
}

/** SECURITY: says nothing that the box wrote into a log: a notification may show it to others, and a webhook takes it away. */
export function overText(boxName: string, over: OverSentinel, timeZone?: string): AlarmText {
  const said = [
    overWords(over),
    whenWords(over, timeZone),
    over.because,
    gapWords(over.gap, timeZone),
  ];
  const [title = '', ...body] = said.filter((each) => each !== null && each !== '');
  return {
    title: `${boxName}: ${title}`,
    body: body.join(' ') || `Armed ${formatWhen(over.armedAtMs, timeZone)}.`,
  };
}

/** Those that still wait although their machine began anew. */
export function restartText(
  boxName: string,
  waiting: readonly Sentinel[],
  timeZone?: string,
): AlarmText {
  const [first, ...others] = waiting;
  if (first === undefined || first.restarted === null) return { title: boxName, body: '' };
  const { how, fromMs, toMs } = first.restarted;
  const what =
    how === 'reboot' ? 'was rebooted or is another machine' : 'was restarted (its container)';
  const more = others.length === 0 ? '' : ` And ${String(others.length)} more.`;
  return {
    title: `${boxName} ${what}: what you wait for may never come`,
    body: `Between ${formatWhen(fromMs, timeZone)} and ${formatWhen(toMs, timeZone)}. Still waiting: ${awaitedWords(first.awaited)}.${more}`,
  };
}
