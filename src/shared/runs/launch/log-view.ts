import type { RunLogDelta } from '../../streams/runs-stream.ts';
import type { StreamKind } from '../../streams/stream.ts';
import type { RunLog } from './launched-run.ts';
import { addText, readLog, withoutRows, type LogLines } from './log-lines.ts';

/** A log as the window holds it: the same stream, split into rows as it comes. */
export interface LogView extends Omit<RunLog, 'text'> {
  readonly lines: LogLines;
}

export function logFromWire({ text, ...rest }: RunLog): LogView {
  return { ...rest, lines: readLog(text) };
}

export const logViewStream: StreamKind<LogView, RunLogDelta> = {
  apply: (before, { more, ...changed }) => {
    const view = { ...before, ...changed };
    if (more === undefined) return view;
    const kept = more.isAfterGap === true ? withoutRows(view.lines) : view.lines;
    const lines = addText(kept, more.text);
    // The window lets older rows go, too.
    const isCut = view.isCut || lines.first > 0;
    return { ...view, lines, bytes: view.bytes + more.bytes, isCut };
  },
};
