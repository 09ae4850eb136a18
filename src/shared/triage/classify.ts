import { FAILURE_WORDS, type FailureWords } from './failure-words.ts';
import type { LogLine } from './log-lines.ts';
import { isComment, isRetried } from './log-talk.ts';
import type { Raised, Traceback } from './tracebacks.ts';

/** What Python raises for a mistake in what was written; facts/principles.md §4. */
const MISTAKES = new Set([
  'ArgumentError',
  'AssertionError',
  'AttributeError',
  'ConfigError',
  'ConstructorError',
  'FileExistsError',
  'FileNotFoundError',
  'ImportError',
  'IndentationError',
  'IndexError',
  'IsADirectoryError',
  'JSONDecodeError',
  'KeyError',
  'LookupError',
  'ModuleNotFoundError',
  'NameError',
  'NotADirectoryError',
  'NotImplementedError',
  'ParserError',
  'PermissionError',
  'PicklingError',
  'RecursionError',
  'ScannerError',
  'SyntaxError',
  'TabError',
  'TypeError',
  'UnboundLocalError',
  'UnicodeDecodeError',
  'UnicodeEncodeError',
  'UnpicklingError',
  'UsageError',
  'ValidationError',
  'ValueError',
  'ZeroDivisionError',
]);
const NUMBERS = new Set(['FloatingPointError', 'OverflowError']);
/** What is raised where another process has ended, or only to end this one. */
const ECHOES = new Set([
  'BrokenPipeError',
  'CalledProcessError',
  'ChildFailedError',
  'ConnectionAbortedError',
  'ConnectionRefusedError',
  'ConnectionResetError',
  'EOFError',
  'Exit',
  'ProcessExitedException',
  'ProcessRaisedException',
  'SystemExit',
]);

const NAMED = {
  ending: 'error',
  gotcha: null,
  isOwnWord: false,
  isAlsoWarning: false,
  needsError: false,
  caveat: null,
} as const;

/** A store's answer to who may not, or asks for what is not there; a tool tells of it as of a download that failed. */
const REFUSED =
  /\b(?:AccessDenied|NoSuchKey|NoSuchBucket|Forbidden|Unauthorized)\b|\bthe bucket (?:path|permission)\b/;

/** What an exception says; null: it is none of the known ones. */
export function classifyRaised({ name, text, more }: Raised): Classified | null {
  const said = FAILURE_WORDS.find(({ pattern }) => pattern.test(text));
  if (said !== undefined && !(said.isEcho && said.failure === null)) return said;
  // "ray.exceptions.RayTaskError(KeyError)" is what the worker raised.
  const inner = /\((\w{1,60})\)$/.exec(name)?.[1];
  const last = inner ?? name.slice(name.lastIndexOf('.') + 1);
  const refused = more.find(({ text: line }) => REFUSED.test(line));
  if (said?.failure === 'network' && refused !== undefined) {
    return (
      FAILURE_WORDS.find(
        ({ failure, pattern }) => failure === 'code-or-config' && pattern.test(refused.text),
      ) ?? said
    );
  }
  const further = more.flatMap(
    (line) =>
      FAILURE_WORDS.find(({ pattern, failure }) => failure !== null && pattern.test(line.text)) ??
      [],
  );
  if (further[0] !== undefined) return further[0];
  const isMistake =
    MISTAKES.has(last) ||
    more.some((line) =>
      MISTAKES.has(/^(?:[\w.]{1,100}\.)?(\w{1,60}Error): /.exec(line.text)?.[1] ?? ''),
    );
  if (isMistake) return { ...NAMED, failure: 'code-or-config', isEcho: false };
  if (NUMBERS.has(last)) return { ...NAMED, failure: 'numbers', isEcho: false };
  return said ?? (ECHOES.has(last) ? { ...NAMED, failure: null, isEcho: true } : null);
}

/** Whether these words are those of a run that ends, wherever they stand. */
export function speaksOfAnEnd(line: string): boolean {
  return FAILURE_WORDS.some(({ pattern }) => pattern.test(line));
}

export type Classified = Omit<FailureWords, 'pattern'>;

/** These end a run also while something else is dealt with. */
export const HARD: readonly (string | null)[] = [
  'hardware',
  'disk-full',
  'host-memory',
  'gpu-memory',
];

/** The exception of a chain that says why, with its class; null: its last one is none of the known ones. */
export function classifyTraceback({ chain }: Traceback): {
  readonly raised: Raised | undefined;
  readonly words: Classified | null;
} {
  const all = chain.map((raised) => ({ raised, words: classifyRaised(raised) }));
  const own = all.at(-1);
  const isCause = ({ words }: (typeof all)[number]): boolean =>
    words !== null && !words.isEcho && words.failure !== null;
  // What fails while a full disk is dealt with hides it; else what was raised last is what nobody caught.
  const causes = all.filter(isCause);
  const hard = causes.filter(({ words }) => HARD.includes(words?.failure ?? null)).at(-1);
  const chosen = hard ?? (own !== undefined && isCause(own) ? own : (causes.at(-1) ?? own));
  return { raised: chosen?.raised, words: chosen?.words ?? null };
}

/** "train.py: error: …", "Could not load …", "RuntimeError: …" in the middle of a line, what a C++ exception says. */
const COMPLAINS =
  /^(?:[\w./+-]{1,120}: {0,2}){0,3}(?:\[\w{1,20}\] )?(?:error|fatal|critical|failed|failure|panic|abort(?:ed)?|exception|could not|cannot|unable to)\b|\b[\w.]{0,120}(?:Error|Exception): |what\(\): |\b(?:error|failed|cannot|can't|could not|couldn't|unable to|didn't|not (?:found|enough|compatible)|timed out|refused|denied|exceeds?|exceeded)\b/i;
/** A line of a program, as a traceback shows it. */
const RAISES = /^\s{2,}raise\s/;
const SPEAKS_OF_SIGNALS = ['hang-up', 'time-limit', 'ended-by-signal'];

/** What a line outside of a traceback says; null: it may speak of a failure, but does not complain of one. */
export function classifyLine(line: LogLine): Classified | null {
  if (isComment(line) || isRetried(line) || RAISES.test(line.text)) return null;
  for (const words of FAILURE_WORDS) {
    const found = words.pattern.exec(line.text);
    if (found === null) continue;
    const isAnnounced = line.level === 'error' || found.index <= 2 || COMPLAINS.test(line.text);
    if (line.level === 'low') {
      const isSignal = SPEAKS_OF_SIGNALS.includes(words.failure ?? '') && words.isOwnWord;
      if (isSignal || words.isAlsoWarning) return words;
    } else if (words.isOwnWord || isAnnounced) return words;
  }
  return null;
}
