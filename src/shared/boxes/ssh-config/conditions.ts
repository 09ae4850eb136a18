import { noteOf, type ConfigEntry, type ConfigNote } from './config-file.ts';
import { matchesAny, toPattern, type Pattern } from './patterns.ts';

/** When the lines under a Host or Match line count. */
export type Condition =
  | { readonly kind: 'host'; readonly patterns: readonly Pattern[] }
  | { readonly kind: 'match'; readonly tests: readonly MatchTest[]; readonly note: ConfigNote };

type MatchTest =
  | { readonly on: 'all' }
  | { readonly on: 'not-understood' }
  | {
      readonly on: 'host' | 'originalhost' | 'user';
      readonly isNegated: boolean;
      readonly patterns: readonly Pattern[];
    };

/** What a condition is asked about. `host` and `user` are as far as they are known at that line. */
export interface Subject {
  readonly originalHost: string;
  readonly host: string;
  readonly user: string;
}

export type Answer = 'yes' | 'no' | 'not-understood';

const WITH_PATTERNS = ['host', 'originalhost', 'user'] as const;
const WITH_VALUE = [
  'exec',
  'localuser',
  'localnetwork',
  'tagged',
  'sessiontype',
  'command',
  'version',
];

export function readCondition(entry: ConfigEntry): Condition {
  if (entry.keyword === 'host') return { kind: 'host', patterns: entry.args.map(toPattern) };
  const words = splitMatchWords(entry.raw);
  const tests: MatchTest[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const isNegated = word.startsWith('!');
    const name = word.replace(/^!/, '').toLowerCase();
    const on = WITH_PATTERNS.find((each) => each === name);
    if (on !== undefined) {
      at += 1;
      tests.push({ on, isNegated, patterns: (words[at] ?? '').split(',').map(toPattern) });
    } else if (name === 'all' && words.length === 1 && !isNegated) {
      tests.push({ on: 'all' });
    } else {
      // SECURITY: exec would run a command. It is never run, and what stands under it is never assumed.
      tests.push({ on: 'not-understood' });
      if (WITH_VALUE.includes(name)) at += 1;
    }
  }
  return {
    kind: 'match',
    tests: tests.length > 0 ? tests : [{ on: 'not-understood' }],
    note: noteOf(entry, 'not understood: what stands under it is not used'),
  };
}

/** In the order of the line, as OpenSSH does: what fails for certain ends it. */
export function judgeCondition(condition: Condition, subject: Subject): Answer {
  if (condition.kind === 'host') {
    return matchesAny(condition.patterns, subject.originalHost) ? 'yes' : 'no';
  }
  let answer: Answer = 'yes';
  for (const test of condition.tests) {
    if (test.on === 'all') continue;
    if (test.on === 'not-understood') answer = 'not-understood';
    else if (matchesAny(test.patterns, valueOf(test.on, subject)) === test.isNegated) return 'no';
  }
  return answer;
}

function valueOf(on: 'host' | 'originalhost' | 'user', subject: Subject): string {
  if (on === 'user') return subject.user;
  return on === 'host' ? subject.host : subject.originalHost;
}

/** Match has a splitting of its own: `host=a,b`, `host "a,b"`, blanks or one equals sign between words. */
function splitMatchWords(raw: string): readonly string[] {
  const words: string[] = [];
  const next = /\s*(?:"([^"]*)"?|([^\s="]+))\s*=?/gy;
  for (let found = next.exec(raw); found !== null; found = next.exec(raw)) {
    const word = found[1] ?? found[2] ?? '';
    if (found[1] === undefined && word.startsWith('#')) break;
    words.push(word);
  }
  return words;
}
