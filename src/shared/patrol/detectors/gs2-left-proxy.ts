import { figure, line } from '../../detectors/finding.ts';
import {
  clear,
  found,
  runSubject,
  unknown,
  type LookAnswer,
  type LookDetector,
  type LookView,
} from '../look-detector.ts';
import type { RunLook } from '../patrol-look.ts';
import { endsWith } from './log-words.ts';

/** A download is over by then, or it is no download step (chosen for Leasehold). */
const LINGERS_FROM_S = 1800;
/** What the accelerator is for; a large model takes hours. */
const DOWNLOADS =
  /^(?:\S*\/)?(?:(?:python[\d.]*|(?:ba|da)?sh) (?:\S*\/)?)?(?:wget|curl|aria2c|axel|git(?:-lfs)?|hf|huggingface-cli|hfd\.sh|kaggle|gdown|pip[\d.]*|conda|mamba|uv)\b/;
const FAILED_BY_PROXY = /ProxyError|Tunnel connection failed/;

/** GS2 */
export const leftProxy: LookDetector = {
  id: 'GS2',
  title: 'Accelerator proxy left on blocks other hosts (Gpushare)',
  judge({ look }) {
    if (look.runs.length > 0) return look.runs.map(judgeRun);
    return [look.processes.isWhole ? clear() : unknown('the box did not tell of its processes')];
  },
};

function judgeRun(run: LookView['look']['runs'][number]): LookAnswer {
  const subject = runSubject(run);
  if (run.proxy === null) return unknown('its environment could not be read', subject);
  if (run.proxy === 'none') return clear(subject);
  const failure = failureOf(run);
  const isDownload = DOWNLOADS.test(run.command ?? '');
  const isLong = !isDownload && run.ageS !== null && run.ageS >= LINGERS_FROM_S;
  // What is neither a job on a card, nor long, nor failing may be the very download that it is for.
  if (failure === null && !run.holdsGpu && !isLong) return clear(subject);
  return found(subject, {
    severity: 'warn',
    headline: 'A run still goes through the accelerator’s proxy.',
    means: 'The turbo proxy allows only GitHub, Hugging Face, PyTorch and Kaggle hosts.',
    fix: ['Set it per session for the pull and unset at once', 'Test the same route'],
    evidence: [
      line('http_proxy or https_proxy names turbo.gpushare.com'),
      ...(failure === null ? [] : [line(failure)]),
      ...(run.ageS === null ? [] : [figure('The run is up for', run.ageS / 60, 'min')]),
    ],
    caveat: null,
  });
}

function failureOf({ logs }: RunLook): string | null {
  return (
    logs
      .map(({ end }) => (end === null ? null : endsWith(end, FAILED_BY_PROXY)))
      .find((said) => said !== null) ?? null
  );
}
