import type { FileHashes } from '../../shared/runs/resume/judge-edited.ts';
import { copyCellsText, type CopyPlan } from '../../shared/runs/launch/copy-plan.ts';
import type { PlannedQueue } from './queue/planned-queue.ts';
import { scriptIn } from './script-in.ts';
import { sha256 } from '../storage/sha256.ts';

interface Launched {
  readonly job: string;
  /** Null: it is one command. */
  readonly queue: PlannedQueue | null;
  /** Null: nothing is copied. */
  readonly copy: CopyPlan | null;
}

/** What runs, as a launch writes it: whoever goes on with it is told what was edited since. `script`: run-launch.sh as it is sent. */
export function launchedHashes({ job, queue, copy }: Launched, script: string): FileHashes {
  return {
    'job.sh': sha256(job),
    ...(queue === null
      ? {}
      : {
          'queue.sh': sha256(scriptIn(script, 'QUEUE')),
          'cells/0001': sha256(`${queue.cells ?? ''}\n`),
          ...(copy === null
            ? {}
            : {
                'copy-cells': sha256(copyCellsText(copy)),
                'copy-cell.sh': sha256(scriptIn(script, 'COPY')),
              }),
        }),
  };
}
