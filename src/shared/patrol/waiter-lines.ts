import { excerpt } from '../probes/probe-output.ts';
import { ageOf, readPairs, whole } from '../probes/word-lines.ts';
import type { FollowedFile, WaiterLook } from './patrol-look.ts';

/** The script tells no more. */
const MAX_WAITERS = 12;

/** Reads the section `waiters` of resources/onbox/patrol.sh. */
export function readWaiters(
  text: string,
  { uptimeS }: { readonly uptimeS: number | null },
  ticks: number,
): readonly WaiterLook[] {
  return text.split(/^(?=pid \d+$)/m, MAX_WAITERS).flatMap((block): readonly WaiterLook[] => {
    const pairs = readPairs(block);
    const pid = whole(pairs.get('pid')?.[0]);
    const startTicks = whole(pairs.get('start')?.[0]);
    const command = pairs.get('command')?.[0];
    if (pid === null || startTicks === null || command === undefined) return []; // gone by now
    const input = pairs.get('terminal')?.[0];
    return [
      {
        pid,
        startTicks,
        ageS: ageOf(startTicks, uptimeS, ticks),
        command,
        hasTerminal: input === undefined ? null : /^\/dev\/(?:pts\/\d|tty)/.test(input),
        follows: readFollowed(pairs.get('follows')?.[0]),
      },
    ];
  });
}

const FOLLOWED = /^([01]) (\d{1,12}) \d{1,18} \d{1,20} \d{1,9} (\/.*)$/;

function readFollowed(line: string | undefined): FollowedFile | null {
  const [, written, modified, path] = FOLLOWED.exec(line ?? '') ?? [];
  if (path === undefined) return null;
  return { path: excerpt(path, 1000), modifiedAtS: Number(modified), isWritten: written === '1' };
}
