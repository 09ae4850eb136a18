import type { JudgedBudget } from '../../shared/meter/budget.ts';
import type { Settings } from '../../shared/settings/settings.ts';
import { AlarmBell } from '../clocks/alarm-bell.ts';
import { Clocks } from '../clocks/clocks.ts';
import { BudgetWatch } from '../meter/budget-watch.ts';
import { Budgets } from '../meter/budgets.ts';
import { Meter, type MeterOptions } from '../meter/meter.ts';
import { Spending } from '../meter/spending.ts';
import type { Database } from '../storage/database.ts';
import { Webhook, type WebhookOptions } from '../webhook/webhook.ts';
import { systemProxies } from './system-proxies.ts';

/** What counts time and money, and tells of what they run out of. */
export interface MoneyServices {
  readonly meter: Meter;
  readonly budgets: Budgets;
  readonly spending: Spending;
  readonly clocks: Clocks;
  readonly alarmBell: AlarmBell;
  readonly budgetWatch: BudgetWatch;
  readonly budgetBell: AlarmBell<JudgedBudget>;
  readonly webhook: Webhook;
}

export interface MoneyServicesOptions
  extends
    Required<Pick<MeterOptions, 'hub' | 'profileOf' | 'onProblem' | 'onPriced'>>,
    Pick<WebhookOptions, 'secrets' | 'redactor'> {
  readonly database: Pick<Database, 'ledger' | 'entries'>;
  readonly settings: Omit<WebhookOptions['settings'], 'current'> & {
    readonly current: () => Settings;
  };
}

export function openMoneyServices({
  hub,
  database: { ledger, entries },
  profileOf,
  secrets,
  redactor,
  settings,
  onProblem,
  onPriced,
}: MoneyServicesOptions): MoneyServices & { close(): Promise<void> } {
  // The meter before those who ask it.
  const meter = new Meter({ hub, ledger, entries, profileOf, onProblem, onPriced });
  const alarmBell = new AlarmBell();
  const budgets = new Budgets({ entries, ledger, metered: () => meter.metered() });
  const webhook = new Webhook({
    hub,
    entries,
    secrets,
    redactor,
    settings,
    findProxies: systemProxies,
    onProblem,
  });
  const budgetBell = new AlarmBell<JudgedBudget>();
  const budgetWatch = new BudgetWatch({
    budgets,
    entries,
    onAlarm: (judged) => {
      webhook.takeBudget(judged);
      budgetBell.ring(judged);
    },
    onProblem,
  });
  const clocks = new Clocks({
    hub,
    entries,
    meter,
    profileOf,
    maxAgeMonths: () => settings.current().facts.maxAgeMonths,
    marksMs: () => settings.current().alarmMarksMs,
    onProblem,
    onAlarm: (alarm) => {
      webhook.take(alarm);
      alarmBell.ring(alarm);
    },
  });
  return {
    meter,
    budgets,
    spending: new Spending({ ledger, entries, metered: () => meter.metered() }),
    clocks,
    alarmBell,
    budgetWatch,
    budgetBell,
    webhook,
    close: async () => {
      clocks.close();
      budgetWatch.close();
      await webhook.close();
      meter.close();
    },
  };
}
