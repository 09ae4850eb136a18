import { gpuIncidents } from './gpu-incidents.ts';
import { GpuBox } from './gpu/gpu-box.ts';
import type { GpuIncident } from './gpu/gpu-incident.ts';
import { playGpu } from './gpu/play-gpu.ts';
import { nameOf, type Answers, type Incident } from './incident.ts';
import { patrolLooks } from './patrol-looks.ts';
import { playLook, playRun } from './runs/play-run.ts';
import { whyNotHere } from './runs/run-box.ts';
import type { LookIncident, RunIncident } from './runs/run-incident.ts';
import type { Verdict } from './score.ts';
import { u3VanishedRuns } from './u3-vanished-runs.ts';

export interface Played {
  readonly verdicts: readonly Verdict[];
  /** What this machine cannot do, and why: in no figure. */
  readonly left: readonly { readonly incident: Incident; readonly because: string }[];
}

/** Plays every incident, or those of which `isWanted` says so. */
export async function playAll(isWanted: (incident: Incident) => boolean): Promise<Played> {
  const verdicts: Verdict[] = [];
  const left: { incident: Incident; because: string }[] = [];
  const box = await GpuBox.start();
  try {
    for (const incident of gpuIncidents.filter(isWanted))
      verdicts.push(await judgeGpu(box, incident));
  } finally {
    await box.stop();
  }
  for (const incident of u3VanishedRuns.filter(isWanted)) {
    const because = whyNotHere(incident);
    if (because === null) verdicts.push(await judgeRun(incident));
    else left.push({ incident, because });
  }
  for (const incident of patrolLooks.filter(isWanted)) {
    const because = whyNotHere(incident);
    if (because === null) verdicts.push(await judgeLook(incident));
    else left.push({ incident, because });
  }
  return { verdicts, left };
}

async function judgeGpu(box: GpuBox, incident: GpuIncident): Promise<Verdict> {
  return judgeAnswers(incident, await playGpu(box, incident));
}

async function judgeLook(incident: LookIncident): Promise<Verdict> {
  try {
    return judgeAnswers(incident, await playLook(incident));
  } catch (cause) {
    throw new Error(`${nameOf(incident)} could not be played`, { cause });
  }
}

function judgeAnswers(incident: Incident, answers: Answers): Verdict {
  const got = answers.get(incident.id) ?? null;
  const there = new Set([incident.id, ...(incident.also ?? [])]);
  const said = [...answers].flatMap(([id, answer]) => (answer === 'found' ? [id] : []));
  const own = got === 'found' && incident.label !== 'found' ? [incident.id] : [];
  return {
    incident,
    got,
    isRight: got === incident.label,
    falseAlarms: [...own, ...said.filter((id) => !there.has(id))],
    because: said.length === 0 ? 'nothing was found' : `found: ${said.join(', ')}`,
  };
}

async function judgeRun(incident: RunIncident): Promise<Verdict> {
  const { label, cause, because } = await playRun(incident);
  const isRight = label === incident.label && cause === (incident.cause ?? null);
  return {
    incident,
    got: label,
    isRight,
    // A cause that is claimed and is not so is worse than none.
    falseAlarms: label === 'found' && !isRight ? [incident.id] : [],
    because,
  };
}
