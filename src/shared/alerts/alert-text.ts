import type { AlarmText } from '../clocks/alarm-text.ts';
import type { Severity } from '../detectors/finding.ts';
import { formatMoney } from '../money.ts';
import { plainLine } from '../questions/hostile-text.ts';
import type { Alert } from './alert.ts';

const MAX_CHARS = 300;

const WORDS: Readonly<Record<Severity, string>> = {
  critical: 'critical',
  warn: 'warning',
  info: 'note',
};

/** What a notification says of one box: the worst in full, the others as a number. `alerts` has the worst first. */
export function alertText(boxName: string, alerts: readonly Alert[]): AlarmText {
  const [worst, ...others] = alerts;
  if (worst === undefined) return { title: boxName, body: '' };
  const { severity, headline, means, costPerHour } = worst.finding;
  const cost = costPerHour === null ? '' : ` Costs about ${formatMoney(costPerHour)} per hour.`;
  const more = others.length === 0 ? '' : ` And ${String(others.length)} more.`;
  const back = worst.steps.at(-1)?.kind === 'woken' ? 'still there: ' : '';
  return {
    title: `${boxName}: ${back}${plainLine(headline, MAX_CHARS).replace(/\.$/, '')}`,
    body: `${capital(WORDS[severity])}. ${plainLine(means, MAX_CHARS)}${cost}${more}`,
  };
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** For the tray's menu, in one line that changes seldom: "3 alerts, worst on train-a: critical: throttled". */
export function alertLine(
  alerts: readonly { readonly boxName: string; readonly alert: Alert }[],
): string | null {
  const [worst, ...others] = alerts;
  if (worst === undefined) return null;
  const { finding } = worst.alert;
  const said = `${worst.boxName}: ${WORDS[finding.severity]}: ${finding.short}`;
  return others.length === 0 ? said : `${String(alerts.length)} alerts, worst on ${said}`;
}
