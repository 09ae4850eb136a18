import type { Steps } from '../../steps.ts';
import { parentOf } from '../../files/box-path.ts';
import type { OtherResult } from '../../runs/launch/launched-run.ts';
import { sanitizeTitle } from '../../terminal/visible-text.ts';
import { brokenSets, pulledState, type HomeState } from '../../transfer/home.ts';
import {
  lifeOf,
  type AbsentResults,
  type FoundMachine,
  type FoundOnBox,
  type MissedBecause,
} from '../found-on-box.ts';
import type { ProofNeed } from '../proof-holds.ts';
import { countOf, MOST_SHOWN, type Raised } from './raised.ts';
import {
  digestInSteps,
  digestOfFiles,
  eachInSteps,
  isEmptied,
  isProvenCopy,
  type Hashing,
  type JudgedResults,
} from './result-files.ts';

type Missing = 'damaged' | 'not-home';

/** Null: the very file is here, or a person has decided about it. */
function missingAs(state: HomeState): Missing | null {
  switch (state) {
    case 'home':
    case 'accepted':
    case 'left':
      return null;
    case 'damaged':
      return 'damaged';
    default:
      return 'not-home';
  }
}

/** There is a reader for it, and what it is was not proven by that. What nothing reads is proven by its hash alone; what is accepted is decided. */
const isBelowLoaded = ({ state, pulled }: JudgedResults['files'][number]): boolean =>
  state === 'home' && pulled?.level !== 'loaded' && pulled?.loaded?.kind !== 'no-reader';

const WHY: Readonly<Record<HomeState, string>> = {
  home: 'proven to be here',
  accepted: 'damaged, and accepted',
  left: 'left on the box',
  damaged: 'damaged, here as on the box',
  begun: 'was still growing when it was brought home',
  waits: 'left for a later round',
  short: 'not proven to be here',
  unknown: 'new since the results were brought home',
  changed: 'changed since it was brought home',
  unstamped: 'proven by an older Leasehold, which cannot tell it from its next version',
};

interface ResultsBeside {
  readonly needs: ProofNeed;
  readonly machine: FoundMachine;
  readonly sha256: Hashing;
}

/** What of the results of one run is not home, or is not whole. */
export function* resultBlockers(
  results: JudgedResults,
  { needs, machine, sha256 }: ResultsBeside,
): Steps<readonly Raised[]> {
  const { runName, path, listed, proven, files, gone, isThere } = results;
  if (proven === null) {
    if (listed.length === 0) return [];
    return [
      {
        ...{
          id: `never-pulled:${path}`,
          kind: 'never-pulled',
          stage: 'pulled',
          entry: curvesIn(listed),
        },
        says: `The results of “${runName}” were never brought home: ${countOf(listed.length)}.`,
        shows: listed.slice(0, MOST_SHOWN).map((file) => file.path),
        loss: yield* digestOfFiles(listed, sha256),
      },
    ];
  }
  const raised: Raised[] = [];
  if (isThere && isEmptied(results)) {
    raised.push({
      ...{ id: `not-there:emptied:${path}`, kind: 'not-there', stage: 'pulled', entry: null },
      says: `The results folder of “${runName}” is empty, and was not when they were brought home. ${awayWords([results])}`,
      shows: [path],
      loss: sha256(JSON.stringify(['emptied', path, proven.evidence, lifeOf(machine)])),
    });
  }
  // Of a folder that is away, its damaged files may still lie there. One that is gone from a folder that is there, the end of the box takes from nobody.
  const mayLieThere = isThere && !isEmptied(results) ? [] : gone;
  for (const kind of ['not-home', 'damaged'] as const) {
    const judged = kind === 'damaged' ? [...files, ...mayLieThere] : files;
    const found = judged.filter(({ state }) => missingAs(state) === kind);
    if (found.length === 0) continue;
    const lost = found.map(({ file }) => file);
    const what =
      kind === 'damaged' ? 'cannot be loaded' : 'not proven to be on this computer as it is now';
    raised.push({
      ...{ id: `${kind}:${path}`, kind, stage: kind === 'damaged' ? 'proven' : 'pulled' },
      entry: kind === 'damaged' ? 'U33' : (curvesIn(lost) ?? 'U33'),
      says: `${countOf(found.length)} of “${runName}”: ${what}.`,
      shows: found.slice(0, MOST_SHOWN).map(({ file, state }) => `${file.path}: ${WHY[state]}`),
      loss: yield* digestOfFiles(lost, sha256),
    });
  }
  const below = needs === 'loaded' ? [...files, ...mayLieThere].filter(isBelowLoaded) : [];
  if (below.length > 0) {
    raised.push({
      ...{ id: `proof-below:${path}`, kind: 'proof-below', stage: 'proven', entry: 'U33' },
      says: `${countOf(below.length)} of “${runName}”: hashed, and not loaded as you ask for.`,
      shows: below.slice(0, MOST_SHOWN).map(({ file, pulled }) => {
        const why = pulled?.loaded?.kind === 'not-loadable' ? pulled.loaded.because : 'not loaded';
        return `${file.path}: ${why}`;
      }),
      loss: yield* digestOfFiles(
        below.map(({ file }) => file),
        sha256,
      ),
    });
  }
  const broken = brokenSets(proven);
  if (broken.length > 0) {
    raised.push({
      ...{ id: `damaged:sets:${path}`, kind: 'damaged', stage: 'proven', entry: 'U33' },
      says: `“${runName}”: ${countOf(broken.length, 'set')} of files that belong together, not proven to be whole.`,
      shows: broken.slice(0, MOST_SHOWN).map((set) => `${set.path}: ${set.says}`),
      loss: sha256(JSON.stringify(broken)),
    });
  }
  return raised;
}

/** What a link leads to is not brought home with it. In a folder that is listed here itself, it is judged there. */
export function* linksOut(
  { results }: Pick<FoundOnBox, 'results'>,
  sha256: Hashing,
): Steps<readonly Raised[]> {
  const folders = new Set(results.map(({ path }) => path));
  const raised: Raised[] = [];
  for (const { runName, path, others } of results) {
    const out: OtherResult[] = [];
    yield* eachInSteps(others, (each) => {
      if (each.kind === 'link' && !isJudged(each.leads, folders)) out.push(each);
    });
    if (out.length === 0) continue;
    const [links, leads] = out.length === 1 ? ['link', 'leads'] : ['links', 'lead'];
    raised.push({
      ...{ id: `link-out:${path}`, kind: 'link-out', stage: 'pulled', entry: null },
      says: `${String(out.length)} ${links} among the results of “${runName}” ${leads} out of them, or may. What is there is not brought home with them.`,
      shows: out.slice(0, MOST_SHOWN).map(lineOfLink),
      loss: yield* digestInSteps(
        out.map((each) => [each.path, each.leads?.target ?? null]),
        sha256,
      ),
    });
  }
  return raised;
}

function isJudged(leads: OtherResult['leads'], folders: ReadonlySet<string>): boolean {
  if (leads === undefined || leads === null) return false;
  if (leads.isInside) return true;
  for (let at = leads.path; at !== null; at = parentOf(at)) if (folders.has(at)) return true;
  return false;
}

const lineOfLink = ({ path, leads }: OtherResult): string =>
  `${sanitizeTitle(path, MOST_CHARS)} -> ${sanitizeTitle(leads?.target ?? 'not known', MOST_CHARS)}`;

/** Of a name, as many as show which it is. */
const MOST_CHARS = 200;

/** Folders that should be there and are not: their disk may be away, or the runs wrote elsewhere. Neither is nothing to lose. One cause is told once. */
export function absentResults(
  { absent, machine }: Pick<FoundOnBox, 'absent' | 'machine'>,
  sha256: Hashing,
): readonly Raised[] {
  const causes = Object.keys(ABSENT) as readonly MissedBecause[];
  return causes.flatMap((cause): readonly Raised[] => {
    const missing = absent.filter(({ missed }) => missed === cause);
    const [first] = missing;
    if (first === undefined) return [];
    const { one, several } = ABSENT[cause];
    const isOne = missing.length === 1;
    const says = isOne ? one(`“${first.runName}”`) : several(String(missing.length));
    // What came home since is another loss.
    const each = missing.map(({ path, proven }) => [path, proven?.evidence ?? null].join(' '));
    return [
      {
        ...{ id: `not-there:${cause}`, kind: 'not-there', stage: 'pulled', entry: null },
        says: cause === 'pulled' ? `${says} ${awayWords(missing)}` : says,
        shows: isOne
          ? [first.path]
          : missing.slice(0, MOST_SHOWN).map(({ runName, path }) => `“${runName}”: ${path}`),
        loss: sha256(JSON.stringify(['absent', cause, each.sort(), lifeOf(machine)])),
      },
    ];
  });
}

/** What a person still has of folders that are not there any more, and what nobody can know. */
function awayWords(of: readonly Pick<AbsentResults, 'proven'>[]): string {
  const files = of.flatMap(({ proven }) => proven?.files ?? []);
  const here = files.filter(isProvenCopy);
  const short = files.filter((file) => missingAs(pulledState(file)) !== null).length;
  if (here.length === 0 && short === 0) return `None of it was brought home. ${UNMOUNTED}`;
  const home =
    short === 0
      ? `What was brought home is here and proven: ${countOf(here.length)}.`
      : `Of what it had then, ${countOf(here.length)} proven to be here, and ${String(short)} not.`;
  return `${home} ${UNMOUNTED}`;
}

const UNMOUNTED =
  'Its disk may not be mounted, or it was deleted; whether anything was written there since is not known.';

const ABSENT: Readonly<
  Record<
    MissedBecause,
    {
      readonly one: (name: string) => string;
      readonly several: (count: string) => string;
    }
  >
> = {
  done: {
    one: (name) => `${name} has succeeded, and the folder for its results is not there.`,
    several: (count) =>
      `${count} runs have succeeded, and the folders for their results are not there.`,
  },
  lost: {
    one: (name) =>
      `${name} was cut off, as by a restart, or nobody knows how it ended, and the folder for its results is not there. After a restart the disk that they lie on may not be mounted.`,
    several: (count) =>
      `${count} runs were cut off, as by a restart, or nobody knows how they ended, and the folders for their results are not there. After a restart the disk that they lie on may not be mounted.`,
  },
  unfinished: {
    one: (name) =>
      `${name} failed or was ended, and the folder for its results is not there. It may have saved something until then.`,
    several: (count) =>
      `${count} runs failed or were ended, and the folders for their results are not there. They may have saved something until then.`,
  },
  wanted: {
    one: (name) => `The folder ${name}, which you want to have home, is not there.`,
    several: (count) => `${count} folders that you want to have home are not there.`,
  },
  pulled: {
    one: (name) =>
      `The results folder of ${name} is not there, and was when they were brought home.`,
    several: (count) =>
      `The results folders of ${count} runs are not there, and were when they were brought home.`,
  },
};

/** Files of curves that nobody can write again: what the entry about them is for. */
const CURVES = /(?:^|\/)(?:events\.out\.tfevents\.[^/]*|metrics\.(?:jsonl|csv))$/;
const curvesIn = (files: readonly { readonly path: string }[]): string | null =>
  files.some(({ path }) => CURVES.test(path)) ? 'U20' : null;
