import type { Gotcha } from '../gotchas/gotcha.ts';
import { boundText, lineAt, plainLog } from '../gotchas/log-text.ts';
import { lastPlaceOf, parseSign } from '../gotchas/sign.ts';
import { failures, type Failure } from './failures.ts';

/** What ended a run stands here; an error further up was survived. */
const END_LINES = 60;
/** Where the end is a traceback: several ranks print theirs one after the other. */
const TRACEBACK_LINES = 300;

const TRACEBACK = /Traceback \(most recent call last\)/;
/** The last line of a traceback, also behind a rank's mark. */
const EXCEPTION =
  /^(?:\[[^\]]{1,40}\]:?\s*)?((?:[A-Za-z_]\w{0,60}\.){0,8}([A-Z]\w{0,60}(?:Error|Exception|Interrupt)))\b/;
/** What Python raises for a mistake in what was written; facts/principles.md §4. */
const MISTAKES = new Set([
  'KeyError',
  'AttributeError',
  'NameError',
  'TypeError',
  'ValueError',
  'IndexError',
  'AssertionError',
  'ImportError',
  'ModuleNotFoundError',
  'SyntaxError',
  'IndentationError',
  'FileNotFoundError',
  'NotImplementedError',
]);
const ENDED_WELL = /\b(?:exit(?:ed)?(?: with)? (?:code|status)|rc)[ =:]{0,3}0\b/i;
const LAST_LINES = 5;

/** What the end of a log shows: a known failure, that it ended well, or nothing that proves either. */
export type Triage =
  | {
      readonly kind: 'found';
      readonly failure: Failure;
      /** The line it rests on, as it was written; hostile, whoever shows it escapes it. */
      readonly line: string;
      /** What could make it something else; null: nothing. */
      readonly caveat: string | null;
    }
  | { readonly kind: 'clear'; readonly line: string }
  | { readonly kind: 'unknown'; readonly because: string };

/** Classifies the end of a log into a fixed answer. Never guesses: a log that just stops proves nothing (U3). */
export function triage(log: string, byId: ReadonlyMap<string, Pick<Gotcha, 'signs'>>): Triage {
  const lines = boundText(plainLog(log)).text.split('\n');
  if (lines.join('').trim() === '') return { kind: 'unknown', because: 'there is no text' };
  const text = endOf(lines).join('\n');
  const small = text.toLowerCase();
  const shown = small.length === text.length ? text : small;
  for (const failure of failures) {
    const signs = [
      ...failure.entries.flatMap((id) => byId.get(id)?.signs ?? []),
      ...failure.signs,
    ].map(parseSign);
    const at = Math.max(-1, ...signs.map((sign) => lastPlaceOf(sign, small)));
    if (at >= 0) return found(failure, lineAt(shown, at), small);
    const mistake = failure.id === 'code-or-config' ? lastException(text) : null;
    if (mistake !== null && MISTAKES.has(mistake.name)) return found(failure, mistake.line, small);
  }
  const exception = lastException(text);
  if (exception !== null) {
    return { kind: 'unknown', because: `${exception.name} is in none of the known classes` };
  }
  const good = lines.slice(-LAST_LINES).find((line) => ENDED_WELL.test(line));
  if (good !== undefined) return { kind: 'clear', line: good.trim().slice(0, 240) };
  return {
    kind: 'unknown',
    because: 'its end shows no error; that it just stops says nothing about why',
  };
}

function endOf(lines: readonly string[]): readonly string[] {
  const end = lines.slice(-END_LINES);
  return end.some((line) => TRACEBACK.test(line)) ? lines.slice(-TRACEBACK_LINES) : end;
}

function found(failure: Failure, line: string, small: string): Triage {
  return { kind: 'found', failure, line, caveat: caveatOf(failure, small) };
}

/** A bare "Killed" may have been a person, a scheduler or the kernel: only its own words prove the memory. */
function caveatOf({ id }: Failure, small: string): string | null {
  if (id !== 'host-memory') return null;
  const isProven = /out of memory: killed process|oom[-_ ]kill|memory cgroup out of memory/.test(
    small,
  );
  return isProven
    ? null
    : 'Proven only if the box’s count of such kills rose: grep oom_kill /sys/fs/cgroup/memory.events';
}

function lastException(text: string): { readonly name: string; readonly line: string } | null {
  for (const line of text.split('\n').reverse()) {
    const [, , name] = EXCEPTION.exec(line.slice(0, 600)) ?? [];
    if (name !== undefined) return { name, line: line.trim().slice(0, 240) };
  }
  return null;
}
