import { isCopyWord } from './copy-words.ts';

/** The one line of the file "end" in a run folder, as parts/run-keeper.sh writes it. */
export interface RunEndLine {
  readonly outcome: 'done' | 'failed' | 'ended';
  /** As a shell tells it: 128 and more for a signal. Null: nobody heard it. */
  readonly exitCode: number | null;
  /** By the clock of the box. */
  readonly atS: number;
  /** The exit code was fine, and the log lacks the text of a success. */
  readonly lacksSuccessLine: boolean;
  /** What became of the copy of the results: `copied`, or why there is none. Null: none was asked for. */
  readonly copy: string | null;
}

const END = /^(done|failed|ended) (\d{1,3}|-) (\d{1,12}) (yes|no)(?: ([a-z-]{1,40}))?$/;

/** Null: nothing that a launch writes. */
export function readRunEndLine(line: string): RunEndLine | null {
  const [, outcome, code = '', atS, missing, copy] = END.exec(line) ?? [];
  if (outcome === undefined || (copy !== undefined && !isCopyWord(copy))) return null;
  return {
    outcome: outcome as RunEndLine['outcome'],
    exitCode: code === '-' ? null : Number(code),
    atS: Number(atS),
    lacksSuccessLine: missing === 'yes',
    copy: copy ?? null,
  };
}
