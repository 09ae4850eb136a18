import { classifyLine, classifyTraceback, HARD, type Classified } from './classify.ts';
import type { LogEnding } from './failure-words.ts';
import type { FailureId } from './failures.ts';
import { lastLines, type LogLine } from './log-lines.ts';
import { doesGoOn, hasEndedWell, hasFigures, isEpilogue, isProgressBar } from './log-talk.ts';
import { readTracebacks } from './tracebacks.ts';

/** What ended a run, in its own last words. */
export interface LastWords {
  readonly ending: LogEnding;
  /** Null: it ended badly, and in no way that is known. */
  readonly failure: FailureId | null;
  /** The entry that tells of exactly this; null: that of its class. */
  readonly gotcha: string | null;
  /** The line it rests on, as it was written. Hostile. */
  readonly line: string;
  /** The exception, where it was one. */
  readonly name: string | null;
  /** What could make it something else. */
  readonly caveat: string | null;
}

/** Several ranks print their tracebacks one after the other; further up is what was survived. */
const END_LINES = 300;
/** After an exception that was caught, the run goes on and prints more than the rest of its words. */
const AFTER_AN_END = 5;
/** A bar is printed once more when its loop breaks, and so is the one around it. */
const LAST_BARS = 2;
/** What other ranks print until they are ended, too. */
const OTHERS_GO_ON = 60;

/**
 * What the end of a log says about how its run ended. Older lines tell of what it has survived: a caught exception, an earlier
 * run in the same file. Null: the last lines hold nothing that ends a run.
 */
export function readLogEnding(text: string): LastWords | null {
  const known = read.get(text);
  if (known !== undefined) return known;
  const found = readEnding(text);
  read.set(text, found);
  for (const oldest of read.keys()) if (read.size > MOST_READ) read.delete(oldest);
  return found;
}

/** Of one look a dozen rules ask for the end of the same log, which is some milliseconds to read; a look tells of 6 KiB of each. */
const MOST_READ = 256;
const read = new Map<string, LastWords | null>();

function readEnding(text: string): LastWords | null {
  const lines = lastLines(text, END_LINES);
  const begin = beginOfEnd(lines);
  const end = lines.slice(begin);
  const last = judgeEnd(end, hasEndedWell(lines.slice(0, begin)));
  if (last === null) return null;
  const cause =
    last.isEcho && end.some(({ raw }) => LAUNCHER.test(raw)) ? causeBefore(lines, begin) : null;
  return (cause ?? last).words;
}

/** Behind the last line that shows the run going on. */
function beginOfEnd(lines: readonly LogLine[], isGoing = doesGoOn): number {
  const inTraceback = new Set(readTracebacks(lines).flatMap((each) => each.lines));
  const bars = new Set<string>();
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at];
    if (line === undefined || inTraceback.has(at)) continue;
    const bar = isProgressBar(line.text);
    if (bar !== null) bars.add(bar);
    if (bars.size > LAST_BARS || (bar === null && isGoing(line) && classifyLine(line) === null)) {
      return at + 1;
    }
  }
  return 0;
}

/** A launcher's summary does not say why: the rank that died may have said it while the others went on for a moment. */
const LAUNCHER =
  /ChildFailedError|elastic|srun: error|launch\.py|Process(?:Exited|Raised)Exception|mpirun|accelerate|Killing subprocess|EngineDeadError|EngineCore/;

function causeBefore(lines: readonly LogLine[], begin: number): Judged | null {
  const before = lines.slice(Math.max(0, begin - OTHERS_GO_ON), begin);
  const isOthers = (line: LogLine): boolean =>
    isProgressBar(line.text) !== null || hasFigures(line);
  const rest = before.filter((line) => !isOthers(line));
  const talk = rest.map(doesGoOn).lastIndexOf(true);
  const judged = judgeEnd(rest.slice(talk + 1), false);
  return judged === null || judged.isEcho ? null : judged;
}

/** What fails before this place the run has survived: figures of it come after that. 0: none do. */
export function placeOfLastFigures(text: string): number {
  const lines = lastLines(text, END_LINES);
  const begin = beginOfEnd(lines, hasFigures);
  return begin === 0 ? 0 : (lines[begin]?.at ?? text.length);
}

interface Judged {
  readonly words: LastWords;
  readonly isEcho: boolean;
  readonly who: string;
  readonly at: number;
  /** Where the traceback begins; null: it is none. */
  readonly from: number | null;
  /** Whether the exception says that something could not be done, in all its lines; of a line outside a traceback nobody asks. */
  readonly couldNot: boolean;
}

/** NCCL's way from a failed call up, a line for each place: "transport.cc:196 -> 2". */
const NCCL_FAILED = /\bNCCL INFO \S{1,200}:\d{1,6} -> [1-9]/;

/** `isAfterGood`: the run had said before that it ended well. */
function judgeEnd(lines: readonly LogLine[], isAfterGood: boolean): Judged | null {
  const tracebacks = readTracebacks(lines);
  const inside = new Set(tracebacks.flatMap((each) => each.lines));
  const classified = lines.map((line, at) => (inside.has(at) ? null : classifyLine(line)));
  const isInError =
    tracebacks.length > 0 ||
    classified.some((words) => words !== null && !words.needsError) ||
    lines.some(({ level, raw }) => level === 'error' || NCCL_FAILED.test(raw));
  const doesCount = (
    { isEcho, isAlsoWarning, needsError, failure }: Classified,
    { level }: LogLine,
  ): boolean =>
    !(isEcho && isAlsoWarning && (isAfterGood || (needsError && !isInError))) &&
    // What served the run is ended behind it.
    !(isAfterGood && failure === 'ended-by-signal' && level === 'low');
  const judged = [
    ...tracebacks
      .filter(({ aside }) => aside !== 'clearing-up')
      .flatMap((traceback): readonly Judged[] => {
        const { raised, words } = classifyTraceback(traceback);
        const last = traceback.lines.at(-1);
        if (raised === undefined || last === undefined) return [];
        const from = traceback.lines[0] ?? null;
        const couldNot = [raised, ...raised.more].some(({ text }) => COULD_NOT.test(text));
        const told = judge(words, raised, { who: traceback.who, at: last, from, couldNot });
        return [traceback.aside === 'thread' ? { ...told, isEcho: true } : told];
      }),
    ...lines.flatMap((line, at): readonly Judged[] => {
      const words = classified[at] ?? null;
      return words === null || !doesCount(words, line)
        ? []
        : [
            judge(
              words,
              { line: line.raw, name: null },
              { who: line.who, at, from: null, couldNot: false },
            ),
          ];
    }),
  ].sort((a, b) => a.at - b.at);
  const chosen = choose(judged);
  if (chosen === null || isByScheduler(chosen)) return chosen;
  const others = lines.filter(
    (line, at) =>
      at > chosen.at &&
      !inside.has(at) &&
      isProgressBar(line.text) === null &&
      !isEpilogue(line) &&
      (classified[at] ?? null) === null,
  );
  return others.length <= AFTER_AN_END ? chosen : null;
}

/** Printed by the scheduler, and not by the run: what a workflow says after it does not take it back. */
const isByScheduler = ({ words }: Judged): boolean =>
  words.ending === 'walltime' || words.ending === 'preempted' || words.gotcha === 'SLURM4';

/** These end a run whatever else is printed around them. */
const DECISIVE: readonly ((words: LastWords) => boolean)[] = [
  ({ failure }) => failure === 'time-limit',
  ({ failure }) => failure === 'hardware',
  ({ ending }) => ending === 'oom-kill',
];

const isKnown = ({ words }: Judged): boolean => words.failure !== null;

function choose(judged: readonly Judged[]): Judged | null {
  for (const isDecisive of DECISIVE) {
    const decisive = judged.filter(({ words }) => isDecisive(words)).at(-1);
    if (decisive !== undefined) return decisive;
  }
  const causes = judged.filter(({ isEcho }) => !isEcho);
  const last = causes.at(-1);
  if (last === undefined) return chooseEcho(judged);
  if (last.words.failure !== null) return whatALibrarySaid(causes, last) ?? last;
  // Of several ranks one may know why; of one process only its last exception counts.
  return causes.filter((each) => isKnown(each) && each.who !== last.who).at(-1) ?? last;
}

/** Once one process has ended by itself, the launcher ends the others: their signal is not why. */
function chooseEcho(judged: readonly Judged[]): Judged | null {
  const known = judged.filter(isKnown);
  const first = judged[0];
  const isByLauncher =
    first !== undefined &&
    !isKnown(first) &&
    known.every(({ words }) => words.failure === 'ended-by-signal');
  return (isByLauncher ? first : (known.at(-1) ?? judged.at(-1))) ?? null;
}

/** A library prints that memory or disk is full, and what calls it raises that it could not load something. */
const CALLER_LINES = 5;
const COULD_NOT =
  /\bfail(?:ed|ure|s)?\b|\b(?:could not|couldn't|unable to)\b|\b(?:cannot|can't) (?:load|open|read|write|create|allocate|init)/i;

function whatALibrarySaid(
  causes: readonly Judged[],
  { words: raised, from, couldNot }: Judged,
): Judged | undefined {
  if (from === null || raised.failure !== 'code-or-config' || !couldNot) {
    return undefined;
  }
  return causes
    .filter(
      ({ at, words }) =>
        words.name === null &&
        HARD.includes(words.failure) &&
        at < from &&
        at >= from - CALLER_LINES,
    )
    .at(-1);
}

function judge(
  words: Classified | null,
  { line, name }: { readonly line: string; readonly name: string | null },
  where: Pick<Judged, 'who' | 'at' | 'from' | 'couldNot'>,
): Judged {
  return {
    words: {
      ending: words?.ending ?? 'error',
      failure: words?.failure ?? null,
      gotcha: words?.gotcha ?? null,
      line,
      name,
      caveat: words?.caveat ?? null,
    },
    isEcho: words?.isEcho ?? false,
    ...where,
  };
}
