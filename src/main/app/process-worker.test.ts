import { expect, it, vi } from 'vitest';
import { processWorker } from './process-worker.ts';

const forked = vi.hoisted(() => vi.fn());
vi.mock(import('electron'), () => ({ utilityProcess: { fork: forked } }) as never);

it('a worker has more threads for the disk than Node’s four, and the environment of the app', () => {
  vi.stubEnv('UV_THREADPOOL_SIZE', undefined);
  vi.stubEnv('LEASEHOLD_TEST_WORD', 'kept');
  processWorker('worker.cjs');
  const env = { UV_THREADPOOL_SIZE: '16', LEASEHOLD_TEST_WORD: 'kept' };
  expect(forked).toHaveBeenCalledWith(
    'worker.cjs',
    [],
    expect.objectContaining({ env: expect.objectContaining(env) as unknown }),
  );
  vi.unstubAllEnvs();
});
