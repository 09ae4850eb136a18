import type { LineSource } from '../../detectors/finding.ts';
import { fromLog } from '../line-source.ts';
import { runSubject, type LookSubject, type LookView } from '../look-detector.ts';
import type { RunInLook } from '../patrol-look.ts';

/** The end of one run's own log. */
export interface LogWords {
  readonly run: RunInLook;
  readonly subject: LookSubject;
  readonly isGone: boolean;
  /** Hostile. */
  readonly end: string;
  readonly source: LineSource;
  /** The log is no longer than what was read of it. */
  readonly isWhole: boolean;
}

/** What the patrol reads of a log's end. */
const END_BYTES = 6144;

/** The ends of the logs of all runs, and of those that are gone now; another file under the old name is another run's. */
export function logEnds({ look, missing }: LookView): readonly LogWords[] {
  const alive = look.runs.flatMap((run) =>
    run.logs.flatMap((log) =>
      log.end === null
        ? []
        : [
            {
              run,
              subject: runSubject(run),
              isGone: false,
              end: log.end,
              source: fromLog(log, look),
              isWhole: log.bytes <= END_BYTES,
            },
          ],
    ),
  );
  const gone = missing
    .filter(({ judgement }) => judgement.kind === 'gone')
    .flatMap(({ run }) =>
      run.logs.flatMap(({ path, inode }) => {
        const known = look.knownLogs.get(path);
        return known?.inode !== inode || known.end === null
          ? []
          : [
              {
                run,
                subject: runSubject(run),
                isGone: true,
                end: known.end,
                source: fromLog(known, look),
                isWhole: known.bytes <= END_BYTES,
              },
            ];
      }),
    );
  return [...alive, ...gone];
}

/** Runs whose logs could not be read, or that have none: of them no word proves anything. */
export function hasUnreadLogs(view: LookView): boolean {
  return (
    hasUnreadGone(view) ||
    view.look.runs.some(({ logs }) => logs.length === 0 || logs.some(({ end }) => end === null))
  );
}

/** The same of the runs that are gone. */
export function hasUnreadGone(view: LookView): boolean {
  const read = new Set(logEnds(view).map(({ run }) => run));
  return view.missing.some(({ run, judgement }) => judgement.kind === 'gone' && !read.has(run));
}

/** Runs that go on and whose logs could not be read; one without a log says nothing to anybody. */
export function hasUnreadAlive({ look: { runs } }: LookView): boolean {
  return runs.some(({ logs }) => logs.some(({ end }) => end === null));
}

const MAX_LINE_CHARS = 240;

export function lastLineWith(text: string, sign: RegExp): string | null {
  const lines = text.split('\n').map((each) => each.slice(0, 2000));
  return (
    lines
      .filter((each) => sign.test(each))
      .at(-1)
      ?.trim()
      .slice(0, MAX_LINE_CHARS) ?? null
  );
}

/** What stands further up was survived: an exception that was caught, an earlier run in the same file. */
const LAST_LINES = 30;

export function endsWith(end: string, sign: RegExp): string | null {
  const lines = end.split('\n').filter((each) => each.trim() !== '');
  return lastLineWith(lines.slice(-LAST_LINES).join('\n'), sign);
}
