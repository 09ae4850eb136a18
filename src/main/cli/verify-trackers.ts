import { open } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  trackerLogsAmong,
  type TrackerLog,
  type TrackerState,
} from '../../shared/verify/tracker-logs.ts';
import { lookIntoLog } from '../verify/tracker-log.ts';
import { sourceOf } from '../workers/prove-file.ts';

const WORDS: Readonly<Record<TrackerState, string>> = {
  uploaded: 'its server has them too',
  'not uploaded': 'not uploaded: these files are all that there is',
  'not ended': 'not ended: still written, or ended from outside',
  'only here': 'sent to no server: these files are all that there is',
  unknown: 'whether its server has all of them is not known',
};

/** Of files that are there, from one folder on. */
export async function lookAtTrackers(
  root: string,
  paths: readonly string[],
): Promise<readonly TrackerLog[]> {
  const there = new Set(paths);
  const logs: TrackerLog[] = [];
  for (const log of trackerLogsAmong(paths.map((path) => path.split(sep).join('/')))) {
    // What was written last may lie beside a database, and not in it.
    const isWhole = log.tracker !== 'trackio' || !there.has(`${log.path}-wal`);
    logs.push(isWhole ? { ...log, state: await stateOf(root, log) } : log);
  }
  return logs;
}

async function stateOf(root: string, log: TrackerLog): Promise<TrackerState> {
  const file = await open(join(root, ...log.path.split('/')));
  try {
    return await lookIntoLog(log, sourceOf(file.fd, (await file.stat()).size));
  } finally {
    await file.close();
  }
}

export const trackerRow = ({ tracker, path, state }: TrackerLog): readonly string[] => [
  tracker,
  path,
  WORDS[state],
];
