import type { Session } from 'electron';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../demo/demo-box.fixture.ts';
import { lockDownSession, OWN_PAGES, type SessionBounds } from './lock-session.ts';
import { boundsOf } from './service-bounds.ts';

type Ask = (...values: never[]) => unknown;

/** What a session was given to answer with; real Electron asks the same in e2e/security-….spec.ts and e2e/service-window.spec.ts. */
async function lock(bounds: SessionBounds) {
  const handlers: Record<string, Ask> = {};
  const proxies: object[] = [];
  const keep = (name: string) => (handler: Ask) => void (handlers[name] = handler);
  const session = {
    setPermissionRequestHandler: keep('request'),
    setPermissionCheckHandler: keep('check'),
    setDevicePermissionHandler: keep('device'),
    setSpellCheckerLanguages: (all: readonly string[]) => keep('languages')(() => all),
    setSpellCheckerEnabled: (isOn: boolean) => keep('spelling')(() => isOn),
    setProxy: (proxy: object) => Promise.resolve(void proxies.push(proxy)),
    webRequest: { onBeforeRequest: keep('load') },
    on: (event: string, handler: Ask) => keep(event)(handler),
  };
  await lockDownSession(session as unknown as Session, bounds, silentLog);
  const ask = (name: string, ...values: unknown[]): unknown =>
    (handlers[name] as (...all: unknown[]) => unknown)(...values);
  return {
    proxies,
    ask,
    requests: (permission: string, url: string): boolean => {
      let isGiven = true;
      ask('request', { getURL: () => url }, permission, (given: boolean) => (isGiven = given));
      return isGiven;
    },
    loads: (url: string): boolean => {
      let isCancelled = false;
      ask('load', { url }, ({ cancel }: { cancel: boolean }) => (isCancelled = cancel));
      return !isCancelled;
    },
  };
}

const ORIGIN = 'http://127.0.0.1:6006';
const OURS = 'leasehold://app/index.html';
const COPY = 'clipboard-sanitized-write';

describe.each([
  ['our own pages', OWN_PAGES, OURS],
  ['pages of a box', boundsOf(ORIGIN), `${ORIGIN}/`],
])('%s', (_whose, bounds, url) => {
  it.each([
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'openExternal',
    'hid',
    'usb',
  ])('are refused %s, asked for or merely looked at', async (permission) => {
    const { requests, ask } = await lock(bounds);
    expect(requests(permission, url)).toBe(false);
    expect(ask('check', null, permission, url)).toBe(false);
  });

  it('get no device', async () => {
    const { ask } = await lock(bounds);
    const device = { deviceId: '1', name: 'a key', guid: '', vendorId: 1, productId: 1 };
    for (const deviceType of ['hid', 'serial', 'usb']) {
      expect(ask('device', { deviceType, origin: url, device })).toBe(false);
    }
  });

  it('save no file, and have no dictionary fetched', async () => {
    const { ask } = await lock(bounds);
    let isPrevented = false;
    ask('will-download', { preventDefault: () => (isPrevented = true) });
    expect(isPrevented).toBe(true);
    expect(ask('spelling')).toBe(false);
    expect(ask('languages')).toEqual([]);
  });
});

it('lets our own pages copy, and no page of a box or of nobody', async () => {
  const own = await lock(OWN_PAGES);
  expect([own.requests(COPY, OURS), own.ask('check', null, COPY, 'leasehold://app/')]).toEqual([
    true,
    true,
  ]);
  expect(own.requests(COPY, 'data:text/html,x')).toBe(false);
  const box = await lock(boundsOf(ORIGIN));
  expect([box.requests(COPY, `${ORIGIN}/`), box.ask('check', null, COPY, ORIGIN)]).toEqual([
    false,
    false,
  ]);
});

it('lets each load only what is its own', async () => {
  const own = await lock(OWN_PAGES);
  expect(own.loads(OURS)).toBe(true);
  const box = await lock(boundsOf(ORIGIN));
  for (const url of [`${ORIGIN}/data`, 'ws://127.0.0.1:6006/ws', 'data:,x', `blob:${ORIGIN}/1`]) {
    expect(box.loads(url)).toBe(true);
    expect(own.loads(url)).toBe(false);
  }
  for (const url of [
    'http://127.0.0.1:6007/',
    'http://localhost:6006/',
    'http://evil@127.0.0.1:6006/',
    'http://:evil@127.0.0.1:6006/',
    'https://127.0.0.1:6006/',
    'file:///etc/hostname',
    OURS,
  ]) {
    expect(box.loads(url)).toBe(false);
  }
});

// The other half is tried in real Electron: e2e/page-reach.spec.ts.
it('sends what is left to a proxy that is not there, but for the tunnel of the box', async () => {
  const proxyRules = 'http://127.0.0.1:1';
  expect((await lock(OWN_PAGES)).proxies).toEqual([
    { mode: 'fixed_servers', proxyRules, proxyBypassRules: '<-loopback>' },
  ]);
  expect((await lock(boundsOf(ORIGIN))).proxies).toEqual([
    { mode: 'fixed_servers', proxyRules, proxyBypassRules: '<-loopback>;127.0.0.1:6006' },
  ]);
});
