import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { sshAddress } from '../../shared/boxes/address.ts';
import { parseJson } from '../../shared/salvage.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { replaceFile, sweepTemporaries } from '../storage/atomic-file.ts';
import { readOwnText } from '../storage/own-text.ts';

const orders = z.strictObject({
  /** The ids of the acts that it was told of, in their order. */
  told: z.array(z.string()),
  /** What it carries out, and when that is done; null: nothing. */
  end: z.strictObject({ aim: z.enum(['stopped', 'gone']), atMs: z.number() }).nullable(),
});

/** What the provider of the demo box was told to do with it. */
export type DemoOrders = Readonly<z.infer<typeof orders>>;

const rental = z.strictObject({
  ...orders.shape,
  boxId: z.uuid(),
  instance: z.string(),
  address: sshAddress,
  gpuCount: z.int(),
});

/** The demo box as its provider has it. */
export type DemoRental = Readonly<z.infer<typeof rental>>;

const MAX_BYTES = 10_000;

/**
 * What the provider of the demo box knows, in a file: a real one goes on with what it was told when Leasehold is killed, and answers for it when it
 * is asked again.
 */
export class DemoRentalFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** Null: it rents nothing out, or nobody can say what. */
  async read(): Promise<DemoRental | null> {
    await sweepTemporaries(this.#file);
    try {
      const read = rental.safeParse(parseJson(await readOwnText(this.#file, MAX_BYTES)));
      return read.success ? read.data : null;
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') return null;
      throw cause;
    }
  }

  write(rented: DemoRental): Promise<void> {
    return replaceFile(this.#file, JSON.stringify(rented));
  }

  remove(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}
