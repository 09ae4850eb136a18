import { expect, it } from 'vitest';
import { goneWords, unseenWords } from './unseen-words.ts';

it('a box that is gone is told, once, with what to do about its cells', () => {
  const beta = { place: 'beta' };
  expect(goneWords([])).toBeNull();
  expect(goneWords([beta, beta])).toBe(
    'beta is gone. Cells that were not done there can run again on another box.',
  );
  expect(goneWords([beta, { place: 'alpha' }])).toContain('beta and alpha are gone.');
});

it('a box that is away is told apart from one that nobody knows to have got its share', () => {
  const [alpha, beta] = [
    { place: 'alpha', boxId: 'a', isWaitedFor: true },
    { place: 'beta', boxId: null, isWaitedFor: true },
  ];
  expect(unseenWords([])).toEqual([]);
  expect(unseenWords([alpha, alpha, beta])).toEqual([
    'alpha is not reached: what is shown of it may be old.',
    'No box of your list has shown the run meant for beta. It may never have been launched. Connect to that box to find out, or run its cells again on another.',
  ]);
  // Its cells have run elsewhere since.
  expect(unseenWords([alpha, { ...beta, isWaitedFor: false }])[1]).toBe(
    'No box of your list has shown the run meant for beta. It may never have been launched. Connect to that box to find out.',
  );
});
