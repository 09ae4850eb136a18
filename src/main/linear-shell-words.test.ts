import { expect, it } from 'vitest';
import { splitShellWords } from '../shared/boxes/shell-words.ts';
import {
  judgeFetchFailures,
  judgeFetchPrograms,
} from '../shared/runs/launch/checks/fetch-checks.ts';
import { again, HOSTILE, slowOf, type Reader } from './linear.fixture.ts';

/** A person pastes them, or writes them for a run; what they pasted may come from anywhere. */
const OF_A_PERSON: Readonly<Record<string, Reader>> = {
  splitShellWords: (text) => splitShellWords(`ssh ${text}`),
  judgeFetchPrograms: (text) =>
    judgeFetchPrograms({ fetch: [{ run: `curl a\n${text}` }] } as never, {
      programs: new Map([['curl', false]]),
    }),
  judgeFetchFailures: (text) =>
    judgeFetchFailures({ fetch: [{ run: `curl a\n${text}` }] } as never),
};
const OF_SHELLS = {
  'what is to be filled in': again('<a b>'),
  'letters behind backslashes': again('\\a'),
  comments: again(' #\n'),
  'orders to be strict': again('set -'),
};
it.each(Object.entries(OF_A_PERSON))(
  '%s takes four times as long for four times as much of a shell’s words',
  async (name, read) => {
    expect(await slowOf({ [name]: read }, { ...HOSTILE, ...OF_SHELLS })).toEqual([]);
  },
);
