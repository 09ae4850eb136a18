import { describe, expect, it, vi } from 'vitest';
import type { SshAddress } from '../../shared/boxes/address.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { channels, ipcInputs, type Channel } from '../../shared/ipc/contract.ts';
import { ok } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import { endpointsOf } from './endpoints.ts';
import { createRouter, type Handlers, type Sender } from './ipc-router.ts';

const TRUSTED: Sender = { clientId: 3, isTrusted: true, url: 'leasehold://app/index.html' };
const FOREIGN: Sender = { clientId: 3, isTrusted: false, url: 'https://evil.example/' };

function setUp(handler: (input: unknown, clientId: number) => unknown = () => ok(null)) {
  const handle = vi.fn(handler);
  const handlers = Object.fromEntries(
    channels.map((each) => [each, handle]),
  ) as unknown as Handlers;
  const endpoints = endpointsOf(ipcInputs, handlers);
  const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };
  return {
    route: createRouter(async (channel) => endpoints.get(channel) ?? null, log as unknown as Log),
    handle,
    log,
  };
}

describe('createRouter', () => {
  it('hands a valid input to its handler', async () => {
    const { route, handle } = setUp();
    expect(await route(TRUSTED, 'notice:dismiss', { id: 'x' })).toEqual(ok(null));
    expect(handle).toHaveBeenCalledWith({ id: 'x' }, 3);
  });

  it('refuses a foreign frame before looking at anything else', async () => {
    const { route, handle } = setUp();
    for (const channel of ['notice:dismiss', 'no-such-channel']) {
      expect(await route(FOREIGN, channel, { id: 'x' })).toMatchObject({
        ok: false,
        error: { code: 'untrusted-sender' },
      });
    }
    expect(handle).not.toHaveBeenCalled();
  });

  it.each(['nope', '__proto__', 'toString', 'constructor', '', 42, null, undefined, {}])(
    'refuses the unknown channel %j',
    async (channel) => {
      const { route, handle } = setUp();
      expect(await route(TRUSTED, channel, {})).toMatchObject({
        ok: false,
        error: { code: 'unknown-channel' },
      });
      expect(handle).not.toHaveBeenCalled();
    },
  );

  it.each<[string, unknown]>([
    ['a long string', { id: 'x'.repeat(600_000) }],
    ['many small values', Array.from({ length: 200_000 }, (_, i) => i)],
    ['bytes', { id: new Uint8Array(2 * 1024 * 1024) }],
    ['a map', new Map([['k', 'x'.repeat(600_000)]])],
    ['endless nesting', nested(1000)],
  ])('refuses a payload over 1 MiB: %s', async (_name, input) => {
    const { route, handle } = setUp();
    expect(await route(TRUSTED, 'notice:dismiss', input)).toMatchObject({
      ok: false,
      error: { code: 'payload-too-large' },
    });
    expect(handle).not.toHaveBeenCalled();
  });

  it.each<[Channel, unknown]>([
    ['notice:dismiss', { id: 5 }],
    ['notice:dismiss', { id: 'x', extra: 1 }],
    ['notice:dismiss', null],
    ['box:forget', { boxId: '../../etc' }],
    ['box:add', { name: '', connection: connection() }],
    ['box:add', { name: 'n', connection: connection({ port: 0 }) }],
    ['box:add', { name: 'n', connection: connection({ host: '-oProxyCommand=x' }) }],
    ['box:add', { name: 'n', connection: connection({ user: 'a b' }) }],
    ['box:add', { name: 'n', connection: { ...connection(), route: { kind: 'jumps', hops: [] } } }],
    ['box:edit', { boxId: 'x', connection: connection() }],
    ['settings:change', { patch: { theme: 'pink' } }],
    ['settings:change', { patch: { demo: { gpuCount: 9 } } }],
    ['stream:open', { stream: 'passwords', key: '' }],
    ['demo:set-fault', { fault: 'rm -rf', isOn: true }],
  ])('refuses bad input to %s: %j', async (channel, input) => {
    const { route, handle } = setUp();
    expect(await route(TRUSTED, channel, input)).toMatchObject({
      ok: false,
      error: { code: 'bad-input' },
    });
    expect(handle).not.toHaveBeenCalled();
  });

  it('turns an exception into a problem and logs its cause', async () => {
    const boom = new Error('boom');
    const { route, log } = setUp(() => {
      throw boom;
    });
    expect(await route(TRUSTED, 'app:info', {})).toMatchObject({
      ok: false,
      error: { code: 'internal' },
    });
    expect(log.error).toHaveBeenCalledWith('a handler threw', { channel: 'app:info', cause: boom });
  });
});

function connection(address: Partial<SshAddress> = {}) {
  return {
    address: { host: 'h', port: 22, user: 'u', ...address },
    ...USUAL_WAY,
  };
}

function nested(depth: number): unknown {
  let value: unknown = null;
  for (let i = 0; i < depth; i += 1) value = { value };
  return value;
}
