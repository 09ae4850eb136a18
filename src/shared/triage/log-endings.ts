/** What the end of a run's own log can prove about how it ended. */
export type LogEnding =
  | 'disk-full'
  | 'walltime'
  | 'preempted'
  | 'worker-killed'
  | 'killed'
  | 'terminated'
  | 'hang-up'
  | 'interrupted'
  | 'error';

/** From the most telling on: a full disk ends in a traceback as well, and a killed worker, too. */
const ENDINGS: readonly (readonly [LogEnding, RegExp])[] = [
  ['walltime', /slurmstepd: error: .*CANCELLED AT .*DUE TO TIME LIMIT/],
  ['preempted', /slurmstepd: error: .*CANCELLED AT .*DUE TO (?:PREEMPTION|NODE FAILURE)/],
  [
    'disk-full',
    /No space left on device|Disk quota exceeded|basic_ios::clear: iostream error|unexpected pos \d+ vs \d+/,
  ],
  ['worker-killed', /DataLoader worker .{0,80}is killed|killed by signal: Killed/],
  ['killed', /^(?:.{0,200}: line \d+: +\d+ )?Killed\b/],
  ['terminated', /^(?:.{0,200}: line \d+: +\d+ )?Terminated\b|Received SIGTERM|signal 15\b/],
  ['hang-up', /^(?:.{0,200}: line \d+: +\d+ )?Hangup\b|Received SIGHUP|signal 1\b \(SIGHUP\)/],
  ['interrupted', /^KeyboardInterrupt\b/],
  ['error', /^(?:[\w.]{1,100}(?:Error|Exception)|Segmentation fault|Bus error|Aborted)\b/],
];

/**
 * A run says why it ends in its last lines. Older ones tell of what it has survived: a caught exception, an earlier run in
 * the same file.
 */
const LAST_LINES = 30;
const MAX_LINE_CHARS = 2000;

/** Null: the last lines hold nothing that ends a run. */
export function readLogEnding(
  end: string,
): { readonly ending: LogEnding; readonly line: string } | null {
  const lines = end
    .split('\n')
    .map((line) => line.slice(0, MAX_LINE_CHARS).trim())
    .filter((line) => line !== '')
    .slice(-LAST_LINES);
  for (const [ending, pattern] of ENDINGS) {
    const line = lines.filter((each) => pattern.test(each)).at(-1);
    if (line !== undefined && isLastWord(ending, line, lines)) return { ending, line };
  }
  return null;
}

/** After an exception that was caught, the run goes on and prints more than the rest of a traceback. */
const AFTER_AN_END = 5;

function isLastWord(ending: LogEnding, line: string, lines: readonly string[]): boolean {
  if (ending === 'walltime' || ending === 'preempted') return true; // printed by the scheduler, not by the run
  return lines.length - 1 - lines.lastIndexOf(line) <= AFTER_AN_END;
}
