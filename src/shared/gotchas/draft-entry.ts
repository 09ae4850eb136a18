import { plainText } from '../questions/hostile-text.ts';
import { failureWords } from '../triage/failures.ts';
import { triage } from '../triage/triage.ts';
import { OWN_SOURCE, MAX_INCIDENT_CHARS, type EntryDraft, type Incident } from './entry-draft.ts';
import type { Gotcha, GotchaScope } from './gotcha.ts';
import { plainLog } from './log-text.ts';
import { scopeOfPlatform } from './platform-scope.ts';
import { platformsIn } from './platform-words.ts';
import { search, type SearchIndex } from './search.ts';
import { GAP, MAX_SIGN_CHARS } from './sign.ts';

const LINES_BEFORE = 20;
const LINES_AFTER = 5;
const MAX_LINE_CHARS = 240;
const MAX_TITLE_CHARS = 100;
const MAX_RELATED = 3;
/** With fewer letters it says nothing. */
const MIN_SIGN_LETTERS = 8;

/** What a program says when it ends badly, on a line of its own. */
const BAD_END =
  /\b(?:error|exception|fatal|failed|failure|killed|aborted|abort|denied|refused|timed? ?out|panic|segfault|core dumped|no such|not found|cannot|could not|unable to)\b/i;
/** "KeyError: 'labels'", behind whatever stands before it. */
const EXCEPTION = /\b[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b/;
const FRAME = /^\s*(?:File "|at |\^|~+)/;
/** Time, level, rank: what stands before the message and differs each time. */
const PREFIX =
  /^(?:\s*(?:\[[^\]]{1,40}\]:?|\(?\d{4}-\d\d-\d\d[T ][\d:.,]+Z?\)?|\d\d:\d\d:\d\d(?:[.,]\d+)?|(?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|FATAL)[:|]?|-|\|))+\s*/;
/** What differs from one time to the next: addresses, paths, ids, numbers, what was redacted. */
const CHANGING =
  /(?:[\w.-]+["']?\s?[=:]\s?["']?)?\[redacted\]|0x[0-9a-f]+|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|(?:[A-Za-z]:)?(?:[\\/][\w.@+~-]+){2,}[\\/]?|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\b[0-9a-f]{12,}\b|[-+]?\d[\d.,:_]*(?:e[-+]?\d+)?/gi;

/**
 * An entry from what was seen, for a person to complete: the cause is theirs to say, so it is left open. `redact` takes
 * secrets out before anything is read.
 */
export function draftEntry(
  incident: Incident,
  { index, byId }: { readonly index: SearchIndex; readonly byId: ReadonlyMap<string, Gotcha> },
  redact: (text: string) => string,
): EntryDraft {
  const text = withoutKeyEnd(redact(plainLog(incident.text)));
  const headline =
    incident.headline === null
      ? null
      : asSentence(plainText(redact(incident.headline), MAX_LINE_CHARS));
  const lines = text.split('\n');
  const at = tellingLine(lines);
  const telling = plainText(lines[at] ?? '', MAX_LINE_CHARS).replace(PREFIX, '');
  const judged = triage(text);
  const hits = search(index, [telling, headline ?? ''].join('\n')).hits.filter(
    ({ score }) => score > 0,
  );
  const near = [
    ...(incident.takenFor !== null && byId.has(incident.takenFor) ? [incident.takenFor] : []),
    ...(judged.kind === 'found' && judged.entry !== null ? [judged.entry] : []),
    ...hits.map(({ id }) => id),
  ];
  const answer = judged.kind === 'found' ? failureWords(byId, judged.failure.id).answer : null;
  const related = [...new Set(near)].slice(0, MAX_RELATED);
  const sign = signFrom(telling);
  const isDead = judged.kind === 'found' || EXCEPTION.test(telling);
  return {
    title: titleFrom(telling, headline),
    scope: scopeOf(incident.platform, text),
    theme: byId.get(related[0] ?? '')?.theme ?? 'process',
    severity: incident.severity ?? (isDead ? 'critical' : 'warn'),
    role: 'advice',
    symptom: [
      ...(headline === null ? [] : [headline]),
      ...(telling === '' ? [] : [`The log says: ${telling}`]),
    ].join(' '),
    cause: '',
    fix: answer === null ? [] : [answer],
    probes: [],
    signs: sign === null ? [] : [sign],
    related,
    doubt: null,
    duty: null,
    verified: null,
    source: OWN_SOURCE,
    answers: null,
    incident: seenOf(plainText(redact(incident.beside), MAX_INCIDENT_CHARS), lines, at),
  };
}

/** A private key of which only the end is there has nothing to be recognised by but its last line. */
function withoutKeyEnd(text: string): string {
  const end = /-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY[^\n]*/.exec(text);
  return end === null ? text : text.slice(end.index + end[0].length).trimStart();
}

/** Where the text says most about what happened: its last exception, else its last complaint, else its end. */
function tellingLine(lines: readonly string[]): number {
  const lastOf = (fits: (line: string) => boolean): number => {
    let at = lines.length - 1;
    while (at >= 0 && !fits(lines[at] ?? '')) at -= 1;
    return at;
  };
  for (const fits of [
    (line: string) => EXCEPTION.test(line) && !FRAME.test(line),
    (line: string) => BAD_END.test(line) && !FRAME.test(line),
    (line: string) => line.trim() !== '',
  ]) {
    const at = lastOf(fits);
    if (at >= 0) return at;
  }
  return 0;
}

/** What no log says first: the log is cut to the rest of the room. */
function seenOf(beside: string, lines: readonly string[], at: number): string | null {
  const roomChars = MAX_INCIDENT_CHARS - beside.length - 2;
  const log = roomChars < MAX_LINE_CHARS ? '' : excerpt(lines, at, roomChars);
  const seen = [beside, log].filter((part) => part !== '').join('\n\n');
  return seen === '' ? null : seen;
}

/** The lines around it, as far as they fit: the line itself always does. */
function excerpt(lines: readonly string[], at: number, maxChars: number): string {
  const around = lines
    .slice(Math.max(0, at - LINES_BEFORE), at + LINES_AFTER + 1)
    .map((line) => line.slice(0, MAX_LINE_CHARS));
  let first = 0;
  const lengthFrom = (from: number): number => around.slice(from).join('\n').length;
  while (first < around.length - 1 && lengthFrom(first) > maxChars) first += 1;
  return plainText(around.slice(first).join('\n'), maxChars);
}

function titleFrom(telling: string, headline: string | null): string {
  const words = headline ?? telling;
  return plainText(words.replace(/[.:\s]+$/, ''), MAX_TITLE_CHARS);
}

/** What will be the same when it happens again; null: too little. */
export function signFrom(line: string): string | null {
  const parts = line
    .replace(PREFIX, '')
    .replace(CHANGING, GAP)
    .replace(/["'`()[\]{}<>]+(?=…)|(?<=…)["'`()[\]{}<>]+/g, '')
    .replace(/…(?:[\s,;:%x/*=-]*…)+/g, GAP)
    .trim()
    .replace(/^[…\s,;:]+|[…\s,;:]+$/g, '');
  const sign = cutAtWord(parts, MAX_SIGN_CHARS);
  return (sign.match(/\p{L}/gu) ?? []).length < MIN_SIGN_LETTERS ? null : sign;
}

function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max);
  const space = cut.lastIndexOf(' ');
  return (space > max / 2 ? cut.slice(0, space) : cut).replace(/[…\s,;:]+$/, '');
}

function scopeOf(platform: string | null, text: string): GotchaScope {
  const own = platform === null ? null : scopeOfPlatform(platform);
  if (own !== null) return own;
  const [only, ...more] = platformsIn(text.toLowerCase());
  return only !== undefined && more.length === 0 ? only : 'universal';
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
