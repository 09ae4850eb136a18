import { WAIT_WORDS } from './continuous/continuous-words.ts';
import type { ResultFile } from '../../../../shared/runs/launch/launched-run.ts';
import {
  acceptedBeside,
  brokenSets,
  homeState,
  isNotWhole,
  pulledState,
  type PulledState,
} from '../../../../shared/transfer/home.ts';
import type { KeepSource } from '../../../../shared/transfer/keep-rules.ts';
import type {
  KeepKind,
  PulledFile,
  PullFile,
  PullHere,
  PullReport,
} from '../../../../shared/transfer/pull.ts';
import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import type { SetFound } from '../../../../shared/verify/sets.ts';
import type { NumbersFound } from '../../../../shared/verify/loaded.ts';
import { formatBytes, formatCount, formatNumber } from '../../../ui/format.ts';
import type { Tone } from '../../../ui/glyph.tsx';

/** How far one file is proven, in a word and in a sentence. */
export interface ProofWords {
  readonly tone: Tone;
  readonly words: string;
  readonly title: string;
}

/** What the files of results are for, as a rule says, what matters most first. */
export const KEEPS: readonly (readonly [KeepKind, string])[] = [
  ['evidence', 'Evidence'],
  ['checkpoint', 'Checkpoints'],
  ['unknown', 'No rule'],
  ['scratch', 'Scratch'],
];

/** Who said what a file is for. */
const SAID_BY: Readonly<Record<KeepSource, string>> = {
  request: 'the run’s request',
  box: 'your rule for this box',
  person: 'your rule for every box',
  usual: 'the usual rules',
};

/** Which rule says what a file is for. */
export const ruleWords = ({ rule }: Pick<PullFile, 'rule'>): string =>
  rule === undefined
    ? 'No rule matches. Add one in Settings → Results.'
    : `By ${SAID_BY[rule.from]}: ${rule.pattern}`;

export const keepWords = (kind: KeepKind): string =>
  KEEPS.find(([each]) => each === kind)?.[1] ?? '';

/** What lies here of a file before it is brought home. Nothing of that is proven. */
export const HERE_WORDS: Readonly<Record<PullHere, { words: string; title: string }>> = {
  nothing: { words: 'Not here', title: 'The whole file is transferred.' },
  part: {
    words: 'Partly here',
    title: 'What arrived when it was brought home before is not sent again.',
  },
  whole: {
    words: 'A file of its size',
    title: 'Its hash will be compared; it is not sent, and not written over.',
  },
  'in-the-way': {
    words: 'Another file',
    title: 'It has the same name and another size. It stays as it is, and this one cannot come.',
  },
};

const LISTED: ProofWords = {
  tone: 'off',
  words: 'Listed only',
  title: 'The box says that it is there. It was not brought home.',
};

/** Of a file as it is listed now, by what was proven when it was last brought home. */
export function proofWords(
  file: ResultFile,
  proven: PulledFile | undefined,
  reread?: RereadFile,
): ProofWords {
  if (proven === undefined) return LISTED;
  const state = homeState(file, proven);
  switch (state) {
    case 'unknown':
      return LISTED;
    case 'waits':
      return {
        tone: 'off',
        words: 'Not brought',
        title: `New results are brought home by themselves, and this one stayed${proven.waits === undefined ? '' : `: ${WAIT_WORDS[proven.waits]}`}.`,
      };
    case 'begun': {
      const title = `It grows: its first ${formatBytes(proven.bytes)} are here, with the same SHA-256 as on the box.`;
      return { tone: 'idle', words: 'Begun', title };
    }
    case 'changed':
      return {
        tone: 'warn',
        words: 'Changed since',
        title: 'It was written to after it was proven.',
      };
    case 'left':
      return {
        tone: 'idle',
        words: 'Left on the box',
        title: `It was left on the box deliberately: ${textOf(proven.left ?? '')}. Nothing of it is here.`,
      };
    case 'short':
      return shortWords(proven);
    case 'home':
    case 'damaged':
    case 'accepted':
    case 'unstamped':
      return reread === undefined || proven.level !== 'loaded'
        ? equalWords(proven, 'Loaded')
        : rereadWords(equalWords(proven, 'Re-read'), reread);
  }
}

/** What is reported of a file was read from it again. */
export interface RereadFile {
  readonly count: number;
  /** What is reported is not what stands there. */
  readonly isShort: boolean;
}

function rereadWords(
  { tone, words, title }: ProofWords,
  { count, isShort }: RereadFile,
): ProofWords {
  const again = `${formatCount(count, 'number')} of it that you report ${count === 1 ? 'was' : 'were'} read again.`;
  if (isShort) return { tone: 'danger', words: 'Re-read, differs', title: `${again} ${title}` };
  return { tone, words, title: `${again} ${title}` };
}

const MARKS: Readonly<
  Record<Exclude<PulledFile['mark'], 'equal'>, Pick<ProofWords, 'tone' | 'words'>>
> = {
  differs: { tone: 'danger', words: 'Differs' },
  'missing-here': { tone: 'warn', words: 'Not here' },
  'missing-there': { tone: 'warn', words: 'Gone from the box' },
  'could-not-read': { tone: 'danger', words: 'Not read' },
};

function shortWords({ mark, says }: PulledFile): ProofWords {
  const found = mark === 'equal' ? MARKS['could-not-read'] : MARKS[mark];
  return { ...found, title: says ?? found.words };
}

/** `level`: how far a file is proven that has a reader and passed it. */
function equalWords(
  { loaded, sha256, accepted }: PulledFile,
  level: 'Loaded' | 'Re-read',
): ProofWords {
  const hash = `Its SHA-256 is the same here and on the box: ${sha256 ?? ''}.`;
  if (loaded === null || loaded.kind === 'no-reader') {
    return {
      tone: 'idle',
      words: 'Hashed',
      title: `${hash} Leasehold has no reader for such a file, so whether it can be loaded is not known.`,
    };
  }
  if (loaded.kind === 'damaged') {
    const title = `Damaged: ${textOf(loaded.because)}. ${hash}`;
    if (accepted === undefined) return { tone: 'danger', words: 'Damaged', title };
    const taken = `Accepted all the same: ${textOf(accepted)}.`;
    return { tone: 'warn', words: 'Damaged, accepted', title: `${taken} ${title}` };
  }
  if (loaded.kind === 'not-loadable') {
    const title = `Not loaded: ${textOf(loaded.because)}. ${hash}`;
    return { tone: 'idle', words: 'Hashed', title };
  }
  const holds = `It was loaded: ${textOf(loaded.holds)}.`;
  const { numbers } = loaded;
  if (numbers === undefined || numbers.nonFinite === 0) {
    return { tone: 'ok', words: level, title: `${holds} ${hash}` };
  }
  return {
    tone: 'warn',
    words: `${level}, has NaN`,
    title: `${holds} ${nonFiniteWords(numbers)} ${hash}`,
  };
}

/** All of a pull in one line, what is the matter first. */
export function reportWords(report: PullReport): {
  readonly tone: Tone;
  readonly words: string;
} {
  const { files } = report;
  const count = (state: PulledState): number =>
    files.filter((file) => pulledState(file) === state).length;
  const home = files.filter((file) => pulledState(file) === 'home');
  const loaded = home.filter(({ level }) => level === 'loaded').length;
  const hashed = home.length - loaded + count('begun');
  const [short, damaged] = [count('short'), count('damaged')];
  const [left, waiting, accepted] = [count('left'), count('waits'), count('accepted')];
  const broken = brokenSets(report).length;
  const parts = [
    ...(broken > 0 ? [`${formatCount(broken, 'set')} of files not whole`] : []),
    ...(short > 0 ? [`${formatCount(short, 'file')} not proven`] : []),
    ...(damaged > 0 ? [`${String(damaged)} damaged`] : []),
    ...(accepted > 0 ? [`${String(accepted)} damaged and accepted`] : []),
    ...(loaded > 0 ? [`${String(loaded)} loaded`] : []),
    ...(hashed > 0 ? [`${String(hashed)} hashed only`] : []),
    ...(left > 0 ? [`${String(left)} left on the box`] : []),
    ...(waiting > 0 ? [`${String(waiting)} not brought`] : []),
  ];
  const isShort = short + damaged + broken > 0;
  const tone = isShort ? 'danger' : accepted > 0 ? 'warn' : waiting > 0 ? 'info' : 'ok';
  return { tone, words: parts.join(', ') };
}

interface Trouble {
  readonly path: string;
  readonly says: string;
  /** It is damaged, and can be accepted as it is. */
  readonly damaged?: PulledFile;
}

/** What a person has to look at after a pull, a sentence a file; what several files make up comes first. */
export function troubleWords(report: PullReport): readonly Trouble[] {
  const broken = brokenSets(report).map((set) => {
    const is = set.state === 'damaged' ? 'Not whole' : 'Not known to be whole';
    const says = `${is}: ${sentenceOf(set.says)}${acceptedPartWords(set, report)}`;
    return { path: set.path, says };
  });
  return [...broken, ...report.files.flatMap(fileTrouble)];
}

function fileTrouble(file: PulledFile): readonly Trouble[] {
  const state = pulledState(file);
  if (state === 'left' || state === 'waits' || state === 'accepted') return [];
  if (state === 'short') return [{ path: file.path, says: shortWords(file).title }];
  const { loaded } = file;
  if (loaded?.kind === 'damaged') {
    const says = `Damaged: ${textOf(loaded.because)}.`;
    return [{ path: file.path, says, ...(state === 'damaged' && { damaged: file }) }];
  }
  const numbers = loaded?.kind === 'loaded' ? loaded.numbers : undefined;
  if (numbers === undefined || numbers.nonFinite === 0) return [];
  return [{ path: file.path, says: nonFiniteWords(numbers) }];
}

function acceptedPartWords(set: SetFound, { files }: PullReport): string {
  const [part, ...more] = acceptedBeside(set, files);
  if (part === undefined) return '';
  const others = more.length === 0 ? '' : ` and ${String(more.length)} more`;
  return ` ${textOf(part)}${others} was accepted as damaged, which does not make the whole any better.`;
}

/** What several files make up and is not amiss. */
export function setWords({ sets = [] }: PullReport): readonly { path: string; says: string }[] {
  const others = sets.filter((set) => !isNotWhole(set));
  return others.map(({ path, state, says }) => ({
    path,
    says: `${state === 'whole' ? 'Whole' : 'Not loaded'}: ${sentenceOf(says)}`,
  }));
}

/** A clause, or a sentence already. */
const sentenceOf = (says: string): string => `${textOf(says).replace(/\.$/, '')}.`;

function nonFiniteWords({ nonFinite, scanned, affected: [first] }: NumbersFound): string {
  const where = first === undefined ? '' : `, the first in ${textOf(first.tensor)}`;
  return `${formatNumber(nonFinite)} of ${formatCount(scanned, 'number')} NaN or infinite${where}.`;
}

/** What is damaged and was accepted, a sentence a file. */
export const acceptedWords = ({ files }: PullReport): readonly Trouble[] =>
  files.flatMap(({ path, accepted, loaded }) => {
    if (accepted === undefined || loaded?.kind !== 'damaged') return [];
    const says = `Damaged: ${textOf(loaded.because)}. Accepted: ${sentenceOf(accepted)}`;
    return [{ path, says }];
  });

/** What was left on the box, by its reason. */
export function leftByReason({ files }: PullReport): readonly {
  readonly because: string;
  readonly files: readonly PulledFile[];
}[] {
  const byReason = new Map<string, PulledFile[]>();
  for (const file of files) {
    if (file.left === undefined) continue;
    byReason.set(file.left, [...(byReason.get(file.left) ?? []), file]);
  }
  return [...byReason].map(([because, left]) => ({ because, files: left }));
}

export const sizeWords = (files: readonly { readonly bytes: number }[]): string =>
  `${formatCount(files.length, 'file')}, ${formatBytes(files.reduce((sum, { bytes }) => sum + bytes, 0))}`;
