// How long until the window shows something useful, against a bare Electron window with an empty page.
import { report } from './harness.ts';
import { median, prepareStage, type Stage, type Subject } from './windows.ts';

/** With nine, the ratio of one and the same build spread over 0.07. */
const RUNS = 15;
const GOAL_RATIO = 1.25;

async function measure(stage: Stage, subject: Subject): Promise<number> {
  const started = await stage.start(subject);
  await started.close();
  return started.firstPaintMs;
}

const stage = prepareStage();
try {
  const times = { app: [] as number[], bare: [] as number[] };
  // Taken in turns, so that a noisy moment of the machine hits both; the first pair only warms up.
  for (let run = 0; run <= RUNS; run += 1) {
    const bare = await measure(stage, 'bare');
    const app = await measure(stage, 'app');
    if (run === 0) continue;
    times.bare.push(bare);
    times.app.push(app);
  }
  const value = median(times.app);
  const baseline = median(times.bare);
  const ratio = value / baseline;
  report({
    name: 'cold-start',
    rows: [
      {
        measure: `first useful paint, median of ${String(RUNS)}`,
        value,
        unit: 'ms',
        baseline,
        ratio,
        goal: `at most ${String(GOAL_RATIO)}× a bare window`,
        isMet: ratio <= GOAL_RATIO,
      },
    ],
  });
} finally {
  stage.dispose();
}
