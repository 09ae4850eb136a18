import { once } from 'node:events';
import type { ClientChannel, ServerChannel } from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startOddServer, type OddServer } from './odd-server.fixture.ts';
import { VerifiedClient } from './verified-client.ts';

const WINDOW_BYTES = 2 * 1024 * 1024; // ssh2's

type Handlers = Record<string, (...values: readonly unknown[]) => void>;

/** Notes what the client says about the sizes and the end of its channels, in order. */
function listenTo(channel: ServerChannel, heard: string[]): void {
  const { _handlers } = (channel as unknown as { _client: { _protocol: { _handlers: Handlers } } })
    ._client._protocol;
  for (const message of ['CHANNEL_CLOSE', 'CHANNEL_WINDOW_ADJUST']) {
    const handle = _handlers[message]!;
    _handlers[message] = (...values) => {
      heard.push(message);
      handle(...values);
    };
  }
}

describe('a channel that is closed while much is on its way', () => {
  let server: OddServer;
  let client: VerifiedClient;
  let heard: string[];

  beforeEach(async () => {
    heard = [];
    server = await startOddServer({
      onExec: (channel, command) => {
        if (command === 'end') {
          channel.exit(0);
          channel.end();
          return;
        }
        listenTo(channel, heard);
        channel.write(Buffer.alloc(WINDOW_BYTES));
      },
    });
    client = new VerifiedClient(() => true);
    client.connect({ host: '127.0.0.1', port: server.port, username: 'u', password: 'x' });
    await once(client, 'ready');
  });
  afterEach(async () => {
    client.end();
    await once(client, 'close');
    await server.stop();
  });

  function exec(command: string): Promise<ClientChannel> {
    return new Promise((resolve, reject) => {
      client.exec(command, (error, channel) => (error ? reject(error) : resolve(channel)));
    });
  }

  // The server may have given its number to another channel, which would then get room that nobody counts.
  it('is granted no more room', async () => {
    const flood = await exec('flood');
    await once(flood, 'data');
    flood.destroy();
    await once(flood.resume(), 'close');
    const next = await exec('end');
    await once(next.resume(), 'close'); // whatever was said about the first has arrived by now
    expect(heard[0]).toBe('CHANNEL_CLOSE');
    expect(heard).not.toContain('CHANNEL_WINDOW_ADJUST');
  });
});
