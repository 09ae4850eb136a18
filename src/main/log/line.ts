import type { Fields } from './fields.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal';

export interface Entry {
  readonly atMs: number;
  readonly level: LogLevel;
  /** Which part of Leasehold speaks, for example `fleet/train-a`. */
  readonly scope: string;
  /** Already redacted, like the fields. */
  readonly message: string;
  readonly fields: Fields;
}

/**
 * Control characters (Cc), halves of characters (Cs), the marks that make a terminal show other text than is there, and
 * the separators at which some viewers break a line.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * One entry, one line: `2025-11-21T03:15:00.000Z WARN  fleet/train-a: link went down {"code":"link-lost"}`. What a box
 * says ends up here, so nothing in it can start a line of its own or move the cursor of whoever reads the log.
 */
export function formatLine({ atMs, level, scope, message, fields }: Entry): string {
  const time = new Date(atMs).toISOString();
  const data = Object.keys(fields).length === 0 ? '' : ` ${JSON.stringify(fields)}`;
  return `${escapeUnsafe(`${time} ${level.toUpperCase().padEnd(5)} ${scope}: ${message}${data}`)}\n`;
}

export function escapeUnsafe(text: string): string {
  return text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
