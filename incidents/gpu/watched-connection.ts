import type { RemoteProcess } from '../../src/main/ssh/remote-process.ts';
import type { SshConnection } from '../../src/main/ssh/ssh-connection.ts';
import { ok } from '../../src/shared/result.ts';

/** A real connection, and what is under way on it: whoever makes time pass must know when the box has said what it has to. */
export class WatchedConnection {
  readonly connection: SshConnection;
  #commands = 0;
  #streams = 0;
  #taken = 0;

  constructor(real: SshConnection) {
    this.connection = {
      ...real,
      run: async (...given) => {
        this.#commands += 1;
        try {
          return await real.run(...given);
        } finally {
          this.#commands -= 1;
        }
      },
      start: async (...given) => {
        this.#commands += 1;
        try {
          const started = await real.start(...given);
          return started.ok ? ok(this.#watch(started.value)) : started;
        } finally {
          this.#commands -= 1;
        }
      },
    };
  }

  get isAnswering(): boolean {
    return this.#commands > 0;
  }

  get hasStream(): boolean {
    return this.#streams > 0;
  }

  /** How many characters of streams were read so far. */
  get taken(): number {
    return this.#taken;
  }

  #watch(remote: RemoteProcess): RemoteProcess {
    this.#streams += 1;
    void remote.exited.then(() => (this.#streams -= 1));
    const read = remote.stdout.bind(remote);
    remote.stdout = (): AsyncGenerator<string, void> => this.#count(read());
    return remote;
  }

  async *#count(pieces: AsyncGenerator<string, void>): AsyncGenerator<string, void> {
    for await (const piece of pieces) {
      yield piece;
      this.#taken += piece.length;
    }
  }
}
