/**
 * How many questions to the disk a worker has under way at a time. With the usual four of Node, those that flush ten thousands of small files waited
 * longer than they worked (decision 48): a disk answers many such questions together.
 */
const DISK_THREADS = '16';

/** For a process that is to be started with it. What a person has set themselves stays. */
export const withDiskThreads = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  UV_THREADPOOL_SIZE: DISK_THREADS,
  ...env,
});
