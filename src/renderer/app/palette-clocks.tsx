import { BellOff, BellRing, CalendarClock } from 'lucide-react';
import type { Box } from '../../shared/boxes/box.ts';
import { nearestClock } from '../../shared/clocks/select-clocks.ts';
import { stopActionOf } from '../box/clocks/stop-action.ts';
import { snoozeEnds } from '../clocks/snooze-ends.ts';
import { run } from '../state/actions.ts';
import { call } from '../state/bridge.ts';
import { selectClocksOf, useClocks } from '../state/feeds.ts';
import { overlayOpened } from '../state/view.ts';
import { actionsOf, type PaletteAction } from './palette-action.tsx';

/** What a person does about the clocks of the shown box: the nearest put off, and each told what only they know. */
export function clockActions({ id: boxId, name }: Box, nowMs: number): readonly PaletteAction[] {
  const box = selectClocksOf(boxId)(useClocks.getState());
  const clocks = box?.clocks ?? [];
  const snoozed = box?.snoozed ?? {};
  const snooze = (clockId: string, untilMs: number | null) => (): void => {
    void run(call('clocks:snooze', { boxId, clockId, untilMs }));
  };
  return actionsOf(name, (offer) => {
    const nearest = nearestClock(clocks, nowMs);
    if (nearest?.due.kind === 'at' && snoozed[nearest.id] === undefined) {
      for (const { label, ms } of snoozeEnds(nowMs, nearest.due.atMs)) {
        const words = `Snooze (${label.toLowerCase()}): clock “${nearest.event}”`;
        offer(words, BellOff, snooze(nearest.id, ms));
      }
    }
    for (const clock of clocks) {
      const what = `clock “${clock.event}”`;
      if (snoozed[clock.id] !== undefined) {
        offer(`End snooze: ${what}`, BellRing, snooze(clock.id, null));
      }
      const action = stopActionOf(clock, boxId);
      if (action !== null) offer(`${action.label}: ${what}`, CalendarClock, action.run);
    }
    const ofClocks = ['deadline', 'balance', 'rental end', 'timer'];
    offer('Clocks…', CalendarClock, () => overlayOpened({ kind: 'clocks', boxId }), ofClocks);
    const setOwn = (): void => overlayOpened({ kind: 'clocks', boxId, isOwn: true });
    offer('Set a clock of your own…', CalendarClock, setOwn, [
      'add a deadline',
      'reminder',
      'paid until',
    ]);
  });
}
