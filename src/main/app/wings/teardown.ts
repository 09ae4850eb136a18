import { ProviderLinks } from '../../teardown/provider-links.ts';
import { TeardownRecords } from '../../teardown/teardown-records.ts';
import { Teardowns } from '../../teardown/teardowns.ts';
import { LinkedVerbs, VerbsByHand } from '../../teardown/teardown-verbs.ts';
import { Closer } from '../closer.ts';
import type { LateHandlers } from '../endpoints.ts';
import { done } from '../ipc-router.ts';
import type { MoneyWing } from './money.ts';
import type { ResultsWing } from './results.ts';
import type { Watching } from './watching.ts';
import type { Ground, Wing } from './wing.ts';

export interface TeardownWing extends Wing {
  /** Which box is which machine of which provider. */
  readonly links: ProviderLinks;
  readonly handlers: Pick<LateHandlers, Extract<keyof LateHandlers, `teardown:${string}`>>;
}

/** The end of boxes, behind the gate. */
export function openTeardown(
  { hub, roster, database, profiles, reportProblem }: Ground,
  { patrols }: Watching,
  { meter }: MoneyWing,
  { runs, home, pulled }: ResultsWing,
): TeardownWing {
  const closer = new Closer();
  const links = new ProviderLinks();
  const platformOf = (boxId: string): string | null => roster.boxOf(boxId)?.platform ?? null;
  const teardowns = new Teardowns({
    ...{ hub, roster, runs, home },
    patrol: (boxId) => patrols.now(boxId),
    seenOn: (boxId) => patrols.seenOn(boxId),
    records: new TeardownRecords(database.evidence),
    verbs: new LinkedVerbs({ byHand: new VerbsByHand(platformOf, profiles.profileOf), links }),
    onGone: (boxId, { aim }) => {
      const set = meter.setPhase(boxId, aim === 'stopped' ? 'stopped' : 'destroyed');
      if (!set.ok) reportProblem(set.error);
    },
    onAgain: (boxId) => {
      const set = meter.setPhase(boxId, 'running');
      if (!set.ok) reportProblem(set.error);
    },
    onProblem: reportProblem,
  });
  closer.add(() => teardowns.close());
  closer.add(pulled.follow(({ boxId }) => teardowns.cameHome(boxId)));
  return {
    links,
    handlers: {
      'teardown:inspect': ({ boxId }) => teardowns.inspect(boxId),
      'teardown:read-copies': ({ boxId }) => teardowns.readCopies(boxId),
      'teardown:stop': ({ boxId }) => done(() => teardowns.stop(boxId)),
      'teardown:accept': ({ boxId, ...loss }) => teardowns.accept(boxId, loss),
      'teardown:approve': ({ boxId, ...yes }) => teardowns.approve(boxId, yes),
      'teardown:withdraw': ({ boxId }) => teardowns.withdraw(boxId),
      'teardown:begin': ({ boxId }) => teardowns.begin(boxId),
      'teardown:confirm': ({ boxId, isSaid }) => teardowns.confirm(boxId, isSaid),
      'teardown:begin-again': ({ boxId }) => teardowns.beginAgain(boxId),
      'teardown:call-off': ({ boxId }) => teardowns.callOff(boxId),
    },
    close: () => closer.close(),
  };
}
