import { budgetNews } from '../../../shared/news/kinds/budget-news.ts';
import { clockNews } from '../../../shared/news/kinds/clock-news.ts';
import type { BoxBehind } from '../../../shared/transfer/behind.ts';
import { Clocks, type ClocksOptions } from '../../clocks/clocks.ts';
import { lookAtJobs, watchWalltimes } from '../../clocks/walltime-watch.ts';
import { BudgetWatch } from '../../meter/budget-watch.ts';
import { Budgets } from '../../meter/budgets.ts';
import { Meter } from '../../meter/meter.ts';
import { Spending } from '../../meter/spending.ts';
import { sessionEntries, type SessionEntries } from '../../storage/session-entries.ts';
import { Closer } from '../closer.ts';
import { meterHandlers } from '../meter-handlers.ts';
import type { Ground, Wing } from './wing.ts';
import type { Watching } from './watching.ts';

type BehindOf = (boxId: string) => BoxBehind | null;

export interface MoneyWing extends Wing {
  readonly handlers: ReturnType<typeof meterHandlers>;
  readonly meter: Meter;
  readonly clocks: Clocks;
  /** What the person said of boxes and platforms, with what the demo box says of itself. */
  readonly entries: SessionEntries;
  /** From now on the alarms of clocks say whether there is time to bring results home. Returns how to end that. */
  readonly alarmsKnow: (behindOf: BehindOf) => () => void;
  /** From now on the clocks of a box show an end of it that nothing has confirmed. Returns how to end that. */
  readonly clocksKnow: (openEndOf: ClocksOptions['openEndOf']) => () => void;
}

/** What counts time and money, and what they run out of. */
export function openMoney(ground: Ground, watching: Watching): MoneyWing {
  const { hub, settings, roster, database, log, scripts, profiles, news } = ground;
  const { reportProblem: onProblem, desktop } = ground;
  const { ledger } = database;
  const entries = sessionEntries(database.entries);
  const { profileOf } = profiles;
  const { facts } = watching.telemetry;
  const { findings } = watching.findings;
  const closer = new Closer();
  let behindOf: BehindOf = () => null;
  let openEndOf: ClocksOptions['openEndOf'] = () => null;
  const meter = new Meter({
    hub,
    roster,
    facts,
    findings,
    patrols: watching.patrols.parts,
    ledger,
    entries,
    profileOf,
    onProblem,
    onPriced: (boxId, perHour) => watching.findings.priceIs(boxId, perHour),
  });
  closer.add(() => meter.close());
  const metered = meter.metered.bind(meter);
  const budgets = new Budgets({ entries, ledger, metered });
  const budgetWatch = new BudgetWatch({
    budgets,
    entries,
    onAlarm: (judged) => news.tell(budgetNews, judged),
    onProblem,
  });
  closer.add(() => budgetWatch.close());
  const clocks = new Clocks({
    hub,
    roster,
    facts,
    findings,
    entries,
    meter,
    profileOf,
    maxAgeMonths: () => settings.current().facts.maxAgeMonths,
    marksMs: () => settings.current().alarmMarksMs,
    openEndOf: (boxId) => openEndOf(boxId),
    onProblem,
    onAlarm: (alarm) => news.tell(clockNews, { ...alarm, behind: behindOf(alarm.box.id) }),
  });
  closer.add(() => clocks.close());
  closer.add(
    profiles.changes.follow((platforms) => {
      meter.factsChanged(platforms);
      clocks.look();
    }),
  );
  closer.add(
    watchWalltimes({
      roster,
      hasWalltime: (platform) => {
        const rules = profileOf(platform)?.clocks.map(({ rule }) => rule) ?? [];
        return rules.some((rule) => rule.kind === 'set' && rule.what === 'walltime');
      },
      look: lookAtJobs(roster, scripts),
      onWalltimes: (boxId, walltimes) => clocks.setWalltimes(boxId, walltimes),
      log: log.child('walltime'),
    }),
  );
  const spending = new Spending({ ledger, entries, metered });
  const { chooseFile } = desktop;
  return {
    meter,
    clocks,
    entries,
    alarmsKnow: (known) => {
      behindOf = known;
      return () => (behindOf = () => null);
    },
    clocksKnow: (known) => {
      openEndOf = known;
      return () => (openEndOf = () => null);
    },
    handlers: meterHandlers({ meter, budgets, budgetWatch, spending, clocks, chooseFile }),
    wake: () => clocks.look(),
    close: () => closer.close(),
  };
}
