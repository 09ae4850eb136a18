import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FoundOrder } from '../../shared/teardown/found-on-box.ts';
import type { Act } from '../../shared/teardown/gate.ts';
import { readOrders, type OrderOnBox } from '../../shared/teardown/read-orders.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { TeardownRecords } from './teardown-records.ts';
import type { TeardownVerbs } from './teardown-verbs.ts';

/** An order does not wait longer for a box that may be on its way out. */
const WITHIN_MS = 8000;

type Connection = Pick<SshConnection, 'run'>;

const UNKNOWN = problem(
  'results-unknown',
  'Whether its end was ordered from elsewhere is not known.',
);

async function askOrders(
  connection: Connection,
  scripts: OnboxScripts,
  what: 'write' | 'remove' | 'tell',
  act: Pick<Act, 'id' | 'verb'> | null,
): Promise<Result<readonly OrderOnBox[], Problem>> {
  const mark = newMark();
  const values = {
    ...{ LEASEHOLD_MARK: mark, LEASEHOLD_DO: what, LEASEHOLD_ACT: act?.id ?? '' },
    LEASEHOLD_SAYS: (act?.verb ?? '').replace(/\s+/g, ' '),
  };
  const ran = await scripts.run(connection, 'teardown-order.sh', values, WITHIN_MS);
  if (!ran.ok) return ran;
  const read = readOrders(ran.value.stdout, mark);
  return read === null ? err(UNKNOWN) : ok(read);
}

/**
 * Writes down on the box what its provider is about to be told, for whoever takes over without the evidence of this computer; `isOver`: takes
 * that away again. Answers the orders of others that are there then: of two that write at the same time, one at least sees the other.
 */
export async function noteOrder(
  connection: Connection,
  { scripts, records }: Pick<OrderSources, 'scripts' | 'records'>,
  order: Pick<Act, 'id' | 'verb'>,
  isOver: boolean,
): Promise<Result<readonly OrderOnBox[], Problem>> {
  const told = await askOrders(connection, scripts, isOver ? 'remove' : 'write', order);
  if (!told.ok) return told;
  const known = records.acts();
  if (!known.ok) return known;
  return ok(told.value.filter(({ id }) => id !== order.id && !known.value.has(id)));
}

export interface OrderSources {
  readonly scripts: OnboxScripts;
  readonly records: Pick<TeardownRecords, 'acts'>;
  readonly look: TeardownVerbs['look'];
}

/** Orders that the evidence here knows nothing of, and what the provider says of the box then. Takes away notes of what is over here. */
export async function findOrders(
  boxId: string,
  connection: Connection,
  { scripts, records, look }: OrderSources,
): Promise<Result<readonly FoundOrder[], Problem>> {
  const told = await askOrders(connection, scripts, 'tell', null);
  if (!told.ok) return told;
  const known = records.acts();
  if (!known.ok) return known;
  for (const order of told.value) {
    // One that stays is in nobody's way here, and is asked about at the next look.
    if (known.value.get(order.id)?.isOver === true)
      await askOrders(connection, scripts, 'remove', order);
  }
  const others = told.value.filter(({ id }) => !known.value.has(id));
  if (others.length === 0) return ok([]);
  const { signal } = new AbortController();
  const said = await look(boxId, { signal, forMs: WITHIN_MS });
  return ok(others.map((order) => ({ ...order, said })));
}
