import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface HookServer {
  readonly port: number;
  readonly url: string;
  readonly received: readonly Received[];
  /** What the next requests get, in order; after that 200. */
  readonly plan: ((response: ServerResponse) => void)[];
  /** Resolves when that many requests have come in all. */
  readonly gotten: (count: number) => Promise<void>;
  /** Sockets that are open at present. */
  readonly connections: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** A real HTTP server, on loopback unless said otherwise, that does what a webhook's other end may do. */
export async function startHookServer(port = 0, host = '127.0.0.1'): Promise<HookServer> {
  const received: Received[] = [];
  const plan: ((response: ServerResponse) => void)[] = [];
  const waiting: { readonly count: number; readonly done: () => void }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      const answer = plan.shift();
      if (answer === undefined) response.end('ok');
      else answer(response);
      for (const { count, done } of waiting) if (received.length >= count) done();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    port: bound,
    url: `http://${host}:${bound}/hook/very-secret-token`,
    received,
    plan,
    gotten: (count) =>
      new Promise((done) => {
        if (received.length >= count) done();
        else waiting.push({ count, done });
      }),
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((cause, count) => {
          if (cause) reject(cause);
          else resolve(count);
        });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end();
  };
