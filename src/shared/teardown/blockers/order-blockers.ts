import { isoTime } from '../../meter/ledger-csv.ts';
import { unreachable } from '../../result.ts';
import type { FoundOnBox, FoundOrder } from '../found-on-box.ts';
import type { Inspection } from '../inspection.ts';
import type { ProviderSaid } from '../provider-said.ts';
import type { OrderOnBox } from '../read-orders.ts';
import type { Raised } from './raised.ts';
import type { Hashing } from './result-files.ts';

/** Nothing is told twice: what was set going elsewhere is first found out. A machine that runs on is one of which a person can say it. */
export const ordersElsewhere = (
  { orders }: Pick<FoundOnBox, 'orders'>,
  sha256: Hashing,
): readonly Raised[] =>
  orders.map((order) => ({
    ...{ id: blockerId(order), kind: 'ordered-elsewhere', stage: 'inventory' },
    ...{ entry: null, says: words(order), shows: [order.id] },
    loss:
      order.said === null || order.said.kind === 'running'
        ? sha256(JSON.stringify(order.id))
        : null,
  }));

const blockerId = ({ id }: Pick<OrderOnBox, 'id'>): string => `ordered-elsewhere:${id}`;

/** A person has said of this very order that the box is to be ended nevertheless. */
export const isOrderAccepted = (
  { blockers }: Pick<Inspection, 'blockers'>,
  order: Pick<OrderOnBox, 'id'>,
): boolean => blockers.some(({ id, accepted }) => id === blockerId(order) && accepted !== null);

function words({ verb, atMs, said, ofBox, isNoted }: FoundOrder): string {
  const when = atMs === null ? '' : ` at ${isoTime(atMs)}`;
  const whence =
    ofBox === null
      ? 'Leasehold has no record of it here, so it does not know what came of it.'
      : `It was approved here, for “${ofBox}”, which is this very machine under another entry of the list.`;
  const where = isNoted ? 'A note on this box' : 'The evidence here';
  const what = `${where} says that “${verb === '' ? 'an end' : verb}” was approved${when}. ${whence}`;
  return said === null
    ? `${what} No provider is linked that could be asked.`
    : `${what} ${wordsOf(said)}`;
}

/** What the provider says, and what follows from it for who waits. */
function wordsOf({ provider, kind }: ProviderSaid): string {
  switch (kind) {
    case 'running':
      return `${provider} says that the machine is running still.`;
    case 'silent':
      return `${provider} did not answer when it was asked. Look at its console: nothing can be said of the machine until ${provider} answers. Then check the box again.`;
    case 'unheard':
      return `${provider} knows no such machine: it was ended already, or it belongs to another account. If the box goes on, end it in the console of the account that pays for it.`;
    case 'stopping':
    case 'stopped':
    case 'gone':
      return `${provider} says that the machine is ${kind}. Wait, and check the box again.`;
    default:
      return unreachable(kind);
  }
}
