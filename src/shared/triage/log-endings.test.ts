import { describe, expect, it } from 'vitest';
import { readLogEnding } from './log-endings.ts';

const CLOSED =
  'node-a:12:34 [0] misc/socket.cc:49 NCCL WARN Connection closed by remote peer node-b<123>';
const STEP = 'step 10 loss 1.5';

describe('a run that ended well', () => {
  it.each([
    ['a rank that saw another one leave', ['Training finished, saved to out/', CLOSED]],
    ['the same, with a line between', ['All done.', 'Saved to out/', CLOSED]],
    ['the same, and how NCCL came there', ['Done.', CLOSED, 'a:1:2 [0] NCCL INFO net.cc:288 -> 3']],
    ['such a warning alone', [CLOSED]],
    ['a list of ranks that are ready', ['allreduce.x [ready ranks: 0, 1]']],
    ['a policy', ['All done.', 'retry policy: NODE_FAIL and PREEMPTED are requeued']],
    ['a handler', ['Finished.', 'INFO Handling requeue signal is registered for SIGUSR1']],
    ['a handler of its own', ['Finished.', 'this writes "Handling auto-requeue signal: 10"']],
    ['what a script would do', ['Finished.', 'on failure: requeueing job 12 is left to you']],
    [
      'its dashboard, ended behind it',
      ['Training completed successfully', '[INFO] Received SIGTERM, shutting down dashboard'],
    ],
    [
      'its arguments',
      ['Namespace(trust_remote_code=True, error_file=None, on_error="cannot go on")'],
    ],
    ['figures that count errors', ['{"step": 11, "loss": 1.4, "failed": 0, "error": null}']],
    ['a table of errors', ['| timeouts | 3 |', '| failed | 2 |', 'Evaluation finished.']],
    ['git', ['Done.', 'fatal: not a git repository (or any of the parent directories): .git']],
    ['what it does without', ['Could not import bitsandbytes, falling back to AdamW']],
    [
      'a loss scale',
      ['Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 32768.0'],
    ],
    [
      'what is cleared up behind it',
      [
        'Training finished.',
        'Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f>',
        'Traceback (most recent call last):',
        '  File "x.py", line 1, in __del__',
        '    self._shutdown_workers()',
        'BrokenPipeError: [Errno 32] Broken pipe',
      ],
    ],
  ])('has not failed by %s', (_, lines) => {
    expect(readLogEnding([STEP, ...lines, ''].join('\n'))).toBeNull();
  });
});

describe('a run that goes on', () => {
  it.each([
    [
      'a library that is not there',
      [
        "2024-01-01 00:00:00.1: W tensorflow/dso_loader.cc:64] Could not load dynamic library 'libnvinfer.so.7'; dlerror: libnvinfer.so.7: cannot open shared object file: No such file or directory",
      ],
    ],
    [
      'a batch that was left out',
      [
        'WARNING: ran out of memory with exception: CUDA out of memory. Tried to allocate 2.00 GiB; Skipping batch',
      ],
    ],
    [
      'an allocator that made do',
      [
        '2024-01-01 00:00:00: W tsl/framework/bfc_allocator.cc:291] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.20GiB with freed_by_count=0. The caller indicates that this is not a failure.',
      ],
    ],
    [
      'a socket that was tried again',
      [
        '[W socket.cpp:601] [c10d] The client socket has failed to connect to [node-a]:29500 (errno: 111 - Connection refused).',
        '[I socket.cpp:699] [c10d] The client socket has connected to [node-a]:29500',
      ],
    ],
    [
      'a store that asked to wait',
      [
        '429 Client Error: Too Many Requests for url: https://hub.example/x',
        'Retrying in 8 seconds',
      ],
    ],
    [
      'a tracker that was not reached',
      ['wandb: Network error (ConnectionError), entering retry loop.'],
    ],
    [
      'a spot machine that came anew',
      [
        'W 04-19 10:00:00 controller.py:99] Cluster was preempted. Recovering...',
        'I 04-19 10:10:00 controller.py:120] Recovered cluster.',
      ],
    ],
    [
      'a damaged checkpoint',
      ['WARNING: checkpoint step_100.pt is corrupted, falling back to step_90.pt'],
    ],
    [
      'a folder of settings',
      [
        '/opt/env/matplotlib: WARNING mkdir -p failed for path /root/.config/matplotlib: [Errno 13] Permission denied',
      ],
    ],
  ])('has survived %s', (_, lines) => {
    expect(readLogEnding([STEP, ...lines, 'step 11 loss 1.4', ''].join('\n'))).toBeNull();
  });
});

describe('a run that did not', () => {
  it.each([
    ['collective-timeout', [CLOSED, 'a:1:2 [0] NCCL INFO transport/net.cc:288 -> 3']],
    [
      'collective-timeout',
      [CLOSED, 'RuntimeError: NCCL error in: a.cpp:1, unhandled system error'],
    ],
    [
      'collective-timeout',
      ['Done.', 'Starting run 2', CLOSED, 'a:1:2 [0] NCCL INFO net.cc:2 -> 3'],
    ],
    ['collective-timeout', ['allreduce.x [missing ranks: 0, 1]']],
    ['gpu-memory', ['torch.OutOfMemoryError: CUDA out of memory.', CLOSED]],
    ['time-limit', ['12_3  pretrain  NODE_FAIL      1:0']],
    ['time-limit', ['12|pretrain|NODE_FAIL|1:0']],
    ['time-limit', ['   JobState=NODE_FAIL Reason=NodeDown Dependency=(null)']],
    ['time-limit', ['INFO: Handling auto-requeue signal: 10']],
    ['time-limit', ['requeing job 123...']],
    ['time-limit', ['requeueing job 123...']],
    ['time-limit', ['submitit INFO (2022-07-12 04:18:45,912) - Requeued job 6 (3 remaining)']],
  ])('is %s after %j', (failure, lines) => {
    expect(readLogEnding([STEP, ...lines, ''].join('\n'))?.failure).toBe(failure);
  });
});

describe('an exception, and not what was printed before it', () => {
  const KEY_ERROR = [
    'Traceback (most recent call last):',
    '  File "a.py", line 9, in <module>',
    "KeyError: 'ids'",
  ];

  it.each([
    'ERROR: CUDA out of memory. batch 8 left out',
    'ERROR: CUDA out of memory.',
    '/tmp/x.lock: No space left on device',
    'loader 4 signaled with signal 9, another is begun',
    'job exceeded walltime limit is checked by watcher',
    '{"restartOn": ["OOMKilled"]}',
    '{"restartOn": ["Error", "OOMKilled", "Evicted"]}',
    'statuses: RUNNING, FAILED, OUT_OF_MEMORY, TIMEOUT',
    'warning: your progress on GPU is lost when the instance is stopped',
    'Running on a spot instance, which may be terminated',
    'a spot instance is cheap because it can be interrupted',
    'INFO handler for signal 15 installed',
  ])('ended the run after “%s”', (line) => {
    const words = readLogEnding([STEP, line, ...KEY_ERROR, ''].join('\n'));
    expect(words).toMatchObject({ failure: 'code-or-config', line: "KeyError: 'ids'" });
    // Alone it ends nothing, where nobody but a scheduler, a kernel or a card would say so.
    if (!/out of memory|No space/.test(line))
      expect(readLogEnding(`${STEP}\n${line}\n`)).toBeNull();
  });

  it.each([
    ['time-limit', 'job exceeded walltime limit'],
    ['time-limit', 'job exceeded its wall clock limit 3600'],
    ['host-memory', 'pod/train-0   0/1   OOMKilled   0   3m'],
    ['host-memory', '"reason": "OOMKilled",'],
    ['host-memory', '123_4  train  OUT_OF_MEMORY  0:125'],
    ['host-memory', '123|train|gpu|OUT_OF_MEMORY|0:125'],
    ['host-memory', '   JobState=OUT_OF_MEMORY Reason=OutOfMemory'],
    ['host-memory', 'State: OUT_OF_MEMORY (exit code 0)'],
    ['hardware', 'Unable to reach 0000:01:00.0: GPU is lost.  Reboot the system'],
    ['time-limit', 'The spot instance was terminated'],
    ['ended-by-signal', 'terminated by signal 15'],
    ['host-memory', 'Shard process was signaled to shutdown with signal 9 rank=0'],
  ])('is none, and %s is what “%s” says', (failure, line) => {
    expect(readLogEnding(`${STEP}\n${line}\n`)?.failure).toBe(failure);
  });
});
