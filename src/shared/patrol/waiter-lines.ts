import { ageOf, readPairs, whole } from '../probes/word-lines.ts';
import type { WaiterLook } from './patrol-look.ts';

/** Reads the section `waiters` of resources/onbox/patrol.sh. */
export function readWaiters(
  text: string,
  { uptimeS }: { readonly uptimeS: number | null },
  ticks: number,
): readonly WaiterLook[] {
  return text.split(/^(?=pid \d+$)/m).flatMap((block): readonly WaiterLook[] => {
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
      },
    ];
  });
}
