import { randomUUID } from 'node:crypto';
import type { Problem } from '../../shared/problem.ts';
import { noticesStream, type Notice } from '../../shared/streams/app-streams.ts';
import type { StreamHub } from '../streams/stream-hub.ts';

/** A person reads a few, not hundreds; the oldest goes, the log keeps them all. */
const MAX_NOTICES = 20;

/** What the person should know about this machine, until dismissed. */
export interface Notices {
  add(problem: Problem): void;
  dismiss(id: string): void;
}

export function openNotices(hub: StreamHub): Notices {
  const topic = hub.addTopic<readonly Notice[], readonly Notice[]>('notices', '', {
    kind: noticesStream,
    initial: [],
    isUrgent: true,
  });
  return {
    add: (problem) => {
      // The same trouble twice is still one thing to tell.
      const others = topic.state.filter(
        (notice) =>
          notice.problem.code !== problem.code || notice.problem.message !== problem.message,
      );
      const notice = { id: randomUUID(), atMs: Date.now(), problem };
      topic.publish([...others, notice].slice(-MAX_NOTICES));
    },
    dismiss: (id) => topic.publish(topic.state.filter((notice) => notice.id !== id)),
  };
}
