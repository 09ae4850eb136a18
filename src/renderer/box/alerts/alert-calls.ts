import { run } from '../../state/actions.ts';
import { call } from '../../state/bridge.ts';

// Apart from the other actions: the window's first picture does without these.

export function alertsSeen(boxId: string): void {
  void run(call('alerts:seen', { boxId }));
}

export function alertWoken(boxId: string, alertId: string): void {
  void run(call('alerts:snooze', { boxId, alertId, untilMs: null }));
}

export function alertDismissed(boxId: string, alertId: string): void {
  void run(call('alerts:dismiss', { boxId, alertId }));
}
