import { configure, getConfig } from '@testing-library/react';
import { unstable_IdlePriority as IDLE, unstable_scheduleCallback as schedule } from 'scheduler';
import { afterAll } from 'vitest';

// A page that is never quiet ends the wait here; what the test then looks for says the rest.
const MOST_ROUNDS = 50;

const { asyncWrapper } = getConfig();

configure({
  // What a test waits for comes with an event; a busy machine may deliver it after the usual second.
  asyncUtilTimeout: 60_000,
  // Testing Library gives a page one turn of the event loop after an action. A click that calls main, shows the answer
  // and calls again takes several, and how many fit in one depends on how busy the machine is.
  asyncWrapper: (action) =>
    asyncWrapper(async () => {
      const result: unknown = await action();
      await settle();
      return result;
    }),
});

// The next file of this process begins anew with what Testing Library has of its own.
afterAll(() => {
  configure({ asyncWrapper });
});

/** Until React has nothing left to do and two rounds of its scheduler have changed nothing on the page. */
async function settle(): Promise<void> {
  let quietRounds = 0;
  const watch = new MutationObserver(() => {
    quietRounds = 0;
  });
  watch.observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  for (let round = 0; quietRounds < 2 && round < MOST_ROUNDS; round += 1) {
    quietRounds += 1;
    await new Promise((done) => schedule(IDLE, done));
  }
  watch.disconnect();
}
