import type { LogLine } from './log-lines.ts';
import { doesGoOn, isComment, isProgressBar, isRetried } from './log-talk.ts';

/** One exception of a traceback. */
export interface Raised {
  readonly name: string;
  /** As it was written. Hostile. */
  readonly line: string;
  readonly text: string;
  /** Further lines of its message. */
  readonly more: readonly LogLine[];
  readonly at: number;
}

export interface Traceback {
  readonly who: string;
  /** The last was raised while the others were dealt with, or because of them. Empty: its end is not there. */
  readonly chain: readonly Raised[];
  /** Where its own lines stand among those that were read. */
  readonly lines: readonly number[];
  /** Of what Python clears up at its end: it ends nothing. Of a thread beside the program: it may have. */
  readonly aside: 'clearing-up' | 'thread' | null;
  /** False: only its last line is there. */
  readonly hasHeader: boolean;
}

interface OpenTraceback {
  readonly who: string;
  readonly chain: {
    readonly name: string;
    readonly line: string;
    readonly text: string;
    readonly more: LogLine[];
    readonly at: number;
  }[];
  readonly lines: number[];
  readonly aside: Traceback['aside'];
  readonly hasHeader: boolean;
  state: 'frames' | 'message' | 'chained';
}

const HEADER = /^[\s|+-]{0,8}(?:Exception Group )?Traceback \(most recent call last\)/;
const CHAINED =
  /^\s{0,4}(?:During handling of the above exception|The above exception was the direct cause)/;
const ASIDE =
  /^(?:Exception ignored in|Error in atexit|--- Logging error|Error in sys\.excepthook)/;
const THREAD = /^Exception in thread\b/;
const FRAME = /^(?:\s|File "|\^|~)/;
/** The last line of a traceback; behind a header, any dotted name may be an exception. */
const BARE =
  /^((?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Interrupt|Exit|Invalid|Timeout|Expired|NotFound|Killed|TimedOut|OutOfResources)(?:\(\w{1,60}\))?)(?: \(see above for traceback\))?(?::\s|:?$)/;
const NAMED = /^((?:[A-Za-z_]\w{0,60}\.){0,8}[A-Za-z_]\w{0,60}(?:\(\w{1,60}\))?)(?::\s|:?$)/;
/** TensorFlow and Ray say why at the end of a long message. */
const MAX_MORE = 40;

/** The tracebacks among these lines, those of several processes apart, in the order in which they end. */
export function readTracebacks(lines: readonly LogLine[]): readonly Traceback[] {
  const open = new Map<string, OpenTraceback>();
  const done: OpenTraceback[] = [];
  const close = (who: string): void => {
    const traceback = open.get(who);
    if (traceback !== undefined) done.push(traceback);
    open.delete(who);
  };
  const before = new Map<string, string>();
  lines.forEach((line, at) => {
    const { text, who } = line;
    const current = open.get(who);
    if (HEADER.test(text)) {
      if (current?.state === 'chained') {
        current.state = 'frames';
        current.lines.push(at);
      } else {
        close(who);
        const said = before.get(who) ?? '';
        const aside = ASIDE.test(said) ? 'clearing-up' : THREAD.test(said) ? 'thread' : null;
        open.set(who, { who, chain: [], lines: [at], aside, hasHeader: true, state: 'frames' });
      }
    } else if (current !== undefined && takes(current, line, at)) {
      // It belongs to the one that is open.
    } else {
      close(who);
      const name = BARE.exec(text)?.[1];
      if (name !== undefined && !isRetried(line) && !isComment(line)) {
        const raised = { name, line: line.raw, text, more: [], at };
        open.set(who, {
          who,
          chain: [raised],
          lines: [at],
          aside: null,
          hasHeader: false,
          state: 'message',
        });
      }
    }
    before.set(who, text);
  });
  for (const who of [...open.keys()]) close(who);
  return done.sort((a, b) => (a.chain.at(-1)?.at ?? 0) - (b.chain.at(-1)?.at ?? 0));
}

/** Whether this line goes on with it. */
function takes(traceback: OpenTraceback, line: LogLine, at: number): boolean {
  const { text } = line;
  if (CHAINED.test(text)) {
    traceback.state = 'chained';
  } else if (traceback.state === 'frames') {
    const isFrame = FRAME.test(text);
    const name = isFrame || text.startsWith('wandb:') ? null : (NAMED.exec(text)?.[1] ?? null);
    if (name === null && !isFrame) return false;
    if (name !== null) {
      traceback.chain.push({ name, line: line.raw, text, more: [], at });
      traceback.state = 'message';
    }
  } else if (traceback.state === 'message') {
    const more = traceback.chain.at(-1)?.more;
    const isNext = BARE.test(text) && !traceback.hasHeader;
    if (more === undefined || more.length >= MAX_MORE || isNext) return false;
    if (isProgressBar(text) !== null || doesGoOn(line)) return false;
    more.push(line);
    // What is not indented may as well be what the run says next, and is counted as that.
    if (!/^\s/.test(text)) return true;
  } else return false;
  traceback.lines.push(at);
  return true;
}
