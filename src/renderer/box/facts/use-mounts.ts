import { useEffect, useState } from 'react';
import type { BoxMounts } from '../../../shared/mounts/mount.ts';
import { problem, type Problem } from '../../../shared/problem.ts';
import { call } from '../../state/bridge.ts';

/** What was measured on the box. What was seen before stays, with its age, while or where the box does not answer. */
export interface MountsLook {
  readonly found: BoxMounts | null;
  readonly problem: Problem | null;
  readonly isLooking: boolean;
  readonly lookAgain: () => void;
}

interface Seen {
  readonly asked: string;
  readonly found: BoxMounts | null;
  readonly problem: Problem | null;
}

/** Asks when the tab is opened, when the link comes up, and when another platform looks for other folders. */
export function useMounts(boxId: string, isUp: boolean, platform: string): MountsLook {
  const [times, setTimes] = useState(0);
  const asked = `${platform} ${String(isUp)} ${times}`;
  const [seen, setSeen] = useState<Seen>({ asked: '', found: null, problem: null });
  useEffect(() => {
    if (!isUp) return undefined;
    let isShown = true;
    void call('box:mounts', { boxId }).then((answer) => {
      if (!isShown) return;
      setSeen((before) =>
        answer.ok
          ? { asked, found: answer.value, problem: null }
          : { asked, found: before.found, problem: answer.error },
      );
    });
    return () => {
      isShown = false;
    };
  }, [boxId, isUp, asked]);
  return {
    found: seen.found,
    problem: isUp ? seen.problem : NOT_CONNECTED,
    isLooking: isUp && seen.asked !== asked,
    lookAgain: () => setTimes(times + 1),
  };
}

const NOT_CONNECTED = problem(
  'not-connected',
  'The storage of this box is not known: it is not connected.',
);
