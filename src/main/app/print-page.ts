import type { BrowserWindow } from 'electron';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** What Chromium says of a dialog that the person closed; its spelling differs from version to version. */
const CANCELLED = /cancell?ed/i;

/** The system's own dialog decides where the page goes, so the page itself may ask for it. */
export function printPage(window: BrowserWindow | null): Promise<Result<null, Problem>> {
  return new Promise((resolve) => {
    if (window === null) {
      resolve(err(problem('print-failed', 'There is no window to print.')));
      return;
    }
    window.webContents.print({ printBackground: false }, (isPrinted, reason) => {
      const isFine = isPrinted || CANCELLED.test(reason);
      resolve(
        isFine
          ? ok(null)
          : err(problem('print-failed', 'The page was not printed.', { detail: reason })),
      );
    });
  });
}
