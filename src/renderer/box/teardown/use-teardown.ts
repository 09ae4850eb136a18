import { useState } from 'react';
import type { Problem } from '../../../shared/problem.ts';
import type { Result } from '../../../shared/result.ts';
import type { ByBox } from '../../../shared/streams/meter-stream.ts';
import { teardownsStream, type TeardownView } from '../../../shared/teardown/teardown-view.ts';
import { useBoxFeed } from '../../state/box-feed.ts';
import type { Feed } from '../../state/stream-client.ts';

const TEARDOWNS = {
  stream: 'teardowns',
  kind: teardownsStream,
  fromWire: (wire: ByBox<TeardownView>) => wire,
} as const;

/** How far the end of each box has come. */
export const useTeardowns = (): Feed<ByBox<TeardownView>> => useBoxFeed('', TEARDOWNS);

/** How far the end of this box has come; null: not known yet. */
export function useTeardown(boxId: string): TeardownView | null {
  const feed = useTeardowns();
  return feed.kind === 'live' ? (feed.state.boxes[boxId] ?? null) : null;
}

export interface Asking {
  readonly refusal: Problem | null;
  readonly isBusy: boolean;
  readonly ask: (calling: Promise<Result<unknown, Problem>>, onDone?: () => void) => void;
}

/** One call of the gate after the other, and why the last one did nothing. */
export function useAsking(): Asking {
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const ask: Asking['ask'] = (calling, onDone) => {
    setRefusal(null);
    setIsBusy(true);
    void calling.then((answer) => {
      setIsBusy(false);
      if (answer.ok) onDone?.();
      else setRefusal(answer.error);
    });
  };
  return { refusal, isBusy, ask };
}
