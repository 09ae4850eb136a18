import { expect, it } from 'vitest';
import { Source } from './source.ts';

it('tells each follower each thing, in the order in which they came, until they stop', () => {
  const source = new Source<string>();
  const heard: string[] = [];
  source.tell('nobody follows');
  const stop = source.follow((told) => heard.push(`first ${told}`));
  const also = (told: string): void => void heard.push(`second ${told}`);
  source.follow(also);
  const stopAgain = source.follow(also);
  source.tell('a');
  stop();
  stop();
  stopAgain();
  source.tell('b');
  expect(heard).toEqual(['first a', 'second a', 'second a', 'second b']);
});
