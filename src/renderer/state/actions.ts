import type { DemoFault } from '../../shared/demo/faults.ts';
import type { Problem } from '../../shared/problem.ts';
import type { Result } from '../../shared/result.ts';
import type { RememberedPatch } from '../../shared/settings/remembered.ts';
import type { SettingsPatch } from '../../shared/settings/settings.ts';
import { call } from './bridge.ts';
import { actionFailed } from './view.ts';

// What buttons, menus and the palette do. These have no form of their own, so a refusal appears as a notice; dialogs
// call the bridge themselves and show the problem where the person was acting.

/** As many are remembered at most; the oldest go. */
const MAX_REMEMBERED = 1000;

export function connectRequested(boxId: string): void {
  void run(call('link:connect', { boxId }));
}

export function disconnectRequested(boxId: string): void {
  void run(call('link:disconnect', { boxId }));
}

export function sshCheckRequested(boxId: string): void {
  void run(call('box:check-ssh', { boxId }));
}

/** What came of it stands in the Runs tab; only why it never began is said. */
export function patrolRequested(boxId: string): void {
  void run(call('patrol:now', { boxId }));
}

export function settingsChanged(patch: SettingsPatch): void {
  void run(call('settings:change', { patch }));
}

/** For the next time that the window is opened. */
export function remember(patch: RememberedPatch): void {
  void run(call('remembered:change', { patch }));
}

export function faultSwitched(fault: DemoFault, isOn: boolean): void {
  void run(call('demo:set-fault', { fault, isOn }));
}

export function noticeDismissed(id: string): void {
  void run(call('notice:dismiss', { id }));
}

export function questionDismissed(id: string): void {
  void run(call('question:dismiss', { id }));
}

export function keyOfferDismissed(boxId: string): void {
  void run(call('key:dismiss-offer', { boxId }));
}

/** The person's browser; main opens only what is on its list. */
export function externalRequested(url: string): void {
  void run(call('app:open-external', { url }));
}

export function profileFolderRequested(): void {
  void run(call('profiles:open-folder', {}));
}

/** What to know before the start on this platform is said once. */
export function platformBriefed(briefed: readonly string[], platform: string): void {
  remember({ briefed: [...briefed, platform].slice(-MAX_REMEMBERED) });
}

/** Whose machine this box is, the person says; no guess is offered again. */
export function guessDeclined(declined: readonly string[], boxId: string): void {
  remember({ guessesDeclined: [...declined, boxId].slice(-MAX_REMEMBERED) });
}

export function logRequested(): void {
  void run(call('app:show-log', {}));
}

/** The system's own dialog asks which printer. */
export function printRequested(): void {
  void run(call('app:print', {}));
}

/** Main starts what nobody waits for only after this. */
export function windowShown(): void {
  void run(call('app:shown', {}));
}

export function quitRequested(): void {
  void run(call('app:quit', {}));
}

/** Asks main; a refusal appears as a notice. */
export async function run(answer: Promise<Result<unknown, Problem>>): Promise<void> {
  const result = await answer;
  if (!result.ok) actionFailed(result.error);
}
