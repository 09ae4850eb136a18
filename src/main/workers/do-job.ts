import { compareManifests } from '../manifest/compare-manifests.ts';
import { foldTold } from '../manifest/fold-told.ts';
import { joinManifest } from '../manifest/join-manifest.ts';
import { checkSweepText } from '../runs/sweep/sweep-text.ts';
import { checkCopies } from './check-copies.ts';
import type { JobKind, JobRequest, Jobs } from './jobs.ts';
import { proveFile, proveGrowing } from './prove-file.ts';
import { proveSet } from './prove-set.ts';
import { readNumbers } from './read-numbers.ts';
import { settleFiles } from './settle-files.ts';

/** What every kind of job does, wherever it is done. `signal` ends a job that waits, where there is no worker to end. */
export async function doJob(
  job: JobRequest,
  tell: (doneBytes: number) => void,
  signal?: AbortSignal,
): Promise<Jobs[JobKind]['output']> {
  switch (job.kind) {
    case 'prove-file':
      return proveFile(job.input, tell);
    case 'prove-growing':
      return proveGrowing(job.input, tell, signal);
    case 'check-copies':
      return checkCopies(job.input, tell);
    case 'prove-set':
      return proveSet(job.input, tell);
    case 'read-numbers':
      return readNumbers(job.input, tell);
    case 'settle-files':
      return settleFiles(job.input);
    case 'join-manifest':
      return joinManifest(job.input);
    case 'fold-told':
      return foldTold(job.input);
    case 'compare-manifests':
      return compareManifests(job.input);
    case 'check-sweep':
      return checkSweepText(job.input.text, job.input.ref);
  }
}
