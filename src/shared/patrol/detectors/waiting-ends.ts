import type { LookDetector } from '../look-detector.ts';
import { endedBy } from './ended-by.ts';

/** The backend that the mirror does not cover. A mirror that answers, if only to refuse, is another matter. */
const XET = /cas-(?:bridge|server)|xethub|CAS service error/i;

/** Runs whose log ends with others that waited: for a rank, for workers, for something outside. */
export const waitingEnds: readonly LookDetector[] = [
  endedBy({
    id: 'MN3',
    title: 'The 30-minute collective timeout hides the real failure',
    platforms: null,
    // The watchdog speaks, and the process may stay there for a long time.
    isToldWhileAlive: true,
    fits: ({ failure, gotcha }) => failure === 'collective-timeout' && gotcha === null,
    severity: 'warn',
    headline: 'A run’s log ends with a rank that waited for another one.',
    means:
      'Healthy ranks wait 1800 s by default for a dead or slow one: this hides what it died of.',
    fix: [
      'Keep NCCL_DEBUG=INFO to name the silent rank',
      'Turn on async error handling (TORCH_NCCL_ASYNC_ERROR_HANDLING=1, older NCCL_ASYNC_ERROR_HANDLING=1)',
      'Set the process-group timeout on purpose, longer or shorter',
    ],
  }),
  endedBy({
    id: 'MN6',
    title: 'Elastic Horovod pauses below min-np, then errors',
    platforms: null,
    isToldWhileAlive: true,
    fits: ({ gotcha }) => gotcha === 'MN6',
    severity: 'warn',
    headline: 'A run waits for workers that did not come, or gave that up.',
    means:
      'Below min-np it waits for workers and errors after HOROVOD_ELASTIC_TIMEOUT, 600 s by default.',
    fix: [
      'Set min-np low enough for usual preemptions',
      'Raise the timeout when capacity returns slowly',
    ],
  }),
  endedBy({
    id: 'SLURM4',
    title: 'Out of memory shows up as a job state, not a traceback',
    platforms: null,
    isToldWhileAlive: true,
    fits: ({ gotcha }) => gotcha === 'SLURM4',
    severity: 'critical',
    headline: 'The scheduler says that a job’s memory ran out.',
    means: 'The cgroup limit derived from --mem was exceeded and the kernel killed the task.',
    fix: [
      'Compare MaxRSS with ReqMem',
      'Ask for MaxRSS x 1.2',
      'It is host memory: do not shrink the batch',
    ],
  }),
  endedBy({
    id: 'AD1',
    title: 'No proxy by default: external calls hang, tracker shows no runs',
    platforms: ['autodl'],
    isToldWhileAlive: false,
    // With a proxy, of whatever kind, it is something else.
    fits: ({ failure }, { run }) => failure === 'network' && run.proxy === 'none',
    severity: 'critical',
    headline: 'A run ended because it could not reach something outside.',
    means: 'Instances start without a proxy and direct routes abroad are unreliable.',
    fix: [
      'Source /etc/network_turbo in every shell and wrapper before external calls',
      'Recover by syncing each local run directory with a timeout',
    ],
  }),
  endedBy({
    id: 'AD2',
    title: 'Large model shards stall even with mirror and proxy',
    platforms: ['autodl'],
    isToldWhileAlive: true,
    fits: ({ failure, line }) =>
      failure === 'network' &&
      (XET.test(line) || (/hf-mirror/i.test(line) && /timed out|timeout/i.test(line))),
    severity: 'warn',
    headline: 'A download of a model failed on a route that the mirror does not cover.',
    means: 'The Xet backend is not covered by the mirror.',
    fix: [
      'Set HF_HUB_DISABLE_XET=1 together with HF_ENDPOINT=https://hf-mirror.com before any import',
      'Or pull from ModelScope into a plain directory and load locally',
    ],
  }),
  endedBy({
    id: 'NB3',
    title: 'Kaggle commit inherits wrong accelerator or no internet',
    platforms: ['kaggle'],
    isToldWhileAlive: false,
    fits: ({ failure, gotcha }) => failure === 'network' || gotcha === 'U31',
    severity: 'warn',
    headline: 'A run ended without a card or without the internet.',
    means:
      'Accelerator and internet are notebook settings the commit copies; internet needs a phone-verified account.',
    fix: [
      'Set GPU and internet before committing',
      'Fail fast in an early cell when CUDA is missing',
    ],
  }),
  endedBy({
    id: 'RP5',
    title: 'HTTP proxy cuts requests at 100 seconds',
    platforms: null,
    isToldWhileAlive: true,
    fits: ({ failure, line }, _told, { platform }) =>
      failure === 'network' &&
      /\b524\b/.test(line) &&
      (platform === 'runpod' || line.includes('proxy.runpod.net')),
    severity: 'info',
    headline: 'A request through the platform’s proxy was cut after 100 seconds.',
    means: 'Fixed Cloudflare timeout.',
    fix: [
      'Use direct TCP; asking for a number over 70000 yields the same port inside and outside',
      'Keep the proxy for short UI requests',
    ],
  }),
];
