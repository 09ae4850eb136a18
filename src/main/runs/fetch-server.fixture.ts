import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const MIB = 1024 * 1024;
/** More than hf and aws take in one piece, of 10 and 8 MiB. */
const BYTES = 26 * MIB;
const CHUNK = 256 * 1024;
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const MODIFIED = new Date('2026-01-02T03:04:05Z');

/** What was asked for, and how. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  /** Where the answer was to begin. */
  readonly from: number;
  readonly authorization: string | null;
}

/**
 * One large file on a plain web server (/web/…), in a repository as a model hub serves it (/api/models/…), and in a bucket as S3 does
 * (/bucket). It can stand still in the middle of an answer, as a network does.
 */
export class FetchServer {
  readonly bytes = randomBytes(BYTES);
  readonly asked: Asked[] = [];
  /** So many bytes of the file go out, and no more; null: all. */
  holdAt: number | null = null;
  readonly #server: Server;
  readonly #held = new Set<ServerResponse>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (asked, answer) => void this.#serve(asked, answer));
  }

  static async start(): Promise<FetchServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FetchServer(server);
  }

  get address(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  get heldCount(): number {
    return this.#held.size;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(asked.url ?? '/', this.address);
    const range = /^bytes=(\d+)-(\d*)$/.exec(asked.headers.range ?? '');
    const from = Number(range?.[1] ?? 0);
    this.asked.push({
      ...{ method: asked.method ?? '', path: pathname, from },
      authorization: asked.headers.authorization ?? null,
    });
    const json = (value: unknown): void => {
      answer.setHeader('content-type', 'application/json');
      answer.end(JSON.stringify(value));
    };
    if (pathname.startsWith('/api/models/org/model/tree/')) {
      json([{ type: 'file', path: 'data.bin', size: BYTES, oid: sha256(this.bytes).slice(0, 40) }]);
      return;
    }
    if (pathname.startsWith('/api/models/org/model')) {
      json({ id: 'org/model', sha: COMMIT, siblings: [{ rfilename: 'data.bin' }] });
      return;
    }
    if (pathname === '/bucket' || pathname === '/bucket/') {
      const prefix = searchParams.get('prefix') ?? '';
      answer.setHeader('content-type', 'application/xml');
      answer.end(listing('set/data.bin'.startsWith(prefix) ? ['set/data.bin'] : []));
      return;
    }
    if (
      !/^\/(?:web\/data\.bin|org\/model\/resolve\/\w+\/data\.bin|bucket\/set\/data\.bin)$/.test(
        pathname,
      )
    ) {
      answer.statusCode = 404;
      answer.end();
      return;
    }
    const hash = sha256(this.bytes);
    const isBucket = pathname.startsWith('/bucket');
    answer.setHeader('accept-ranges', 'bytes');
    answer.setHeader('etag', `"${isBucket ? md5(this.bytes) : hash}"`);
    answer.setHeader('last-modified', MODIFIED.toUTCString());
    answer.setHeader('x-repo-commit', COMMIT);
    if (from >= BYTES) {
      answer.writeHead(416, { 'content-range': `bytes */${String(BYTES)}` }).end();
      return;
    }
    const to = range?.[2] ? Math.min(Number(range[2]) + 1, BYTES) : BYTES;
    if (range !== null) {
      answer.statusCode = 206;
      answer.setHeader('content-range', `bytes ${String(from)}-${String(to - 1)}/${String(BYTES)}`);
    }
    answer.setHeader('content-length', to - from);
    if (asked.method === 'HEAD') {
      answer.end();
      return;
    }
    for (let at = from; at < to; at += CHUNK) {
      if (this.holdAt !== null && at >= this.holdAt) {
        this.#held.add(answer);
        return;
      }
      if (answer.destroyed) return;
      const chunk = this.bytes.subarray(at, Math.min(at + CHUNK, to));
      await new Promise((resolve) => answer.write(chunk, resolve));
    }
    answer.end();
  }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

function listing(keys: readonly string[]): string {
  const found = keys.map(
    (key) =>
      `<Contents><Key>${key}</Key><LastModified>${MODIFIED.toISOString()}</LastModified><ETag>&quot;x&quot;</ETag><Size>${String(BYTES)}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><Prefix></Prefix><KeyCount>${String(keys.length)}</KeyCount><MaxKeys>1000</MaxKeys><IsTruncated>false</IsTruncated>${found.join('')}</ListBucketResult>`;
}
