import { isSameProcess } from '../../runs/process-ref.ts';
import { figure, line, type Clue } from '../../detectors/finding.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookView,
} from '../look-detector.ts';
import type { RunInLook } from '../patrol-look.ts';
import { phrase, says } from '../../detectors/says.ts';

/** Gotcha U43 says "nothing for minutes"; steps that take a minute are no silence (chosen for Leasehold). */
const SILENT_FROM_S = 600;
/** Less is a process that waits and looks now and then (chosen for Leasehold). */
const WORKS_FROM_CPUS = 0.2;
/** Two looks that are nearer say nothing of a mean. */
const LEAST_BETWEEN_S = 5;
const TICKS_PER_S = 100; // `getconf CLK_TCK` of every Linux that people meet

/** U43: never says "hang"; what is quiet in every way is only not proven to be alive. */
export const silentLog: LookDetector = {
  id: 'U43',
  judge(view) {
    const { runs, processes } = view.look;
    const logged = runs.filter(({ logs }) => logs.length > 0);
    if (logged.length > 0) return logged.map((run) => judgeRun(run, view));
    return [processes.isWhole ? clear() : unknown('the box did not tell of its processes')];
  },
};

function judgeRun(run: RunInLook, view: LookView): LookAnswer {
  const subject = runSubject(run);
  const { look } = view;
  const nowS = (look.atMs + (look.machine.clockOffsetMs ?? 0)) / 1000;
  const writtenAtS = Math.max(...run.logs.map(({ modifiedAtS }) => modifiedAtS));
  const silentS = nowS - writtenAtS - clockSetBy(writtenAtS, nowS, view);
  if (silentS < SILENT_FROM_S) return clear(subject);
  const signs = signsOfLife(run, writtenAtS, nowS, view);
  if (signs.length === 0) return quiet(run, silentS, view);
  // It says each line at once, and has none to say.
  if (run.isUnbuffered === true) return clear(subject);
  return found(subject, {
    severity: 'info',
    says: says('U43', 'silent', { time: minutes(silentS) }),
    clues: [figure('Log written', silentS / 60, 'min ago'), ...signs],
    caveat: run.isUnbuffered === null ? phrase('U43', 'buffer-unknown') : null,
  });
}

/** By how much the box's clock was set forward since the look before and since the log was written: no silence. */
function clockSetBy(writtenAtS: number, nowS: number, { look, before }: LookView): number {
  const [wasUpS, isUpS] = [before?.machine.uptimeS ?? null, look.machine.uptimeS];
  if (before === null || wasUpS === null || isUpS === null || isUpS < wasUpS) return 0;
  const passedS = isUpS - wasUpS;
  const wasS = (before.atMs + (before.machine.clockOffsetMs ?? 0)) / 1000;
  const setByS = nowS - wasS - passedS;
  return setByS > CLOCK_SET_FROM_S && writtenAtS <= wasS + passedS ? setByS : 0;
}
/** Answers take up to some seconds. */
const CLOCK_SET_FROM_S = 60;

function quiet(run: RunInLook, silentS: number, { before, isGpuWorking }: LookView): LookAnswer {
  const missing = [
    ...(before === null ? ['its CPU time since an earlier check'] : []),
    ...(run.holdsGpu && isGpuWorking === null ? ['whether its card works'] : []),
  ];
  return unknown(
    `its log is silent for ${minutes(silentS)} and nothing that was checked moves${missing.length === 0 ? '' : `; not known: ${missing.join(', ')}`}; that alone proves no hang`,
    runSubject(run),
  );
}

function signsOfLife(
  run: RunInLook,
  writtenAtS: number,
  nowS: number,
  view: LookView,
): readonly Clue[] {
  const folder = run.folder === null ? null : `${run.folder.replace(/\/$/, '')}/`;
  const newer = view.look.artefacts.find(
    ({ kind, path, modifiedAtS }) =>
      (kind === 'checkpoint' || kind === 'partial' || kind === 'events') &&
      folder !== null &&
      path.startsWith(folder) &&
      modifiedAtS > writtenAtS &&
      nowS - modifiedAtS < nowS - writtenAtS,
  );
  const cpus = cpusOf(run, view);
  return [
    ...(newer === undefined
      ? []
      : [
          figure(
            `Written after the log: ${newer.path}`,
            (nowS - newer.modifiedAtS) / 60,
            'min ago',
          ),
        ]),
    ...(cpus !== null && cpus >= WORKS_FROM_CPUS
      ? [figure('CPU used since the last check', cpus, 'CPUs')]
      : []),
    ...(run.holdsGpu && view.isGpuWorking === true ? [line('the GPU works')] : []),
  ];
}

/** Of it and all below it. Null: not told, or a child has ended and took its count along. */
function cpusOf(run: RunInLook, { look, before }: LookView): number | null {
  const earlier = before?.runs.find((each) => isSameProcess(each, run));
  const wasTicks = earlier?.cpuTicks ?? null;
  const [wasS, isS] = [before?.machine.uptimeS ?? null, look.machine.uptimeS];
  if (wasTicks === null || run.cpuTicks === null || wasS === null || isS === null) {
    return null;
  }
  const passedS = isS - wasS;
  const ticks = run.cpuTicks - wasTicks;
  return passedS < LEAST_BETWEEN_S || ticks < 0 ? null : ticks / TICKS_PER_S / passedS;
}

const minutes = (seconds: number): string => `${String(Math.floor(seconds / 60))} min`;
