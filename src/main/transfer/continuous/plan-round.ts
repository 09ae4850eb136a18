import { err, ok, type Result } from '../../../shared/result.ts';
import { problem, type Problem } from '../../../shared/problem.ts';
import type {
  LaunchedRun,
  ResultFile,
  ResultList,
} from '../../../shared/runs/launch/launched-run.ts';
import {
  chooseForRound,
  passingCheckpoint,
  type RoundChoice,
} from '../../../shared/transfer/continuous/round-rule.ts';
import { keepKinds } from '../../../shared/transfer/keep-kind.ts';
import type { SaidRule } from '../../../shared/transfer/keep-rules.ts';
import { usualNames, whyNotHere } from '../../../shared/transfer/local-name.ts';
import { sumOf } from '../../../shared/transfer/left-files.ts';
import type { PulledFile, PullFile } from '../../../shared/transfer/pull.ts';
import { isVanished, VANISHED } from '../../../shared/transfer/vanished.ts';
import { inSlices } from '../../streams/in-slices.ts';
import type { FoldersAsked } from '../look-here.ts';
import type { KnownCopy } from '../next-version.ts';
import { planPull, type KeptPull } from '../plan-pull.ts';
import { listed } from '../pulled-file.ts';
import type { BroughtFiles } from './brought-files.ts';

export interface RoundLists {
  /** A moment apart. */
  readonly before: ResultList;
  readonly now: ResultList;
}

export interface RoundTo {
  readonly to: string;
  readonly brought: BroughtFiles;
  readonly rules: readonly SaidRule[] | undefined;
}

/** What one round brings; null: nothing new has come. */
export async function planRound(
  run: LaunchedRun,
  { before, now }: RoundLists,
  { to, brought, rules }: RoundTo,
): Promise<Result<KeptPull | null, Problem>> {
  const keepOf = keepKinds(run.keeps, rules);
  const here = new Map<string, PulledFile>();
  const looked: FoldersAsked = new Map();
  await inSlices(now.files, (file) => {
    const proven = brought.unchanged(file, looked);
    if (proven !== null) here.set(file.path, proven);
  });
  const choices = chooseForRound({
    ...{ files: now.files, before: before.files, keepOf },
    isHere: ({ path }) => here.has(path),
  });
  const asked: ResultFile[] = [];
  const growing = new Set<string>();
  const others: PulledFile[] = [];
  await inSlices(now.files.entries(), ([no, file]) => {
    const choice: RoundChoice | undefined = choices[no];
    const proven = here.get(file.path);
    if (proven !== undefined) others.push(proven);
    else if (choice?.kind === 'wait') {
      const { because: waits } = choice;
      const about = { ...file, keep: keepOf(file.path) };
      others.push({ ...listed(about, 'missing-here', WAITS[waits]), waits });
    } else {
      asked.push(file);
      if (choice?.kind === 'bring' && choice.isGrowing) growing.add(file.path);
    }
  });
  const names = usualNames(process.platform);
  const isWanted = ({ path }: ResultFile): boolean => whyNotHere(path, names) === null;
  if (!now.isCut && !asked.some(isWanted)) {
    const known = [...brought.paths].map((path) => ({ path }));
    return isVanished(known, now) ? err(problem('results-not-there', VANISHED)) : ok(null);
  }
  const planned = await planPull(run, { ...now, files: asked }, to, null, rules);
  if (!planned.ok) return planned;
  const files = planned.value.shown.files.map((file) =>
    besideCopy(file, brought.copiesOf(file.path).at(-1)),
  );
  const wanted = sumOf(files.filter(({ refused }) => refused === null));
  return ok({
    ...{ ...planned.value, shown: { ...planned.value.shown, files, ...wanted } },
    round: {
      ...{ growing, others, copiesOf: (path) => brought.copiesOf(path) },
      note: (namings) => brought.note(namings),
    },
  });
}

/** What is sent of a version after the one that lies here. */
function besideCopy(file: PullFile, copy: KnownCopy | undefined): PullFile {
  if (copy === undefined || (file.here !== 'in-the-way' && file.here !== 'whole')) return file;
  const canGrow = passingCheckpoint(file.path, file.keep) === null && file.bytes > copy.bytes;
  return {
    ...file,
    here: 'part',
    missingBytes: file.bytes - (canGrow ? copy.bytes : 0),
  };
}

const WAITS = {
  scratch: 'A rule says that it is scratch.',
  'older-checkpoint': 'There is a newer checkpoint.',
  'being-written': 'It was being written.',
} as const;
