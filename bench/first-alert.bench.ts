// How long a person who starts the app for the first time waits for the first alert of the demo box.
import { report } from './harness.ts';
import { median, prepareStage } from './windows.ts';

const RUNS = 3;
const GOAL_S = 60;
/** Past this it is not coming. */
const PATIENCE_MS = 180_000;

/** From the first useful paint of a window with a data folder that nothing lies in; by the window's own clock. */
async function measure(): Promise<number> {
  const stage = prepareStage();
  try {
    const { page, close } = await stage.start('app');
    await page
      .getByRole('button', { name: /^Show \d+ alerts?$/ })
      .waitFor({ timeout: PATIENCE_MS });
    const shownMs = await page.evaluate(
      () =>
        performance.now() -
        (performance.getEntriesByName('leasehold:first-useful-paint')[0]?.startTime ?? NaN),
    );
    await close();
    return shownMs / 1000;
  } finally {
    stage.dispose();
  }
}

const times: number[] = [];
for (let run = 0; run < RUNS; run += 1) times.push(await measure());
const value = median(times);
report({
  name: 'first-alert',
  rows: [
    {
      measure: `first paint to the demo box’s first alert, fresh data folder, median of ${String(RUNS)}`,
      value,
      unit: 's',
      goal: `at most ${String(GOAL_S)} s`,
      isMet: value <= GOAL_S,
    },
    { measure: 'the slowest of these', value: Math.max(...times), unit: 's' },
  ],
});
