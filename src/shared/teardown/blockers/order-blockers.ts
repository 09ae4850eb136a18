import { isoTime } from '../../meter/ledger-csv.ts';
import type { FoundOnBox, FoundOrder } from '../found-on-box.ts';
import type { Raised } from './raised.ts';
import type { Hashing } from './result-files.ts';

/** Nothing is told twice: what another computer has set going is first found out. A machine that runs on is one of which a person can say it. */
export const ordersElsewhere = (
  { orders }: Pick<FoundOnBox, 'orders'>,
  sha256: Hashing,
): readonly Raised[] =>
  orders.map((order) => ({
    ...{ id: `ordered-elsewhere:${order.id}`, kind: 'ordered-elsewhere', stage: 'inventory' },
    ...{ entry: null, says: words(order), shows: [order.id] },
    loss:
      order.said === null || order.said.kind === 'running'
        ? sha256(JSON.stringify(order.id))
        : null,
  }));

function words({ verb, atMs, said }: FoundOrder): string {
  const when = atMs === null ? '' : ` at ${isoTime(atMs)}`;
  const what = `Another computer approved “${verb === '' ? 'an end' : verb}” of this box${when}, and nothing here says what came of it.`;
  if (said === null) return `${what} No provider is linked that could be asked.`;
  return said.kind === 'running'
    ? `${what} ${said.provider} says that the machine is running still.`
    : `${what} ${said.provider} does not say that it is running. Wait, and check the box again.`;
}
