/** An order to end a box, as it was written down there. */
export interface OrderOnBox {
  /** What it is known by. */
  readonly id: string;
  /** By the clock of the box; null: it does not say. */
  readonly atMs: number | null;
  /** Hostile. */
  readonly verb: string;
}

/** What teardown-order.sh prints; null: its answer was not whole, and what was ordered is not known. */
export function readOrders(stdout: string, mark: string): readonly OrderOnBox[] | null {
  const lines = stdout.split('\n');
  if (!lines.includes(`${mark} whole`)) return null;
  return lines.flatMap((line) => {
    if (!line.startsWith(`${mark} order `)) return [];
    const [id = '', atS = '', ...verb] = line.slice(`${mark} order `.length).split(' ');
    const atMs = /^\d{1,12}$/.test(atS) ? Number(atS) * 1000 : null;
    return [{ id, atMs, verb: verb.join(' ') }];
  });
}
