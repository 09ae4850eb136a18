import { textOf } from '../../../shared/runs/launch/run-words.ts';
import type { PullRetry } from '../../../shared/transfer/pull.ts';
import { useNow } from '../../ui/clock.ts';
import { formatDuration } from '../../ui/format.ts';

/** When a transfer goes on whose connection was lost. */
export function NextTry({
  retry,
  className,
}: {
  readonly retry: PullRetry | undefined;
  readonly className?: string | undefined;
}) {
  const nowMs = useNow();
  if (retry === undefined) return null;
  const leftMs = retry.untilMs - nowMs;
  const next = leftMs > 0 ? `in ${formatDuration(Math.max(1000, leftMs))}` : 'now';
  return (
    <p className={className}>
      {textOf(retry.because)} Try {retry.tries} of {retry.ofTries} {next}.
    </p>
  );
}
