/** Runs asynchronous work one after the other, in the order asked for. */
export interface Serial {
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
  /** Resolves when everything asked for so far has ended, well or not. */
  readonly settled: () => Promise<void>;
}

export function createSerial(): Serial {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: (work) => {
      const done = last.then(work);
      // Whoever asked for it hears of a failure; what waits behind it goes on.
      last = done.catch(() => undefined);
      return done;
    },
    settled: async () => void (await last),
  };
}
