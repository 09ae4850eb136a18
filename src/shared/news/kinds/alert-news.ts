import { alertText } from '../../alerts/alert-text.ts';
import type { Alert } from '../../alerts/alert.ts';
import type { Box } from '../../boxes/box.ts';
import { EVERYWHERE, type NewsKind } from '../news.ts';

/** What a check found on one box at one time. */
export interface AlertNews {
  readonly box: Box;
  /** Never empty; the worst first. */
  readonly alerts: readonly [Alert, ...Alert[]];
}

export const alertNews: NewsKind<AlertNews> = {
  kind: 'alert',
  picture: 'rotating_light',
  to: EVERYWHERE,
  isKept: true,
  words: ({ box, alerts }) => {
    const [worst, ...others] = alerts;
    return {
      ...alertText(box.name, alerts),
      box,
      severity: worst.finding.severity,
      shows: { kind: 'show-alerts', boxId: box.id },
      about: worst.id,
      quietAt: 'page',
      facts: { alert: worst.id, finding: worst.finding.detector, more: others.length },
    };
  },
};
