import type { TrackerLog, TrackerState } from '../../shared/verify/tracker-logs.ts';
import type { ByteSource } from './byte-source.ts';
import { Damaged, NotLoadable } from './damage.ts';
import type { RecordValue } from './sqlite/record.ts';
import { readTables } from './sqlite/sqlite.ts';
import { hasEnded } from './wandb/wandb-run.ts';

/** Tables of trackio whose rows name the Space that they wait for, until it has them. */
const WAITING = ['metrics', 'system_metrics', 'traces'];
const SPACE = 'space_id';

/** Looks into a file that is here, for what its name does not say. What cannot be read stays as it was. */
export async function lookIntoLog(log: TrackerLog, source: ByteSource): Promise<TrackerState> {
  try {
    if (log.tracker === 'wandb' && log.state === 'unknown') {
      return (await hasEnded(source)) ? 'unknown' : 'not ended';
    }
    return log.tracker === 'trackio' ? stateOfProject(source) : log.state;
  } catch (cause) {
    if (cause instanceof Damaged || cause instanceof NotLoadable) return log.state;
    throw cause;
  }
}

function stateOfProject(source: ByteSource): TrackerState {
  let [waiting, hasSpace] = [0, false];
  readTables(source, (name, columns) => {
    if (name === 'pending_uploads') return () => (waiting += 1);
    if (name === 'project_metadata') {
      return ({ payload, values }) => {
        hasSpace ||= isText(payload.local, values?.[columns.indexOf('key')], SPACE);
      };
    }
    const at = columns.indexOf(SPACE);
    if (!WAITING.includes(name) || at < 0) return null;
    return ({ values }) => {
      // A row that was written before there was such a column is shorter. Type 0 is NULL.
      if ((values?.[at]?.type ?? 0) !== 0) waiting += 1;
    };
  });
  if (waiting > 0) return 'not uploaded';
  return hasSpace ? 'uploaded' : 'only here';
}

const isText = (row: Buffer, value: RecordValue | undefined, text: string): boolean =>
  value !== undefined && row.toString('utf8', value.at, value.at + value.bytes) === text;
