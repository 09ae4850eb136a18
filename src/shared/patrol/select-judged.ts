import { severities, subjectKeyOf, type Clue, type Found } from '../detectors/finding.ts';
import { mapTexts } from '../detectors/says.ts';
import { excerpt } from '../probes/probe-output.ts';
import {
  lookDetectorIds,
  type LookDetectorId,
  type LookJudgement,
  type LookSubject,
} from './look-detector.ts';
import type { FoundInLook, JudgedLook, LookRuleId, UnknownInLook } from './patrol-state.ts';

/** More than any box that people rent has wrong at once; the worst stay. */
const MAX_FOUND = 40;
const MAX_UNKNOWN = 80;
/** 24 disks and twelve runs, and as many again that were found before. */
const MAX_CLEAR = 80;
const MAX_CLUES = 15;
const MAX_WORD_CHARS = 400;
const MAX_LINE_CHARS = 300;

/**
 * What goes to the findings of a look's answers: all of what is found and of why nobody can tell, bounded, for what a box says
 * may be of any length; of what is clear no more than its names.
 */
export function selectJudged(judged: readonly LookJudgement[]): JudgedLook {
  const found: FoundInLook[] = [];
  const unknown: UnknownInLook[] = [];
  const clear = new Map<string, { subject: LookSubject; detectors: LookRuleId[] }>();
  const told = new Set<string>();
  for (const { detector, subject: named, answer, isEvent, sinceMs } of worstFirst(judged)) {
    if (!isLookRule(detector)) continue;
    const subject = shortSubject(named);
    const key = `${detector} ${subjectKeyOf(subject)}`;
    // Of two answers about one thing the worse one counts.
    if (told.has(key)) continue;
    told.add(key);
    if (answer.kind === 'found' && found.length < MAX_FOUND) {
      const event = isEvent === true ? { isEvent } : {};
      const short = { ...shortFound(answer), ...event };
      found.push({ detector, subject, sinceMs: sinceMs ?? 0, found: short });
    } else if (answer.kind !== 'clear') {
      const because = answer.kind === 'found' ? TOO_MANY : excerpt(answer.because, MAX_WORD_CHARS);
      unknown.push({ detector, subject, because });
    } else addClear(clear, detector, subject);
  }
  return {
    found,
    unknown: boundUnknown(unknown),
    clear: [...clear.values()].slice(0, MAX_CLEAR),
  };
}

/** A rule of which nothing is told would be taken for one that looked: so one reason of each comes first. */
function boundUnknown(unknown: readonly UnknownInLook[]): readonly UnknownInLook[] {
  const rules = new Set<LookRuleId>();
  const [first, further]: [UnknownInLook[], UnknownInLook[]] = [[], []];
  for (const each of unknown) {
    (rules.has(each.detector) ? further : first).push(each);
    rules.add(each.detector);
  }
  return [...first, ...further.slice(0, Math.max(0, MAX_UNKNOWN - first.length))];
}

const TOO_MANY = 'more was found on this box than is told at once';

export function isLookRule(detector: LookDetectorId): detector is LookRuleId {
  return detector !== 'U3' && detector !== 'GEN8';
}

export const lookRuleIds: readonly LookRuleId[] = lookDetectorIds.filter(isLookRule);

/** With what earlier looks had found and could tell nobody. What this look says of the same is newer. */
export function withUntold(judged: JudgedLook, untold: readonly FoundInLook[]): JudgedLook {
  const keyOf = ({ detector, subject }: Pick<FoundInLook, 'detector' | 'subject'>): string =>
    `${detector} ${subjectKeyOf(subject)}`;
  const told = new Set(judged.found.map(keyOf));
  const more = new Map(
    untold.filter((each) => !told.has(keyOf(each))).map((each) => [keyOf(each), each]),
  );
  if (more.size === 0) return judged;
  return {
    ...judged,
    found: [...judged.found, ...more.values()],
    clear: judged.clear.map(({ subject, detectors }) => ({
      subject,
      detectors: detectors.filter((detector) => !more.has(keyOf({ detector, subject }))),
    })),
  };
}

function addClear(
  clear: Map<string, { subject: LookSubject; detectors: LookRuleId[] }>,
  detector: LookRuleId,
  subject: LookSubject,
): void {
  const key = subjectKeyOf(subject);
  const known = clear.get(key);
  if (known === undefined) clear.set(key, { subject, detectors: [detector] });
  else known.detectors.push(detector);
}

const KINDS = ['found', 'unknown', 'clear'] as const;

function worstFirst(judged: readonly LookJudgement[]): readonly LookJudgement[] {
  const rankOf = ({ answer }: LookJudgement): number =>
    answer.kind === 'found'
      ? severities.indexOf(answer.severity)
      : severities.length + KINDS.indexOf(answer.kind);
  return [...judged].sort((a, b) => rankOf(a) - rankOf(b));
}

function shortSubject(subject: LookSubject): LookSubject {
  switch (subject.kind) {
    case 'box':
      return subject;
    case 'mount':
      return { ...subject, path: short(subject.path) };
    case 'run':
      return { ...subject, command: subject.command === null ? null : short(subject.command) };
  }
}

function shortFound({ says, caveat, clues, ...rest }: Found): Found {
  return {
    ...rest,
    says: { ...says, values: mapTexts(says.values, short) },
    caveat: shortCaveat(caveat),
    clues: clues.slice(0, MAX_CLUES).map(shortClue),
  };
}

function shortClue(clue: Clue): Clue {
  if (clue.kind === 'figure') return { ...clue, label: short(clue.label) };
  const file = clue.file === undefined ? {} : { file: short(clue.file) };
  return { ...clue, line: excerpt(clue.line, MAX_LINE_CHARS), ...file };
}

function shortCaveat(caveat: Found['caveat']): Found['caveat'] {
  if (caveat === null) return null;
  if (typeof caveat === 'string') return short(caveat);
  return { ...caveat, values: mapTexts(caveat.values, short) };
}

const short = (words: string): string => excerpt(words, MAX_WORD_CHARS);
