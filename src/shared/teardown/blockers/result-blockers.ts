import type { Steps } from '../../steps.ts';
import { brokenSets, type HomeState } from '../../transfer/home.ts';
import { countOf, MOST_SHOWN, type Raised } from './raised.ts';
import { digestOfFiles, type Hashing, type JudgedResults } from './result-files.ts';

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

/** What of the results of one run is not home, or is not whole. */
export function* resultBlockers(
  { runName, path, listed, proven, files }: JudgedResults,
  sha256: Hashing,
): Steps<readonly Raised[]> {
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
  if (listed.length === 0 && proven.files.length > 0) {
    raised.push({
      ...{ id: `not-home:vanished:${path}`, kind: 'not-home', stage: 'pulled', entry: null },
      says: `The results folder of “${runName}” is empty, and was not when they were brought home. The disk that it lies on may not be mounted.`,
      shows: [path],
      loss: sha256(JSON.stringify(['vanished', path])),
    });
  }
  for (const kind of ['not-home', 'damaged'] as const) {
    const found = files.filter(({ state }) => missingAs(state) === kind);
    if (found.length === 0) continue;
    const lost = found.map(({ file }) => file);
    const what =
      kind === 'damaged' ? 'cannot be loaded' : 'not proven to be on this computer as it is now';
    raised.push({
      ...{ id: `${kind}:${path}`, kind, stage: kind === 'damaged' ? 'proven' : 'pulled' },
      entry: kind === 'damaged' ? null : curvesIn(lost),
      says: `${countOf(found.length)} of “${runName}”: ${what}.`,
      shows: found.slice(0, MOST_SHOWN).map(({ file, state }) => `${file.path}: ${WHY[state]}`),
      loss: yield* digestOfFiles(lost, sha256),
    });
  }
  const broken = brokenSets(proven);
  if (broken.length > 0) {
    raised.push({
      ...{ id: `damaged:sets:${path}`, kind: 'damaged', stage: 'proven', entry: null },
      says: `“${runName}”: ${countOf(broken.length, 'set')} of files that belong together, not proven to be whole.`,
      shows: broken.slice(0, MOST_SHOWN).map((set) => `${set.path}: ${set.says}`),
      loss: sha256(JSON.stringify(broken)),
    });
  }
  return raised;
}

/** Files of curves that nobody can write again: what the entry about them is for. */
const CURVES = /(?:^|\/)(?:events\.out\.tfevents\.[^/]*|metrics\.(?:jsonl|csv))$/;
const curvesIn = (files: readonly { readonly path: string }[]): string | null =>
  files.some(({ path }) => CURVES.test(path)) ? 'U20' : null;
