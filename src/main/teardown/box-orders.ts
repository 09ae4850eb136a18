import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import {
  isSameMachine,
  type FoundMachine,
  type FoundOrder,
} from '../../shared/teardown/found-on-box.ts';
import type { Act } from '../../shared/teardown/gate.ts';
import { readOrders, type OrderOnBox } from '../../shared/teardown/read-orders.ts';
import { newMark, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { KeptAct, TeardownRecords } from './teardown-records.ts';
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

export interface NotedOrder {
  readonly others: readonly OrderOnBox[];
  /** Why the box could not be asked; null: it was. */
  readonly unnoted: Problem | null;
}

/**
 * Writes down on the box what its provider is about to be told, for whoever takes over without the evidence of this computer; `isOver`: takes
 * that away again, and asks nothing. Answers the orders of others that are there then: of two that write at the same time, one at least sees the other. What the
 * evidence here has counts also where the box cannot be asked, `connection` null among that.
 */
export async function noteOrder(
  boxId: string,
  connection: Connection | null,
  { scripts, records }: Pick<OrderSources, 'scripts' | 'records'>,
  order: Pick<Act, 'id' | 'verb' | 'machine'>,
  isOver: boolean,
): Promise<Result<NotedOrder, Problem>> {
  const told =
    connection === null
      ? err(problem('not-connected', 'The box is not connected.'))
      : await askOrders(connection, scripts, isOver ? 'remove' : 'write', order);
  const unnoted = told.ok ? null : told.error;
  // Nobody waits for that one, and the evidence may be closed by now.
  if (isOver) return ok({ others: [], unnoted });
  const known = records.acts();
  if (!known.ok) return known;
  const others = othersOf(boxId, order.machine, told.ok ? told.value : [], known.value);
  return ok({
    others: others.filter(({ id }) => id !== order.id),
    unnoted,
  });
}

/**
 * Of what is noted on the box, and of what the evidence here has for this very machine, as where it could not be noted. The same machine may be in
 * the list twice, or have been forgotten and added again: only an end of this very box is its own.
 */
function othersOf(
  boxId: string,
  machine: FoundMachine | null,
  told: readonly OrderOnBox[],
  known: ReadonlyMap<string, KeptAct>,
): readonly (OrderOnBox & Pick<FoundOrder, 'isNoted'>)[] {
  const isAnothers = (act: KeptAct): boolean => act.boxId !== boxId && !act.isOver;
  // One that was confirmed to be stopped has run again since, and so has one in another life: that order is carried out.
  const isOpen = (act: KeptAct): boolean =>
    isAnothers(act) && !act.isStopped && !isOtherLife(act.machine, machine);
  const noted = told.filter(({ id }) => {
    const act = known.get(id);
    return act === undefined || isAnothers(act);
  });
  const ids = new Set(noted.map(({ id }) => id));
  const kept = [...known.values()].filter(
    (act) =>
      !ids.has(act.id) &&
      isOpen(act) &&
      machine !== null &&
      act.machine !== null &&
      isSameMachine(act.machine, machine),
  );
  return [
    ...noted.map((order) => ({ ...order, isNoted: true })),
    ...kept.map(({ id, verb, approvedAtMs: atMs }) => ({ id, verb, atMs, isNoted: false })),
  ];
}

const isOtherLife = (one: FoundMachine | null, other: FoundMachine | null): boolean => {
  const [before, now] = [one?.life ?? null, other?.life ?? null];
  return before !== null && now !== null && before !== now;
};

export interface OrderSources {
  readonly scripts: OnboxScripts;
  readonly records: Pick<TeardownRecords, 'acts'>;
  readonly look: TeardownVerbs['look'];
}

/** Orders that the evidence here knows nothing of, or has for another box, and what the provider says of the box then. Takes away notes of what is over here. */
export async function findOrders(
  boxId: string,
  connection: Connection,
  machine: FoundMachine,
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
  const others = othersOf(boxId, machine, told.value, known.value);
  if (others.length === 0) return ok([]);
  const { signal } = new AbortController();
  const said = await look(boxId, { signal, forMs: WITHIN_MS, of: null });
  return ok(
    others.map((order) => ({ ...order, said, ofBox: known.value.get(order.id)?.boxName ?? null })),
  );
}
