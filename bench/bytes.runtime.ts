// Bytes of a command's output and input, as main reads and sends them.
import { ok } from '../src/shared/result.ts';
import { linkTo, type BenchServer } from './link-to.ts';

export interface BytesOrder {
  readonly way: 'down' | 'up';
  /** Sent to be printed, or printed to be taken. */
  readonly file: string;
  readonly bytes: number;
}

const PIECE = Buffer.alloc(256 * 1024, 7);

process.once('message', (message) => void serve(message as BenchServer));

async function serve(server: BenchServer): Promise<void> {
  const connection = await linkTo(server);
  process.on('message', (message) => {
    if (message === 'end') {
      connection.close();
      void connection.closed.then(() => process.exit(0));
      return;
    }
    void carry(message as BytesOrder).then((ms) => process.send?.({ ms }));
  });
  process.send?.({ ms: 0 });

  async function carry({ way, file, bytes }: BytesOrder): Promise<number> {
    const startedMs = performance.now();
    const isDown = way === 'down';
    const ran = await connection.runBytes(isDown ? `cat ${file}` : 'wc -c', {
      timeoutMs: null,
      ...(isDown ? {} : { input: pieces(bytes) }),
      read: async (stdout) => {
        let seen = 0;
        let text = '';
        for await (const piece of stdout) {
          seen += piece.length;
          if (!isDown) text += piece.toString('latin1');
        }
        return ok(isDown ? seen : Number(text));
      },
    });
    if (!ran.ok) throw new Error(ran.error.message);
    if (ran.value.value !== bytes) throw new Error(`${String(ran.value.value)} bytes arrived`);
    return performance.now() - startedMs;
  }
}

async function* pieces(bytes: number): AsyncGenerator<Uint8Array> {
  for (let left = bytes; left > 0; left -= PIECE.length) {
    yield left < PIECE.length ? PIECE.subarray(0, left) : PIECE;
  }
}
