import { line } from '../../detectors/finding.ts';
import { judgeRestart } from '../../telemetry/machine-marks.ts';
import { readLogEnding } from '../../triage/log-endings.ts';
import {
  BOX,
  clear,
  found,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookView,
} from '../look-detector.ts';
import { VANISH_WORDS } from '../remediation.ts';
import { wholePct } from './disks.ts';
import { logEnds } from './log-words.ts';
import { newestOf } from './own-files.ts';
import { phrase, says } from '../../detectors/says.ts';

/** Gotcha U7: "100 % critical, >= 90 % warn (suggested)". */
const FULL_FROM_PCT = 90;

/** One of the platform's checks, in the order of the list. */
interface Check {
  readonly what: string;
  /** Null: nobody can tell. */
  readonly isFine: boolean | null;
  readonly said: string;
}

/** PS13: the platform's own list of checks, walked when something is off; each of them in the order of the list. */
export const triageList: LookDetector = {
  id: 'PS13',
  judge(view) {
    if (!view.traps.includes('PS13')) return [clear()];
    const checks = [
      software(view),
      ...view.places.room.map((folder) => storage(view, folder)),
      output(view),
      ending(view),
      download(view),
    ];
    if (checks.some(({ isFine }) => isFine === false)) return [answerOf(checks)];
    return [
      view.missing.some(({ judgement }) => judgement.kind === 'unknown')
        ? unknown('the box did not tell of all its processes')
        : clear(),
    ];
  },
};

function answerOf(checks: readonly Check[]): LookAnswer {
  const off = checks.filter(({ isFine }) => isFine === false);
  return found(BOX, {
    severity: 'info',
    says: says('PS13', 'off', { checks: off.map(({ what }) => what) }),
    clues: checks.map(({ what, isFine, said }) =>
      line(`${WORDS[String(isFine)]}: ${what}: ${said}`),
    ),
    caveat: phrase('PS13', 'costs-elsewhere'),
  });
}

const WORDS: Readonly<Record<string, string>> = { true: 'fine', false: 'off', null: 'not known' };

function software(view: LookView): Check {
  const what = 'driver and torch';
  const gone = logEnds(view).filter(({ isGone }) => isGone);
  const said = gone
    .flatMap(({ end }) => readLogEnding(end) ?? [])
    .find(({ failure }) => failure === 'environment');
  if (said !== undefined) return { what, isFine: false, said: said.line };
  return { what, isFine: null, said: 'no run complained of them' };
}

function storage({ look }: LookView, folder: string): Check {
  const what = `room in ${folder}`;
  const usage = look.mounts.find(({ path }) => path === folder)?.usage ?? null;
  const bytesPct = usage?.usedPct ?? null;
  if (bytesPct === null) return { what, isFine: null, said: 'it is not mounted, or did not say' };
  const inodesPct = usage?.inodesUsedPct ?? 0;
  const said = `${wholePct(bytesPct)} of its bytes, ${wholePct(inodesPct)} of its inodes`;
  return { what, isFine: Math.max(bytesPct, inodesPct) < FULL_FROM_PCT, said };
}

function output({ look, before, missing, places: { kept } }: LookView): Check {
  const what = 'output on a mount that persists';
  const [newest] = [
    ...look.runs.flatMap((run) => newestOf('checkpoint', run, look) ?? []),
    ...missing.flatMap(({ run }) => newestOf('checkpoint', run, look, before?.atMs) ?? []),
  ].sort((a, b) => b.modifiedAtS - a.modifiedAtS);
  if (newest === undefined) return { what, isFine: null, said: 'no checkpoint was seen' };
  // A whole machine keeps its disk; only a notebook has these folders.
  const isNotebook = look.mounts.some(({ path }) => kept.includes(path));
  const isKept = kept.some((folder) => newest.path.startsWith(`${folder}/`));
  return { what, isFine: isKept || !isNotebook, said: newest.path };
}

function ending({ look, before, missing }: LookView): Check {
  const what = 'a run that is gone';
  const restart =
    before === null ? null : judgeRestart(asFacts(before.machine), asFacts(look.machine));
  const uptimeS = before?.machine.uptimeS ?? null;
  const lost = missing.flatMap(({ judgement }) =>
    judgement.kind === 'gone' && judgement.cause !== 'finished' ? [judgement] : [],
  );
  const [first] = lost;
  if (first === undefined) return { what, isFine: true, said: 'none' };
  const words = first.cause === null ? 'cause unknown' : VANISH_WORDS[first.cause];
  const uptime =
    restart === null || uptimeS === null
      ? ''
      : `; before it the box had been up for ${(uptimeS / 3600).toFixed(1)} h: compare that with its auto-shutdown`;
  return { what, isFine: false, said: `${words}${uptime}` };
}

/** "Unchanged over two ticks with a live process = stalled." */
function download({ look, before }: LookView): Check {
  const what = 'a download that stalls';
  const stalled = look.runs
    .flatMap((run) => newestOf('partial', run, look) ?? [])
    .find(
      ({ path, bytes }) =>
        before?.artefacts?.some((each) => each.path === path && each.bytes === bytes) === true,
    );
  if (stalled === undefined) return { what, isFine: true, said: 'none that was seen' };
  return { what, isFine: false, said: `${stalled.path} has not grown since the last check` };
}

const asFacts = (
  machine: Omit<Parameters<typeof judgeRestart>[0], 'cudaMaxVersion'>,
): Parameters<typeof judgeRestart>[0] => ({ ...machine, cudaMaxVersion: null });
