/** What stands before a line's own words and says who printed it: a rank, a worker, a time, a level. */
const WHO =
  /^(?:\[(?:rank|default|node|worker|proc)[-_ ]?\d{1,5}\]:?|\[\d{1,10}\](?= ?(?:\[|\d{4}-))|\d{1,5}: |\([\w.:-]{1,80} (?:pid=\d{1,10}|TP\d)[^)]{0,80}\)|\((?:pid|ip)=[^)]{1,80}\)|(?:worker|node|rank)-\d{1,5}: )\s?/i;
const WHEN =
  /^(?:\[?\(?\d{4}[-/]\d\d[-/]\d\d[T _]\d\d:\d\d:\d\d(?:[.,:]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\)?\]?|\[?\d\d[-/]\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\]?|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]?|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S{1,80})(?=[\s:]|$)(?:\s?[,:|-])?\s?/;
const LEVEL =
  /^(?:\[\s?)?(DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|CRITICAL|FATAL|SEVERE)\b(?:\s{0,4}\])?(?:\s{0,4}[:|-])?\s?/;
/** glog's "E1102 03:51:44.120 123 file.cpp:616]", whose month may have one digit, and torch's "[E ProcessGroupNCCL.cpp:616]". */
const GLOG =
  /^\[?([DIWEF])(?:(?:\d{3,4}| \d\d-\d\d) \d\d:\d\d:\d\d(?:\.\d{1,9})?(?: {1,4}\d{1,10})?(?: [\w./-]{1,80}:\d{1,6})?\]| [\w./-]{1,80}:\d{1,6}\]|\])\s?/;
/** TensorFlow prints what ends an operation, and the run with it, as a warning. */
const OF_AN_OP = /\b(?:op_(?:kernel|requires)|executor)\.cc:/;
/** A tracker's own lines have a level behind its name. */
const TRACKER = /^wandb: (?=(?:DEBUG|INFO|WARNING|ERROR)\b)/;
/** Where in its program a line was printed: "[core.py:700]", "engine.py:123]", "root -". */
const WHERE =
  /^(?:\[[\w./<>-]{1,80}:\d{1,6}(?::\w{1,60})?\]|[\w./-]{1,80}\.(?:py|cc|cpp):\d{1,6}\]|\[[a-zA-Z_][\w.]{0,80}\](?=[\s:-])|[a-z_][\w.]{1,80} -(?=\s))(?:\s?[:-])?\s?/;
/** Python's own form: "ERROR:root:what happened". */
const LOGGER = /^[a-z_][\w.]{0,80}:(?=\S)/;

/** The frame around the tracebacks of a group of exceptions. */
const GROUP = /^ {2,12}\| ?/;

export type LineLevel = 'low' | 'error' | null;

/** One line of a log without what stands before its words. */
export interface LogLine {
  /** As it was written, without its blanks at both ends. Hostile. */
  readonly raw: string;
  /** What it says; blanks at its beginning are kept, for they mark the lines of a traceback. */
  readonly text: string;
  /** Which of several processes printed it; empty: it does not say. */
  readonly who: string;
  readonly level: LineLevel;
  /** Where in its text the printed line begins. */
  readonly at: number;
}

const MAX_LINE_CHARS = 2000;
/** Colours and other orders to a terminal, and what is no character. */
const NO_WORDS = /\u001b\[[0-9;?]{0,20}[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g;
/** Who, when, level, where, in whatever order; a line that is made of nothing else ends it, too. */
const MAX_PREFIXES = 8;

/** The last `count` lines that say something. A carriage return begins a line, as a progress bar does. */
export function lastLines(text: string, count: number): readonly LogLine[] {
  const lines: LogLine[] = [];
  let end = text.length;
  while (end > 0 && lines.length < count) {
    // Step by step: a search for one of the two characters would go to the beginning of a text that lacks it, each time.
    let begin = end;
    while (begin > 0 && !isLineEnd(text.charCodeAt(begin - 1))) begin -= 1;
    const raw = text.slice(begin, Math.min(end, begin + MAX_LINE_CHARS)).replace(NO_WORDS, '');
    for (const part of apart(raw)) {
      if (part.trim() !== '') lines.push({ ...readLine(part.trimEnd()), at: begin });
    }
    end = begin - 1;
  }
  return lines.reverse();
}

/** A bar ends without a line end, and what is printed next stands behind it. The last one first. */
function apart(raw: string): readonly string[] {
  const [, bar, rest] = BEHIND_A_BAR.exec(raw) ?? [];
  return bar === undefined || rest === undefined ? [raw] : [rest, bar];
}

const BEHIND_A_BAR =
  /^(.{0,200}?\d{1,3}%\|.{0,200}?\|\s{0,3}[\d.]{1,12}[kMGT]?\/[\d.?]{1,12}[kMGT]?\s{0,3}\[[^\][]{0,300}\])(\s*\S.*)$/;

const isLineEnd = (code: number): boolean => code === 10 || code === 13;

function readLine(raw: string): Omit<LogLine, 'at'> {
  let text = raw.replace(GROUP, '').replace(TRACKER, '');
  let who = '';
  let level: LineLevel = null;
  for (let i = 0; i < MAX_PREFIXES; i += 1) {
    // Blanks before a prefix are no indentation; before the words they are.
    const rest = text.trimStart();
    const whose = WHO.exec(rest)?.[0];
    const levelled = LEVEL.exec(rest) ?? GLOG.exec(rest);
    const cut =
      whose ??
      levelled?.[0] ??
      (WHEN.exec(rest) ?? WHERE.exec(rest))?.[0] ??
      (level === null ? undefined : LOGGER.exec(rest)?.[0]);
    if (cut === undefined || cut === '') break;
    if (whose !== undefined) who ||= whose.replace(/\W+/g, ' ').trim();
    else if (levelled !== null && level === null) {
      level = OF_AN_OP.test(levelled[0]) ? 'error' : levelOf(levelled[1] ?? '');
    }
    text = rest.slice(cut.length);
  }
  return { raw: raw.trim(), text, who, level };
}

function levelOf(word: string): LineLevel {
  return /^(?:E|F|ERR|ERROR|CRITICAL|FATAL|SEVERE)$/.test(word) ? 'error' : 'low';
}
