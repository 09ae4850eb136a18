// Runs that begin wrongly: by a script from Windows, without a card or a fabric, anew at their first step, or with too few workers.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LookIncident } from '../runs/run-incident.ts';
import { at, endsSaying, HOUR_S, says, WAITS } from './words.ts';

/** A script that is really run, its output in the log of the run, and that the shell's own words end. */
const runsScript = (shell: string): LookIncident['run'] => ({
  script: `echo begins; wait_here; cd "$work"; ${shell} run.sh`,
});
const windows = (...lines: readonly string[]): string =>
  lines.map((line) => `${line}\r\n`).join('');

const scripts = (
  label: 'found' | 'clear',
  stories: Readonly<Record<string, { readonly script: string; readonly shell?: string }>>,
): readonly LookIncident[] =>
  Object.entries(stories).map(([what, { script, shell = 'bash' }]) => ({
    id: 'U26',
    label,
    what,
    also: ['U3'],
    run: runsScript(shell),
    happens: async (box) => {
      writeFileSync(join(box.work, 'run.sh'), script, { mode: 0o755 });
      await box.goOnToItsEnd();
    },
  }));

/** The run is there, and its log is not told in time. */
const unreadLog = (id: string): LookIncident => ({
  id,
  label: 'unknown',
  what: 'the run goes on, and its log is on a server that went away',
  run: WAITS,
  happens: at((box) => box.doesNotReturn('tail', 'fd/1')),
});

const windowsScripts: readonly LookIncident[] = [
  ...scripts('found', {
    'strict options at its head': { script: windows('set -euo pipefail', 'python train.py') },
    'the shell of the image is dash': { script: windows('set -e', 'python train.py'), shell: 'sh' },
    'the first program it calls': { script: windows('export A=1', 'nvidia-smi') },
    'a blank line, and a folder': { script: windows('', 'cd /root/code', 'ls') },
    'a loop over cells': { script: windows('for cell in a b; do', 'echo "$cell"', 'done') },
  }),
  unreadLog('U26'),
  ...scripts('clear', {
    'a program that is not there': { script: 'export A=1\nnvidia-smj\n' },
    'a loop without its end': { script: 'for cell in a b; do\necho "$cell"\n' },
    'a variable that nobody has set': { script: '"$PYTHON" train.py\n' },
    'the same, in dash': { script: '"$PYTHON" train.py\n. "$SETTINGS"\n', shell: 'sh' },
    'an option that the shell does not have': { script: 'set -o pipefial\nset -Z\nexit 2\n' },
  }),
  {
    id: 'U26',
    label: 'clear',
    what: 'a bar that is drawn with carriage returns, and an option that a program does not know',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying('10%\r20%\r30%', 'train.py: error: unrecognized arguments: --fp17'),
  },
];

const raised = (last: string): readonly string[] => [
  'Traceback (most recent call last):',
  '  File "train.py", line 88, in <module>',
  '    main()',
  last,
];

const goesOnSaying = (
  label: 'found' | 'clear',
  stories: Readonly<Record<string, readonly string[]>>,
): readonly LookIncident[] =>
  Object.entries(stories).map(([what, lines]) => ({
    id: 'U31',
    label,
    what,
    agedS: HOUR_S,
    run: WAITS,
    happens: says(...lines, 'step 1 loss 9.9 (61.2 s/it)', 'step 2 loss 9.8 (60.9 s/it)'),
  }));
const E802 =
  '/opt/conda/lib/python3.11/site-packages/torch/cuda/__init__.py:129: UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before calling NumCudaDevices() that might have already set an error? Error 802: system not yet initialized (Triggered internally at ../c10/cuda/CUDAFunctions.cpp:109.)';

const withoutCard: readonly LookIncident[] = [
  ...goesOnSaying('found', {
    'Lightning has found none': [
      'GPU available: False, used: False',
      'TPU available: False, using: 0 TPU cores',
    ],
    'torch has warned': [
      '/opt/conda/lib/python3.11/site-packages/torch/cuda/__init__.py:129: UserWarning: CUDA initialization: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero.',
    ],
    'JAX has fallen back': [
      'An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed. Falling back to cpu.',
    ],
    'TensorFlow has skipped them': [
      'W0000 00:00:1732276800.000000 77 gpu_device.cc:2344] Cannot dlopen some GPU libraries. Please make sure the missing libraries mentioned above are installed properly if you would like to use GPU.',
      'Skipping registering GPU devices...',
    ],
  }),
  ...goesOnSaying('clear', {
    'Lightning has one': ['GPU available: True (cuda), used: True'],
    'it was told to use the CPU': ['GPU available: True (cuda), used: False', 'device: cpu'],
    'its figures have names that sound like it': [
      'gpu_util: 0.93, no GPU idle time found in the last epoch',
    ],
  }),
  {
    id: 'U31',
    label: 'clear',
    what: 'somebody else has the card for himself',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying(
      ...raised('RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable'),
    ),
  },
  {
    id: 'U31',
    label: 'unknown',
    what: 'what a run without a card says cannot be read',
    agedS: HOUR_S,
    run: WAITS,
    happens: at((box) => box.doesNotReturn('tail', 'fd/1')),
  },
];

const fabric: readonly LookIncident[] = [
  {
    id: 'MN1',
    label: 'found',
    what: 'NCCL’s first card, below eight ranks',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying(
      ...raised('RuntimeError: CUDA error: system not yet initialized').map(
        (line) => `[rank5]: ${line}`,
      ),
    ),
  },
  {
    id: 'MN1',
    label: 'found',
    what: 'JAX, by the driver’s own word',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying(
      ...raised(
        'jaxlib.xla_extension.XlaRuntimeError: INTERNAL: failed call to cuInit: CUDA_ERROR_SYSTEM_NOT_READY: system not yet initialized',
      ),
    ),
  },
  {
    id: 'MN1',
    label: 'found',
    what: 'torch has warned of it, and then found no card',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying(E802, ...raised('RuntimeError: No CUDA GPUs are available')),
  },
  {
    id: 'MN1',
    label: 'clear',
    what: 'a program of one’s own that is not ready',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying(...raised('RuntimeError: tokenizer: system not yet initialized')),
  },
  {
    id: 'MN1',
    label: 'clear',
    what: 'another rank went, and its peers lost the connection',
    also: ['U3', 'MN3'],
    run: WAITS,
    happens: endsSaying(
      ...raised(
        'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:3384, remote process exited or there was a network error, NCCL version 2.21.5',
      ),
    ),
  },
];

const RESTART = '[default] Worker group FAILED. 2/3 attempts left; will restart worker group';
const FAILED =
  'E1122 12:00:02.000 77 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0 (pid: 90) of binary: /opt/conda/bin/python';
const GAVE_UP =
  'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: train.py FAILED';

const restarts = (
  label: LookIncident['label'],
  stories: Readonly<Record<string, readonly string[]>>,
): readonly LookIncident[] =>
  Object.entries(stories).map(([what, lines]) => ({
    id: 'MN5',
    label,
    what,
    // Nothing of its own: each story is its whole log.
    run: { script: 'wait_here; :' },
    happens: says(...lines),
  }));

const startedAgain: readonly LookIncident[] = [
  unreadLog('MN5'),
  ...restarts('found', {
    'as torchrun tells it unless it is asked to tell more': [
      'epoch 3 step 1200 loss 2.1',
      FAILED,
      'epoch 0 step 0 loss 9.9',
    ],
    'Hugging Face’s trainer tells epochs only': [
      "{'loss': 2.1, 'learning_rate': 2e-05, 'epoch': 3.2}",
      RESTART,
      "{'loss': 9.9, 'learning_rate': 2e-05, 'epoch': 0.01}",
    ],
    'Megatron, with its wide columns': [
      ' [2026-11-22 12:00:00] iteration     1200/  500000 | consumed samples:       307200 | elapsed time per iteration (ms): 812.1 |',
      RESTART,
      ' [2026-11-22 12:09:00] iteration        1/  500000 | consumed samples:          256 | elapsed time per iteration (ms): 912.1 |',
    ],
    'a model was loaded anew, and no state': [
      'step: 900/5000, loss: 2.1',
      RESTART,
      'Loading checkpoint shards: 100%|██████████| 4/4 [00:04<00:00,  1.07s/it]',
      'step: 0/5000, loss: 9.9',
    ],
  }),
  ...restarts('clear', {
    'from its checkpoint of an hour ago': [
      'epoch 3 step 1200 loss 2.1',
      FAILED,
      'Resuming from checkpoint out/step-1000.pt',
      'epoch 2 step 1001 loss 2.3',
    ],
    'it failed for good, and somebody began something else in the same log': [
      'epoch 3 step 1200 loss 2.1',
      FAILED,
      GAVE_UP,
      '----- new launch -----',
      'epoch 0 step 0 loss 9.9',
    ],
    'it was started again before its first step': [
      'world size 8, building the data set',
      RESTART,
      'world size 8, building the data set',
      'step 0 loss 9.9',
    ],
    'it validates first, and goes on at its checkpoint': [
      'step 900 loss 2.1',
      RESTART,
      'eval step 0 loss 2.2',
      'eval step 50 loss 2.2',
      'step 801 loss 2.2',
    ],
    'each epoch counts its steps anew': [
      'epoch 3 step 1200 loss 2.1',
      'epoch 4 step 0 loss 2.0',
      'epoch 4 step 50 loss 2.0',
    ],
  }),
  ...restarts('unknown', {
    'it has loaded its checkpoint, and counts the steps of this session': [
      'step 900 loss 2.1',
      RESTART,
      "=> loaded checkpoint 'out/step-800.pt'",
      'step 0 loss 2.2',
    ],
  }),
];

const SLOTS =
  'horovod.runner.common.util.timeout.TimeoutException: Timed out waiting for minimum number of slots to become available. Please check that you have enough resources to run at least 4 Horovod processes.';

const tooFewWorkers: readonly LookIncident[] = [
  unreadLog('MN6'),
  {
    id: 'MN6',
    label: 'found',
    what: 'half of the workers were preempted, and none came back',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying(
      'Host n3 has been blacklisted',
      ...raised(SLOTS),
      'Job has been shutdown, see above error messages for details.',
    ),
  },
  {
    id: 'MN6',
    label: 'clear',
    what: 'a run that has just begun prints its settings',
    run: WAITS,
    happens: says('HOROVOD_ELASTIC_TIMEOUT=1200', 'HOROVOD_FUSION_THRESHOLD=67108864'),
  },
  {
    id: 'MN6',
    label: 'clear',
    what: 'a scheduler of data that waits for its own slots',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying(...raised('KeyError: "timed out waiting for the prefetch slots"')),
  },
  {
    id: 'MN6',
    label: 'clear',
    what: 'workers went, and others came',
    run: WAITS,
    happens: says(
      'Host n3 has been blacklisted',
      'start worker process: n4[0]',
      ...Array.from({ length: 9 }, (_none, i) => `step ${String(i + 400)} loss 2.1`),
    ),
  },
];

export const falseStarts: readonly LookIncident[] = [
  ...windowsScripts,
  ...withoutCard,
  ...fabric,
  ...startedAgain,
  ...tooFewWorkers,
];
