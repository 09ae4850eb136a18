import { onboxScripts } from '../../src/main/onbox/onbox-scripts.fixture.ts';
import { tick, type Tick } from '../../src/main/patrol/tick.ts';
import { shippedWatched } from '../../src/main/profiles/profiles.fixture.ts';
import { openConnection, type SshConnection } from '../../src/main/ssh/ssh-connection.ts';
import { rememberLook, type PatrolMemory } from '../../src/shared/patrol/patrol-memory.ts';
import { selectLost } from '../../src/shared/patrol/lost-runs.ts';
import { selectSeen } from '../../src/shared/patrol/select-seen.ts';
import type { LookBeside, LookJudgement } from '../../src/shared/patrol/look-detector.ts';
import type { Answers, Label } from '../incident.ts';
import { RunBox } from './run-box.ts';
import type { LookIncident, RunIncident } from './run-incident.ts';

/** Nobody reads the cards of this box, and nobody said which platform it is. */
const NOTHING_BESIDE: LookBeside = { ...shippedWatched(null), isGpuWorking: null };

export interface RunAnswer {
  readonly label: Label;
  readonly cause: string | null;
  /** What the app says of it, for whoever looks why it was wrong. */
  readonly because: string;
}

/** Lets an incident happen to a run that the patrol has seen, and tells what the next look says of it. */
export async function playRun(incident: RunIncident): Promise<RunAnswer> {
  return afterwards(incident, (tick, pid) => answerOf(tick, pid));
}

/** The same, and tells what each rule of the patrol says of the box. */
export async function playLook(incident: LookIncident): Promise<Answers> {
  return afterwards(incident, ({ judged }) => answersOf(judged));
}

async function afterwards<T>(
  incident: RunIncident | LookIncident,
  answer: (now: Tick, pid: number) => T,
): Promise<T> {
  const agedS = 'agedS' in incident ? (incident.agedS ?? 0) : 0;
  const beside =
    'platform' in incident
      ? { ...NOTHING_BESIDE, ...shippedWatched(incident.platform ?? null) }
      : NOTHING_BESIDE;
  const box = await RunBox.start('mounts' in incident ? incident.mounts : undefined);
  try {
    const opened = await openConnection({
      address: { host: '127.0.0.1', port: box.sshd.port, user: box.sshd.user },
      credentials: [{ kind: 'key', privateKey: box.sshd.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    if (!opened.ok) throw new Error(opened.error.message);
    try {
      await box.begin(incident.run);
      box.age(agedS);
      if ('prepare' in incident) incident.prepare?.(box);
      const before = await look(opened.value, null, beside);
      if (!before.look.runs.some(({ pid }) => pid === box.pid))
        throw new Error('the run was not seen');
      await incident.happens(box);
      box.show();
      box.age(agedS + BETWEEN_LOOKS_S);
      const { workedAgoMs, ...known } = 'remembered' in incident ? (incident.remembered ?? {}) : {};
      const memory = { ...rememberLook(before, null), ...known };
      const workedAtMs = memory.atMs - (workedAgoMs ?? 0);
      return answer(await look(opened.value, { ...memory, workedAtMs }, beside), box.pid);
    } finally {
      opened.value.close();
      await opened.value.closed;
    }
  } finally {
    await box.stop();
  }
}

/** Two looks are minutes apart; the box's own count of seconds says so here. */
const BETWEEN_LOOKS_S = 300;

async function look(
  connection: SshConnection,
  before: PatrolMemory | null,
  beside: LookBeside,
): Promise<Tick> {
  const looked = await tick(connection, onboxScripts, before, beside);
  if (!looked.ok) throw new Error(looked.error.message);
  return looked.value;
}

function answerOf(tick: Tick, pid: number): RunAnswer {
  const { missing, look, alive, took } = tick;
  const judgement = missing.find(({ run }) => run.pid === pid)?.judgement;
  if (judgement === undefined || judgement.kind === 'running') {
    return { label: 'clear', cause: null, because: 'it runs' };
  }
  if (judgement.kind === 'unknown') {
    return { label: 'unknown', cause: null, because: judgement.because };
  }
  const { cause, steps } = judgement;
  const lost = selectLost(rememberLook(tick, null).gone, selectSeen(look, alive, took).runs);
  if (cause !== 'finished' && !lost.some((run) => run.pid === pid)) {
    return { label: 'clear', cause: null, because: 'the same command began again' };
  }
  const because = steps.map((step) => `${step.cause} ${step.verdict}: ${step.because}`).join('; ');
  return { label: cause === null ? 'unknown' : 'found', cause, because };
}

function answersOf(judged: readonly LookJudgement[]): Answers {
  const answers = new Map<string, Label>();
  for (const { detector, answer } of judged) {
    const before = answers.get(detector);
    const isWorse = before === undefined || before === 'clear' || answer.kind === 'found';
    if (isWorse) answers.set(detector, answer.kind);
  }
  return answers;
}
