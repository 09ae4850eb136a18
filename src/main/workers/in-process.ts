import { ok, err } from '../../shared/result.ts';
import { problem } from '../../shared/problem.ts';
import { doJob } from './do-job.ts';
import type { JobRequest, Jobs } from './jobs.ts';
import type { Workers } from './workers.ts';

/** The same work without a worker: for the command line, which nobody waits for meanwhile. */
export const inProcess: Pick<Workers, 'run'> = {
  async run(kind, input, { signal, onProgress = () => undefined } = {}) {
    if (signal?.aborted === true) return err(problem('aborted', 'The work was stopped.'));
    try {
      // A kind and what that kind is given, which the types of both cannot say at once; nor what comes of it.
      const output = await doJob({ kind, input } as JobRequest, onProgress, signal);
      return ok(output as Jobs[typeof kind]['output']);
    } catch (cause) {
      const { message } = cause as Error;
      return err(problem('job-failed', 'The work could not be done.', { detail: message }));
    }
  },
};
