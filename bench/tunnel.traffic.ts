// `source`: floods each connection with as many bytes as it asks for; tells its port on stdout.
// `client`: for each line "PORT STREAMS BYTES" fetches that many bytes over so many connections and tells the megabytes per
// second. One process for all of them: starting one costs as much time as the fetch.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

const CHUNK = Buffer.alloc(256 * 1024, 5);

function flood(socket: Socket, wanted: number): void {
  let left = wanted;
  const go = (): void => {
    while (left > 0) {
      const size = Math.min(left, CHUNK.length);
      left -= size;
      if (!socket.write(CHUNK.subarray(0, size))) {
        socket.once('drain', go);
        return;
      }
    }
    socket.end();
  };
  go();
}

function fetchFrom(port: number, bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let got = 0;
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer: Buffer.alloc(1024 * 1024),
        callback: (count) => {
          got += count;
          return true;
        },
      },
    });
    socket.on('error', reject);
    socket.on('connect', () => {
      const question = Buffer.alloc(8);
      question.writeBigUInt64BE(BigInt(bytes));
      socket.write(question);
    });
    socket.on('end', () => socket.end());
    socket.on('close', () => resolve(got));
  });
}

async function serveSource(): Promise<void> {
  const server = createServer((socket) => {
    socket.once('data', (question: Buffer) => flood(socket, Number(question.readBigUInt64BE(0))));
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(`${String((server.address() as AddressInfo).port)}\n`);
}

async function fetchAsAsked(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const [port = 0, streams = 1, bytes = 0] = line.split(' ').map(Number);
    const each = Math.floor(bytes / streams);
    const startedAtMs = performance.now();
    const got = await Promise.all(Array.from({ length: streams }, () => fetchFrom(port, each)));
    const tookMs = performance.now() - startedAtMs;
    const total = got.reduce((sum, part) => sum + part, 0);
    if (total !== each * streams) throw new Error(`got ${String(total)} of ${String(bytes)} bytes`);
    process.stdout.write(`${String(total / 1000 / tookMs)}\n`);
  }
}

await (process.argv[2] === 'source' ? serveSource() : fetchAsAsked());
