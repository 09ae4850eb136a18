import type { QueueDelta, QueueView } from '../runs/queue/queue-view.ts';
import type { StreamKind } from './stream.ts';

export const queueStream: StreamKind<QueueView, QueueDelta> = {
  apply: (view, { marks, isAnew, ...changed }) => ({
    ...view,
    ...changed,
    ...(marks === undefined && isAnew === undefined
      ? {}
      : { marks: { ...(isAnew === true ? {} : view.marks), ...marks } }),
  }),
};
