import { BellOff, BellRing, Check, Copy } from 'lucide-react';
import { alertReport } from '../../shared/alerts/alert-report.ts';
import { isSnoozed, selectShown } from '../../shared/alerts/shown.ts';
import type { Box } from '../../shared/boxes/box.ts';
import { platformName } from '../../shared/profiles/platform-names.ts';
import { alertDismissed, alertWoken } from '../box/alerts/alert-calls.ts';
import { CONCERNS_MACHINE } from '../box/alerts/card-actions.ts';
import { subjectWords } from '../fleet/finding-words.ts';
import { snoozeEnds } from '../clocks/snooze-ends.ts';
import { run } from '../state/actions.ts';
import { call } from '../state/bridge.ts';
import { selectAlerts, selectReport, useAlerts, useFindings } from '../state/feeds.ts';
import { copyText } from '../ui/copy-text.ts';
import { actionsOf, type PaletteAction } from './palette-action.tsx';

/** What the shown box asks for, put off or said to be over, the worst first. */
export function alertActions(
  { id: boxId, name, platform }: Box,
  nowMs: number,
): readonly PaletteAction[] {
  const alerts = selectAlerts(boxId)(useAlerts.getState());
  const shown = selectShown(selectReport(boxId)(useFindings.getState()), alerts);
  return actionsOf(name, (offer) => {
    for (const each of shown) {
      const { finding, alert } = each;
      const what = `alert “${finding.short}”, ${subjectWords(finding.subject)}`;
      if (CONCERNS_MACHINE.has(finding.detector)) {
        const report = alertReport({ name, platform: platformName(platform) }, finding);
        offer(`Copy a report: ${what}`, Copy, () => copyText(report));
      }
      if (alert === null) continue;
      if (isSnoozed(each))
        offer(`End snooze: ${what}`, BellRing, () => alertWoken(boxId, alert.id));
      else {
        for (const { label, ms: untilMs } of snoozeEnds(nowMs, Infinity)) {
          offer(`Snooze (${label.toLowerCase()}): ${what}`, BellOff, () => {
            void run(call('alerts:snooze', { boxId, alertId: alert.id, untilMs }));
          });
        }
      }
      if (finding.notSeenBecause !== null) {
        offer(`Mark as resolved: ${what}`, Check, () => alertDismissed(boxId, alert.id));
      }
    }
  });
}
