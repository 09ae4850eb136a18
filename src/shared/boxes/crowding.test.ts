import { describe, expect, it } from 'vitest';
import { problem } from '../problem.ts';
import { crowdingProblem } from './crowding.ts';

describe('crowdingProblem', () => {
  it.each([
    [
      { waiting: 1, limit: 1, connections: 1, refusal: problem('link-lost', 'Hung up.') },
      'The box runs 1 command or terminal at once on its connection, and all are in use. 1 more waits. It did not let in another connection: Hung up.',
    ],
    [
      { waiting: 3, limit: 2, connections: 8, refusal: null },
      'The box runs 2 commands and terminals at once on each of 8 connections, and all are in use. 3 more wait.',
    ],
    [
      { waiting: 0, limit: 2, connections: 1, refusal: null },
      'The box runs 2 commands and terminals at once on its connection, and all are in use.',
    ],
  ])('says what is full, who waits and why there is no more', (crowding, words) => {
    expect(crowdingProblem(crowding)).toMatchObject({ code: 'sessions-full', message: words });
  });
});
