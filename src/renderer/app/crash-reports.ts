import { call } from '../state/bridge.ts';
import { actionFailed } from '../state/view.ts';

/** Main refuses longer ones (contract.ts). */
const MAX_MESSAGE = 2000;
const MAX_STACK = 20_000;
/** A fault in a loop must not fill the log. */
const MAX_REPORTS = 20;

let reports = 0;

export interface CrashDetails {
  readonly message: string;
  readonly stack: string;
}

export function describeCrash(cause: unknown): CrashDetails {
  if (cause instanceof Error) {
    return { message: `${cause.name}: ${cause.message}`, stack: cause.stack ?? '' };
  }
  return { message: String(cause), stack: '' };
}

/** Puts a fault of the window into main's log. */
export function reportCrash({ message, stack }: CrashDetails): void {
  reports += 1;
  if (reports > MAX_REPORTS) return;
  // Nothing is left to do when even this fails: the crash screen shows the same text.
  void call('app:report-crash', {
    message: message.slice(0, MAX_MESSAGE),
    stack: stack.slice(0, MAX_STACK),
  });
}

/** Catches what happens outside of React's rendering. The window goes on, with a notice. */
export function watchCrashes(): void {
  window.addEventListener('error', (event) => crashed(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => crashed(event.reason));
}

function crashed(cause: unknown): void {
  const details = describeCrash(cause);
  reportCrash(details);
  actionFailed({
    code: 'internal',
    message: 'Leasehold made a mistake in this window; nothing on a box was changed.',
    nextStep: 'Go on, or reload the window if something looks wrong. The log has the details.',
    detail: details.stack === '' ? details.message : details.stack,
  });
}
