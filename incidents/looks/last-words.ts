// Runs whose last words name a trap of the catalog, and the nearest words that do not.
import type { LookIncident } from '../runs/run-incident.ts';
import { endsSaying, endsWithItsLog, says, WAITS } from './words.ts';

const raised = (last: string): readonly string[] => [
  'Traceback (most recent call last):',
  '  File "train.py", line 88, in <module>',
  '    main()',
  last,
];
const NO_KERNEL = raised(
  'RuntimeError: CUDA error: no kernel image is available for execution on the device',
);
const TOO_OLD = raised(
  'RuntimeError: The NVIDIA driver on your system is too old (found version 11040). Please update your GPU driver.',
);
const KEY_ERROR = raised("KeyError: 'labels'");
const NETWORK = raised(
  "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='api.wandb.ai', port=443): Max retries exceeded",
);
const CUDNN = raised('ImportError: libcudnn.so.9: cannot open shared object file: No such file');
const WATCHDOG =
  '[rank3]:[E] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1) ran for 1800021 milliseconds before timing out.';

interface Words {
  readonly id: string;
  readonly platform?: string;
  readonly found: readonly string[];
  readonly clear: readonly string[];
  /** What else is told of each. */
  readonly foundAlso?: readonly string[];
  readonly clearAlso?: readonly string[];
  readonly unknownAlso?: readonly string[];
}

const ENDS: readonly Words[] = [
  { id: 'U28', found: NO_KERNEL, clear: KEY_ERROR },
  {
    id: 'U26',
    found: ["run.sh: line 2: $'\\r': command not found"],
    clear: ['run.sh: line 2: foo: command not found'],
  },
  {
    id: 'MN1',
    found: raised(
      'RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized',
    ),
    clear: TOO_OLD,
    clearAlso: ['U28'],
  },
  {
    id: 'AD9',
    platform: 'autodl',
    found: NO_KERNEL,
    clear: KEY_ERROR,
    foundAlso: ['U28'],
  },
  {
    id: 'AD6',
    platform: 'autodl',
    found: ['run.sh: line 3: python3: command not found'],
    clear: ['run.sh: line 3: torchrun: command not found'],
  },
  {
    id: 'PS11',
    platform: 'paperspace',
    found: TOO_OLD,
    clear: KEY_ERROR,
    foundAlso: ['U28', 'PS13'],
    clearAlso: ['PS13'],
    unknownAlso: ['PS13'],
  },
  {
    id: 'RP9',
    platform: 'runpod',
    found: TOO_OLD,
    clear: CUDNN,
    foundAlso: ['U28'],
    clearAlso: ['U28'],
  },
  {
    id: 'VAST5',
    platform: 'vastai',
    found: TOO_OLD,
    clear: CUDNN,
    foundAlso: ['U28'],
    clearAlso: ['U28'],
  },
  { id: 'MN3', found: [WATCHDOG], clear: KEY_ERROR },
  {
    id: 'MN6',
    found: ['RuntimeError: Timed out waiting for 4 slots to become available'],
    clear: [WATCHDOG],
    clearAlso: ['MN3'],
  },
  {
    id: 'SLURM4',
    found: ['slurmstepd: error: Detected 1 oom_kill event in StepId=5.batch.'],
    clear: [
      'slurmstepd: error: *** JOB 5 ON g1 CANCELLED AT 2026-11-22T06:00:00 DUE TO TIME LIMIT ***',
    ],
  },
  { id: 'AD1', platform: 'autodl', found: NETWORK, clear: KEY_ERROR },
  {
    id: 'AD2',
    platform: 'autodl',
    found: raised(
      "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='cas-bridge.xethub.hf.co', port=443): Read timed out.",
    ),
    clear: NETWORK,
    foundAlso: ['AD1'],
    clearAlso: ['AD1'],
  },
  { id: 'NB3', platform: 'kaggle', found: NETWORK, clear: KEY_ERROR },
  {
    id: 'RP5',
    platform: 'runpod',
    found: raised(
      'requests.exceptions.HTTPError: 524 Server Error: <none> for url: https://abc-7860.proxy.runpod.net/x',
    ),
    clear: raised(
      'requests.exceptions.HTTPError: 504 Server Error: <none> for url: https://abc-7860.proxy.runpod.net/x',
    ),
  },
  {
    id: 'LAM8',
    platform: 'lambda',
    found: raised(
      'ImportError: /usr/lib/python3/dist-packages/torch/lib/libtorch_cuda.so: undefined symbol: ncclCommRegister',
    ),
    clear: raised("ModuleNotFoundError: No module named 'einops'"),
    foundAlso: ['U28'],
  },
  {
    id: 'LAM11',
    platform: 'lambda',
    found: CUDNN,
    clear: raised('ImportError: libGL.so.1: cannot open shared object file: No such file'),
    foundAlso: ['U28'],
    clearAlso: ['U28'],
  },
  {
    id: 'U33',
    found: ['SYNC FAILED: the durable disk is full'],
    clear: ['synced 12 files, none failed'],
  },
  {
    id: 'U40',
    found: raised("RuntimeError: can't start new thread"),
    clear: ['using 8 threads'],
  },
  {
    id: 'LAM7',
    platform: 'lambda',
    found: ['Defaulting to user installation because normal site-packages is not writeable'],
    clear: ['Requirement already satisfied: torch'],
  },
  {
    id: 'U31',
    found: raised('RuntimeError: No CUDA GPUs are available'),
    clear: KEY_ERROR,
  },
];

export const lastWords: readonly LookIncident[] = ENDS.flatMap(
  ({ id, platform, found, clear, foundAlso = [], clearAlso = [], unknownAlso = [] }) => {
    const on = platform === undefined ? {} : { platform };
    return [
      {
        id,
        label: 'found',
        what: 'the last words of a run that is gone',
        also: ['U3', ...foundAlso],
        ...on,
        run: WAITS,
        happens: endsSaying(...found),
      },
      {
        id,
        label: 'clear',
        what: 'other last words',
        also: ['U3', ...clearAlso],
        ...on,
        run: WAITS,
        happens: endsSaying(...clear),
      },
      {
        id,
        label: 'unknown',
        what: 'the run is gone, and its log with it',
        also: ['U3', ...unknownAlso],
        ...on,
        run: WAITS,
        happens: endsWithItsLog,
      },
    ] as const;
  },
);

/** The same words, and the run goes on: of a card that is not there that is a run without one. */
export const survivedWords: readonly LookIncident[] = ENDS.filter(({ id }) => id !== 'U31').map(
  ({ id, platform, found }) => ({
    id,
    label: 'clear',
    what: 'the words further up in the log of a run that goes on',
    ...(platform === undefined ? {} : { platform }),
    run: WAITS,
    happens: says(
      ...found,
      'caught, going on',
      ...Array.from({ length: 40 }, (_none, i) => `epoch 3 step ${String(1201 + i)} loss 2.1`),
    ),
  }),
);
