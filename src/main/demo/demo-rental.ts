import { rm } from 'node:fs/promises';
import { z } from 'zod';
import { sshAddress } from '../../shared/boxes/address.ts';
import { parseJson } from '../../shared/salvage.ts';
import type { Log } from '../log/log.ts';
import { errnoOf } from '../storage/file-problem.ts';
import { replaceFile, sweepTemporaries } from '../storage/atomic-file.ts';
import { moveAside } from '../storage/keep-aside.ts';
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
  readonly #log: Log;

  constructor(file: string, log: Log) {
    this.#file = file;
    this.#log = log;
  }

  /** Null: it rents nothing out, or the file is damaged or of a newer Leasehold, and was put aside as it is. Throws where it can be neither. */
  async read(): Promise<DemoRental | null> {
    await sweepTemporaries(this.#file);
    try {
      const read = rental.safeParse(parseJson(await readOwnText(this.#file, MAX_BYTES)));
      if (read.success) return read.data;
    } catch (cause) {
      if (errnoOf(cause) === 'ENOENT') return null;
      throw cause;
    }
    const name = { stem: 'demo-provider.unreadable', ending: '.json', atMs: Date.now() };
    const aside = moveAside(this.#file, name);
    this.#log.warn('what the provider of the demo box knew is not understood and was put aside', {
      aside,
    });
    return null;
  }

  write(rented: DemoRental): Promise<void> {
    return replaceFile(this.#file, JSON.stringify(rented));
  }

  remove(): Promise<void> {
    return rm(this.#file, { force: true });
  }
}
