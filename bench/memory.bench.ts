// What the idle window with the demo box costs in memory, against a bare Electron window. Linux only: it reads /proc.
import { report, type BenchRow } from './harness.ts';
import {
  executableOf,
  prepareStage,
  processTree,
  proportionalMiB,
  type Stage,
  type Subject,
} from './windows.ts';

const GOAL_RATIO = 1.5;
/** Start-up garbage is gone and the charts have data. */
const SETTLE_MS = 30_000;

interface Memory {
  /** Electron's own processes. */
  readonly electronMiB: number;
  /** What the demo box runs in them: shells, the simulated tools. */
  readonly childrenMiB: number;
}

async function measure(stage: Stage, subject: Subject): Promise<Memory> {
  const started = await stage.start(subject);
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const memory = { electronMiB: 0, childrenMiB: 0 };
  for (const pid of processTree(started.pid)) {
    const part = executableOf(pid) === executableOf(started.pid) ? 'electronMiB' : 'childrenMiB';
    memory[part] += proportionalMiB(pid);
  }
  await started.close();
  return memory;
}

const stage = prepareStage();
try {
  const bare = await measure(stage, 'bare');
  const app = await measure(stage, 'app');
  const ratio = app.electronMiB / bare.electronMiB;
  const rows: BenchRow[] = [
    {
      measure: 'all Electron processes, idle window with demo box',
      value: app.electronMiB,
      unit: 'MiB PSS',
      baseline: bare.electronMiB,
      ratio,
      goal: `at most ${String(GOAL_RATIO)}× a bare window`,
      isMet: ratio <= GOAL_RATIO,
    },
    { measure: 'what runs on the demo box', value: app.childrenMiB, unit: 'MiB PSS' },
  ];
  report({ name: 'memory', rows });
} finally {
  stage.dispose();
}
