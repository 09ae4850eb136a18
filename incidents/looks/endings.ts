// Entries of the catalog that the end of a run's own log tells, in the words of the programs that print them.
import type { LookIncident } from '../runs/run-incident.ts';
import { endsSaying, endsWithItsLog, WAITS } from './words.ts';

const TRACEBACK = ['Traceback (most recent call last):', '  File "train.py", line 88, in <module>'];

interface Told {
  readonly id: string;
  readonly platform?: string;
  /** What is there each time that a run is gone. */
  readonly always?: readonly string[];
  /** Other rules that the same words are for. */
  readonly also?: readonly string[];
  readonly found: readonly string[];
  /** It sounds like it, and is something else. */
  readonly clear: readonly string[];
}

const TOLD: readonly Told[] = [
  {
    id: 'U28',
    found: [
      ...TRACEBACK,
      'RuntimeError: CUDA error: no kernel image is available for execution on the device',
    ],
    clear: [...TRACEBACK, 'RuntimeError: CUDA error: device-side assert triggered'],
  },
  {
    id: 'AD9',
    platform: 'autodl',
    also: ['U28'],
    found: [
      ...TRACEBACK,
      'RuntimeError: CUDA error: no kernel image is available for execution on the device',
    ],
    clear: [...TRACEBACK, 'KeyError: "torch"'],
  },
  {
    id: 'PS11',
    platform: 'paperspace',
    // Whatever ends there is one for the platform's own list of causes.
    always: ['PS13'],
    also: ['U28'],
    found: [
      ...TRACEBACK,
      'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).',
    ],
    clear: [...TRACEBACK, 'ValueError: the schedule is too old'],
  },
  {
    id: 'RP9',
    platform: 'runpod',
    also: ['U28'],
    found: [
      ...TRACEBACK,
      'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).',
    ],
    clear: [...TRACEBACK, 'ValueError: the schedule is too old'],
  },
  {
    id: 'VAST5',
    platform: 'vastai',
    also: ['U28'],
    found: [
      ...TRACEBACK,
      'RuntimeError: The NVIDIA driver on your system is too old (found version 11040).',
    ],
    clear: [...TRACEBACK, 'ValueError: the schedule is too old'],
  },
  {
    id: 'MN3',
    found: [
      '[rank3]:[E1122 12:00:00.000 ProcessGroupNCCL.cpp:616] [Rank 3] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=91, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 1800012 milliseconds before timing out.',
    ],
    clear: [...TRACEBACK, 'TimeoutError: the queue was empty for 30 s'],
  },
  {
    id: 'SLURM4',
    also: ['U9'],
    found: [
      'slurmstepd: error: Detected 1 oom_kill event in StepId=7.0. Some of the step tasks have been OOM Killed.',
    ],
    clear: [
      'slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO TIME LIMIT ***',
    ],
  },
  {
    id: 'AD1',
    platform: 'autodl',
    found: [
      ...TRACEBACK,
      "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with url: /api/models (Caused by NewConnectionError('Failed to establish a new connection: [Errno 101] Network is unreachable'))",
    ],
    clear: [...TRACEBACK, 'ConnectionError: the replay buffer is not connected'],
  },
  {
    id: 'NB3',
    platform: 'kaggle',
    found: [
      ...TRACEBACK,
      "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with url: /api/models (Caused by NameResolutionError('Failed to resolve huggingface.co'))",
    ],
    clear: [...TRACEBACK, 'KeyError: "network"'],
  },
];

const U33_LINE = 'SYNC FAILED: rsync error: some files could not be transferred (code 23)';

export const endingLooks: readonly LookIncident[] = [
  ...TOLD.flatMap(
    ({ id, platform, also = [], found, clear, always = [] }): readonly LookIncident[] => {
      const there = platform === undefined ? {} : { platform };
      return [
        {
          id,
          label: 'found',
          what: 'its log ends with it',
          also: ['U3', ...always, ...also],
          ...there,
          run: WAITS,
          happens: endsSaying(...found),
        },
        {
          id,
          label: 'clear',
          what: 'its log ends with something else that sounds like it',
          also: ['U3', ...always],
          ...there,
          run: WAITS,
          happens: endsSaying(...clear),
        },
        {
          id,
          label: 'unknown',
          what: 'its log is gone with it',
          also: ['U3', ...always],
          ...there,
          run: WAITS,
          happens: endsWithItsLog,
        },
      ];
    },
  ),
  {
    id: 'U33',
    label: 'found',
    what: 'the copy at the end of a run failed',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying('copying results', U33_LINE),
  },
  {
    id: 'U33',
    label: 'clear',
    what: 'the copy at the end of a run was compared',
    also: ['U3'],
    run: WAITS,
    happens: endsSaying('copying results', 'SYNC OK: 412 of 412 files, sha256 compared'),
  },
  {
    id: 'U33',
    label: 'unknown',
    what: 'the run’s log is gone with it',
    also: ['U3'],
    run: WAITS,
    happens: endsWithItsLog,
  },
];
