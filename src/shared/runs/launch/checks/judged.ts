import type { KnownBox } from '../known-box.ts';
import type { CheckAnswer } from '../launch-plan.ts';

/** What one check has found. */
export interface Judged {
  readonly answer: CheckAnswer;
  readonly says: string;
  readonly gotcha: string | null;
  /** Of a block: what launching anyway means. Null: nothing could be launched, or nothing of it read back. */
  readonly anyway: string | null;
}

type Say = (says: string, gotcha?: string | null) => Judged;

const saying =
  (answer: Exclude<CheckAnswer, 'block'>): Say =>
  (says, gotcha = null) => ({ answer, says, gotcha, anyway: null });

export const pass = saying('pass');
export const warn = saying('warn');
export const unknown = saying('unknown');

/** `anyway`: what launching all the same means. */
export function block(says: string, gotcha: string | null, anyway: string): Judged {
  return { answer: 'block', says, gotcha, anyway };
}

/** Nobody can launch over this one. */
export function bar(says: string, gotcha: string | null = null): Judged {
  return { answer: 'block', says, gotcha, anyway: null };
}

/** Of these entries the one that is about the platform of the box: the same question, with what can be done about it there. */
export function ownTrap(
  { traps }: Pick<KnownBox, 'traps'>,
  ...entries: readonly string[]
): string | null {
  return entries.find((id) => traps.includes(id)) ?? null;
}

export const MAX_SHOWN_CHARS = 200;
export const GIB = 1024 ** 3;

/** "12 s ago", "3 min ago". */
export function agoWords(atMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - atMs) / 1000));
  return seconds < 120 ? `${String(seconds)} s ago` : `${String(Math.round(seconds / 60))} min ago`;
}

/** "a", "a and b", "a, b and 3 more". */
export function listWords(words: readonly string[], max = 3): string {
  const shown = words.length > max ? words.slice(0, max - 1) : words;
  const rest = words.length - shown.length;
  const all = rest > 0 ? [...shown, `${String(rest)} more`] : shown;
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}
