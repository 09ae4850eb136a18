import { BellOff } from 'lucide-react';
import { isSnoozed, selectShown } from '../../shared/alerts/shown.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { nearestClock } from '../../shared/clocks/select-clocks.ts';
import { subjectWords } from '../fleet/finding-words.ts';
import { snoozeEnds } from '../clocks/snooze-ends.ts';
import { run } from '../state/actions.ts';
import { call } from '../state/bridge.ts';
import {
  selectAlerts,
  selectClocksOf,
  selectReport,
  useAlerts,
  useClocks,
  useFindings,
} from '../state/feeds.ts';
import type { PaletteAction } from './palette-actions.tsx';

/** What the shown box asks for first, put off: its worst alert, and its nearest clock. */
export function snoozeActions({ id: boxId, name }: Box, nowMs: number): readonly PaletteAction[] {
  const actions: PaletteAction[] = [];
  const offer = (what: string, latestMs: number, put: (untilMs: number) => void): void => {
    for (const { label, ms } of snoozeEnds(nowMs, latestMs)) {
      actions.push({
        label: `Snooze (${label.toLowerCase()}): ${what}`,
        icon: <BellOff size={15} />,
        hint: name,
        run: () => put(ms),
      });
    }
  };
  const alerts = selectAlerts(boxId)(useAlerts.getState());
  const shown = selectShown(selectReport(boxId)(useFindings.getState()), alerts);
  const worst = shown.find((each) => each.alert !== null && !isSnoozed(each));
  const alertId = worst?.alert?.id;
  if (worst !== undefined && alertId !== undefined) {
    const { short, subject } = worst.finding;
    offer(`alert “${short}”, ${subjectWords(subject)}`, Infinity, (untilMs) => {
      void run(call('alerts:snooze', { boxId, alertId, untilMs }));
    });
  }
  const clocks = selectClocksOf(boxId)(useClocks.getState());
  const nearest = nearestClock(clocks?.clocks ?? [], nowMs);
  if (nearest?.due.kind === 'at' && clocks?.snoozed[nearest.id] === undefined) {
    const { id: clockId, event, due } = nearest;
    offer(`clock “${event}”`, due.atMs, (untilMs) => {
      void run(call('clocks:snooze', { boxId, clockId, untilMs }));
    });
  }
  return actions;
}
