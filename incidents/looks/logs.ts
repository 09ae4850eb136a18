// What a run's log says, at its end and before. The lines are those that the frameworks print.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LookIncident } from '../runs/run-incident.ts';
import {
  at,
  endsSaying,
  endsWithItsLog,
  GIB,
  HOUR_S,
  nothing,
  says,
  silence,
  TRAINS,
  WAITS,
} from './words.ts';

const TRACEBACK = ['Traceback (most recent call last):', '  File "train.py", line 88, in <module>'];
const TORCHRUN = [
  'W1122 12:00:01.000 77 torch/distributed/elastic/multiprocessing/api.py:897] Sending process 91 closing signal SIGTERM',
  'E1122 12:00:02.000 77 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0 (pid: 90) of binary: /opt/conda/bin/python',
  'Traceback (most recent call last):',
  '  File "/opt/conda/bin/torchrun", line 8, in <module>',
  '    sys.exit(main())',
  '  File "/opt/conda/lib/python3.11/site-packages/torch/distributed/run.py", line 919, in main',
  '    run(args)',
  '  File "/opt/conda/lib/python3.11/site-packages/torch/distributed/launcher/api.py", line 138, in __call__',
  '    return launch_agent(self._config, self._entrypoint, list(args))',
  'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ',
  '============================================================',
  'train.py FAILED',
  '------------------------------------------------------------',
  'Failures:',
  '  <NO_OTHER_FAILURES>',
  '------------------------------------------------------------',
  'Root Cause (first observed failure):',
  '[0]:',
  '  time      : 2026-11-22_12:00:02',
  '  host      : box',
  '  rank      : 0 (local_rank: 0)',
  '  exitcode  : 1 (pid: 90)',
  '  error_file: <N/A>',
  '  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html',
  '============================================================',
];
const WANDB = [
  'wandb: ',
  'wandb: Run history:',
  ...Array.from({ length: 14 }, (_none, i) => `wandb:   metric-${String(i)} ▁▂▃▅▇`),
  'wandb: 🚀 View run golden-lion-7 at: https://wandb.example/run',
  'wandb: Find logs at: ./wandb/run-1/logs',
];

const endings = (
  id: 'U10' | 'U37',
  label: 'found' | 'clear',
  stories: Readonly<Record<string, readonly string[]>>,
): readonly LookIncident[] =>
  Object.entries(stories).map(([what, lines]) => ({
    id,
    label,
    what,
    also: ['U3'],
    run: WAITS,
    happens: endsSaying(...lines),
  }));

export const logLooks: readonly LookIncident[] = [
  ...endings('U10', 'found', {
    'torch, on its own card': [
      ...TRACEBACK,
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.10 GiB of which 1.19 GiB is free.',
    ],
    'torch of some years ago': [
      ...TRACEBACK,
      'RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 10.76 GiB total capacity; 9.76 GiB already allocated)',
    ],
    'one of eight ranks, in front of what torchrun says': [
      ...TRACEBACK.map((line) => `[rank3]: ${line}`),
      '[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
      ...TORCHRUN,
    ],
    'in front of what a tracker says': [
      ...TRACEBACK,
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
      ...WANDB,
    ],
    'a card of AMD': [
      ...TRACEBACK,
      'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB.',
    ],
    JAX: [
      ...TRACEBACK,
      'jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 17179869184 bytes.',
    ],
    TensorFlow: [
      ...TRACEBACK,
      'tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[4096,4096] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc',
    ],
    'llama.cpp': [
      'ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4096.00 MiB on device 0: cudaMalloc failed: out of memory',
      'llama_model_load: error loading model: unable to allocate CUDA0 buffer',
    ],
    'a progress bar stands behind it': [
      ...TRACEBACK,
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
      '  3%|▎         | 12/400 [00:03<01:54,  3.39it/s]',
    ],
  }),
  ...endings('U10', 'clear', {
    'the host’s memory, as numpy says it': [
      ...TRACEBACK,
      'numpy.core._exceptions._ArrayMemoryError: Unable to allocate 74.5 GiB for an array with shape (100000, 100000)',
    ],
    'the host’s memory, as torch says it': [
      ...TRACEBACK,
      "RuntimeError: [enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 1099511627776 bytes.",
    ],
    'it was caught long before the end': [
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
      ...Array.from(
        { length: 40 },
        (_none, i) => `step ${String(i)} with half the batch, loss 2.1`,
      ),
    ],
  }),
  {
    id: 'U10',
    label: 'clear',
    what: 'the run has caught it, and goes on with half the batch',
    run: WAITS,
    happens: says(
      'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
      'retry with 16',
    ),
  },
  {
    id: 'U10',
    label: 'unknown',
    what: 'the run is gone, and its log with it',
    also: ['U3'],
    run: WAITS,
    happens: endsWithItsLog,
  },

  ...endings('U37', 'found', {
    'the last word of a report': [
      ...TRACEBACK,
      'ValueError: Image size of 1200x80000 pixels is too large. It must be less than 2^16 in each direction.',
    ],
    'a newer backend': [
      ...TRACEBACK,
      'ValueError: Image size of 640x9000000 pixels is too large. It must be less than 2^23 in each direction.',
    ],
  }),
  {
    id: 'U37',
    label: 'found',
    what: 'a grid is too large, and the run goes on without its summary',
    run: WAITS,
    happens: says(
      'could not draw: Image size of 900x70000 pixels is too large. It must be less than 2^16 in each direction.',
    ),
  },
  ...endings('U37', 'clear', {
    'an image that a reader refuses': [
      ...TRACEBACK,
      'PIL.Image.DecompressionBombError: Image size (199065600 pixels) exceeds limit of 178956970 pixels, could be decompression bomb DOS attack.',
    ],
  }),
  {
    id: 'U37',
    label: 'clear',
    what: 'sizes of images that fit',
    run: WAITS,
    happens: says('Image size 512x512, limit 2^16'),
  },
  {
    id: 'U37',
    label: 'unknown',
    what: 'the run is gone, and its log with it',
    also: ['U3'],
    run: WAITS,
    happens: endsWithItsLog,
  },

  ...Object.entries({
    'a bar of Lightning':
      'Validation DataLoader 0:   3%|▎         | 12/400 [00:03<01:54,  3.39it/s]',
    'Hugging Face’s trainer': '***** Running Evaluation *****',
    'figures of a validation': "{'eval_loss': 2.1, 'eval_runtime': 31.2, 'epoch': 1.0}",
    'a loop of one’s own, in Chinese': '第 1 轮训练结束，开始验证',
  }).map(([what, line]): LookIncident => ({
    id: 'AD8',
    label: 'found',
    what: `9 GB become 28 GB, and the log says ${what}`,
    run: WAITS,
    happens: async (box) => {
      box.useMemory(27.8 * GIB);
      await says(line)(box);
    },
  })),
  {
    id: 'AD8',
    label: 'clear',
    what: '9 GB become 28 GB while it trains',
    run: WAITS,
    happens: async (box) => {
      box.useMemory(27.8 * GIB);
      await says('step 1300 loss 2.0', 'eval_steps=500')(box);
    },
  },
  {
    id: 'AD8',
    label: 'clear',
    what: '9 GB become 18 GB while it validates',
    run: WAITS,
    happens: async (box) => {
      box.useMemory(18 * GIB);
      await says('Validation DataLoader 0: 3%')(box);
    },
  },
  {
    id: 'AD8',
    label: 'clear',
    what: 'it validates, and reads its files for the first time: 20 GB of them stay in the cache',
    run: WAITS,
    happens: async (box) => {
      box.useMemory(29 * GIB);
      box.tells(
        'cgroup/memory.stat',
        `anon ${String(9 * GIB)}\nfile ${String(20 * GIB)}\ninactive_file ${String(8 * GIB)}\nactive_file ${String(12 * GIB)}\n`,
      );
      await says('Validation DataLoader 0: 3%')(box);
    },
  },
  {
    id: 'AD8',
    label: 'clear',
    what: 'the validation was long ago, and memory grows in training',
    run: { script: `echo "Validation: done"; ${TRAINS}` },
    happens: async (box) => {
      box.useMemory(27.8 * GIB);
      await says('step 1300 loss 2.0')(box);
    },
  },
  {
    id: 'AD8',
    label: 'unknown',
    what: 'it validates, and no memory is told',
    also: [],
    run: WAITS,
    happens: async (box) => {
      box.hideMemory();
      await says('Validation DataLoader 0: 3%')(box);
    },
  },

  {
    id: 'U35',
    label: 'found',
    what: 'offline for an hour, and no folder of a tracked run',
    agedS: HOUR_S,
    run: { ...WAITS, env: { WANDB_MODE: 'offline' } },
    happens: nothing,
  },
  {
    id: 'U35',
    label: 'found',
    what: 'nobody answered at the login',
    agedS: HOUR_S,
    run: {
      script: `echo "wandb: W&B disabled due to login timeout."; ${TRAINS}`,
      env: { WANDB_PROJECT: 'x' },
    },
    happens: nothing,
  },
  {
    id: 'U35',
    label: 'clear',
    what: 'offline, and its folder is there',
    agedS: HOUR_S,
    run: {
      script: `mkdir -p "$work/wandb/offline-run-20261122_120000-ab12cd34"; ${TRAINS}`,
      env: { WANDB_MODE: 'offline' },
    },
    happens: nothing,
  },
  {
    id: 'U35',
    label: 'clear',
    what: 'it began, in colours',
    agedS: HOUR_S,
    run: {
      script: `printf '\\033[34m\\033[1mwandb\\033[0m: Tracking run with wandb version 0.19.1\\n'; ${TRAINS}`,
      env: { WANDB_MODE: 'online' },
    },
    happens: nothing,
  },
  {
    id: 'U35',
    label: 'clear',
    what: 'a notebook server with the environment of a person who works offline',
    agedS: HOUR_S,
    run: WAITS,
    happens: async (box) => {
      await box.startBeside(
        `export WANDB_MODE=offline; exec >"$PWD/jupyter.log" 2>&1; exec bash -c 'exec -a jupyter-lab sleep 1000'`,
      );
    },
  },
  {
    id: 'U35',
    label: 'unknown',
    what: 'it is told to say nothing and to keep its folder elsewhere',
    agedS: HOUR_S,
    run: { ...WAITS, env: { WANDB_MODE: 'offline', WANDB_DIR: '/data', WANDB_SILENT: 'true' } },
    happens: nothing,
  },

  {
    id: 'U43',
    label: 'found',
    what: 'the log of a tee is silent, and figures for TensorBoard are written',
    agedS: HOUR_S,
    run: WAITS,
    happens: at((box) => {
      silence(box, 2400);
      writeFileSync(join(box.work, 'events.out.tfevents.1.box'), 'figures');
    }),
  },
  {
    id: 'U43',
    label: 'clear',
    what: 'a notebook server has said nothing for hours',
    agedS: HOUR_S,
    run: WAITS,
    happens: async (box) => {
      await box.startBeside(
        `echo ready >"$PWD/jupyter.log"; touch -d '3 hours ago' "$PWD/jupyter.log"; exec >>"$PWD/jupyter.log" 2>&1; exec bash -c 'exec -a jupyter-lab sleep 1000'`,
      );
    },
  },
  {
    id: 'U43',
    label: 'clear',
    what: 'a bar that is drawn again and again in one line',
    agedS: HOUR_S,
    run: { script: `printf 'epoch 1: 10%%\\r'; ${TRAINS}` },
    happens: says('epoch 1: 40%|████      | 160/400\repoch 1: 41%|████▏     | 164/400'),
  },

  {
    id: 'GS2',
    label: 'found',
    what: 'pip cannot reach a mirror through the accelerator',
    run: { ...WAITS, env: { HTTPS_PROXY: 'http://turbo2.gpushare.com:30000' } },
    happens: says(
      "WARNING: Retrying (Retry(total=4)) after connection broken by 'ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 403 Forbidden'))': /simple/torch/",
    ),
  },
  {
    id: 'GS2',
    label: 'found',
    what: 'one variable for everything',
    agedS: HOUR_S,
    run: { ...WAITS, env: { all_proxy: 'http://turbo.gpushare.com:30000' } },
    happens: nothing,
  },
];
