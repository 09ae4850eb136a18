import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { readSentinels, type SentinelLook } from '../../shared/sentinels/sentinel-look.ts';
import { questionOf } from '../../shared/sentinels/sentinel-question.ts';
import type { Sentinel } from '../../shared/sentinels/sentinel.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';

/** The script gives each question ten seconds, and asks no more after two that had no answer. */
const LOOK_TIMEOUT_MS = 60_000;

export interface LookLimits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal;
  readonly now?: () => number;
}

/** One read-only look at all that is waited for on a box. */
export async function lookForSentinels(
  connection: SshConnection,
  scripts: OnboxScripts,
  sentinels: readonly Sentinel[],
  { timeoutMs = LOOK_TIMEOUT_MS, signal, now = Date.now }: LookLimits = {},
): Promise<Result<SentinelLook, Problem>> {
  const mark = newMark();
  const askedAtMs = now();
  const ran = await scripts.run(
    connection,
    'sentinel.sh',
    { LEASEHOLD_MARK: mark, LEASEHOLD_SENTINELS: questionOf(sentinels) },
    timeoutMs,
    signal,
  );
  if (!ran.ok) return ran;
  const clock = { askedAtMs, answeredAtMs: now() };
  const look = readSentinels(ran.value.stdout, mark, sentinels.length, clock);
  if (look.isWhole) return ok(look);
  const words = 'The box’s answer ended in the middle, so it says nothing of what you wait for.';
  return err(problem('command-unknown', words, { nextStep: 'Leasehold checks again by itself.' }));
}
