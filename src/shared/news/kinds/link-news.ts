import type { Box, LinkState } from '../../boxes/box.ts';
import type { Problem } from '../../problem.ts';
import { HERE, type NewsKind, type NewsWords } from '../news.ts';

export interface LinkChange {
  readonly box: Box;
  readonly before: LinkState;
  readonly after: LinkState;
}

/** What stops until the person acts, and a loss. It leaves a mark of its own on the charts, and a link comes back by itself. */
export const linkNews: NewsKind<LinkChange> = {
  kind: 'link',
  picture: 'link',
  to: HERE,
  isKept: false,
  words: ({ box, before, after }) => {
    const text = before.kind === after.kind ? null : textOf(box.name, before, after);
    return (
      text && {
        ...text,
        box,
        shows: { kind: 'show-box', boxId: box.id },
        about: box.id,
        quietAt: 'window',
        facts: {},
      }
    );
  },
};

type Text = Pick<NewsWords, 'title' | 'body' | 'severity'>;

function textOf(name: string, before: LinkState, after: LinkState): Text | null {
  switch (after.kind) {
    case 'host-key-changed':
      return {
        title: `${name}: the host key changed`,
        body: 'Leasehold does not connect until you have looked at it.',
        severity: 'critical',
      };
    case 'host-key-revoked':
      return {
        title: `${name}: the host key is revoked`,
        body: 'Your known_hosts revokes the key it shows. Leasehold does not connect.',
        severity: 'critical',
      };
    case 'down':
      return textOfProblem(name, after.problem);
    case 'waiting':
      return before.kind === 'up' ? textOfProblem(name, after.problem) : null;
    case 'idle':
    case 'connecting':
    case 'up':
    case 'host-key-unknown': // only ever follows the person's own click
      return null;
  }
}

function textOfProblem(name: string, { message, nextStep }: Problem): Text {
  return { title: `${name}: ${message}`, body: nextStep, severity: 'warn' };
}
