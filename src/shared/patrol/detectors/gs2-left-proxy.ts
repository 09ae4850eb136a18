import { figure, line, type Clue } from '../../detectors/finding.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
} from '../look-detector.ts';
import { fromLog } from '../line-source.ts';
import type { PatrolLook, RunInLook } from '../patrol-look.ts';
import { endsWith } from './log-words.ts';
import { says } from '../../detectors/says.ts';

/** A download is over by then, or it is no download step (chosen for Leasehold). */
const LINGERS_FROM_S = 1800;
/** What the accelerator is for; a large model takes hours. */
const DOWNLOADS =
  /^(?:\S*\/)?(?:(?:python[\d.]*|(?:ba|da)?sh) (?:\S*\/)?)?(?:wget|curl|aria2c|axel|git(?:-lfs)?|hf|huggingface-cli|hfd\.sh|kaggle|gdown|pip[\d.]*|conda|mamba|uv)\b/;
const FAILED_BY_PROXY = /ProxyError|Tunnel connection failed/;

/** GS2 */
export const leftProxy: LookDetector = {
  id: 'GS2',
  judge({ look, accelerators }) {
    if (look.runs.length > 0) return look.runs.map((run) => judgeRun(run, look, accelerators));
    return [look.processes.isWhole ? clear() : unknown('the box did not tell of its processes')];
  },
};

function judgeRun(run: RunInLook, look: PatrolLook, accelerators: readonly string[]): LookAnswer {
  const subject = runSubject(run);
  if (run.proxy === null) return unknown('its environment could not be read', subject);
  if (!accelerators.includes(run.proxy)) return clear(subject);
  const failure = failureOf(run, look);
  const isDownload = DOWNLOADS.test(run.command ?? '');
  const isLong = !isDownload && run.ageS !== null && run.ageS >= LINGERS_FROM_S;
  // What is neither a job on a card, nor long, nor failing may be the very download that it is for.
  if (failure === null && !run.holdsGpu && !isLong) return clear(subject);
  return found(subject, {
    severity: 'warn',
    says: says('GS2', 'left'),
    clues: [
      line(`http_proxy or https_proxy names ${run.proxy}`, {
        file: `/proc/${String(run.pid)}/environ`,
        atMs: look.atMs,
      }),
      ...(failure === null ? [] : [failure]),
      ...(run.ageS === null ? [] : [figure('The run is up for', run.ageS / 60, 'min')]),
    ],
  });
}

function failureOf({ logs }: RunInLook, look: PatrolLook): Clue | null {
  for (const log of logs) {
    const said = log.end === null ? null : endsWith(log.end, FAILED_BY_PROXY);
    if (said !== null) return line(said, fromLog(log, look));
  }
  return null;
}
