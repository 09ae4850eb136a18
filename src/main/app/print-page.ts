import type { BrowserWindow } from 'electron';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** What Chromium says of a dialog that the person closed; its spelling differs from version to version. */
const CANCELLED = /cancell?ed/i;

const NO_WINDOW = problem('print-failed', 'There is no window to print.');

/** The system's own dialog decides where the page goes, so the page itself may ask for it. */
export function printPage(window: BrowserWindow | null): Promise<Result<null, Problem>> {
  return new Promise((resolve) => {
    if (window === null) {
      resolve(err(NO_WINDOW));
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

/** For systems without a printer, whose dialog offers no file either. */
export async function pagePdf(window: BrowserWindow | null): Promise<Result<Buffer, Problem>> {
  if (window === null) return err(NO_WINDOW);
  try {
    return ok(await window.webContents.printToPDF({}));
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : String(cause);
    return err(problem('print-failed', 'The page was not printed.', { detail }));
  }
}
