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
  ])('has not failed by %s', (_, lines) => {
    expect(readLogEnding([STEP, ...lines, ''].join('\n'))).toBeNull();
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
