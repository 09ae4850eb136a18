import { expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import { Secret } from '../secrets/secret.ts';
import type { BoxTunnels } from '../tunnels/box-tunnels.ts';
import type { ReadyPage, ServiceOpener } from '../tunnels/service-opener.ts';
import { tunnelHandlers } from './tunnel-handlers.ts';

const PAGE = {
  origin: 'http://127.0.0.1:8888',
  firstPath: '/lab?token=s3cret',
  title: 'Jupyter',
  token: new Secret('s3cret'),
};

it('a token goes into the window’s first address, or into the clipboard, and onto no browser’s command line', async () => {
  const told: string[] = [];
  const copied: string[] = [];
  const shown: ReadyPage[] = [];
  const handlers = tunnelHandlers({
    tunnels: { of: () => ok({} as BoxTunnels) },
    serviceOpener: { pageOfJupyter: () => Promise.resolve(ok(PAGE)) } as unknown as ServiceOpener,
    roster: { boxOf: () => null },
    openOwnPort: (url) => Promise.resolve(void told.push(url)).then(() => ok(null)),
    openServiceWindow: (page) => void shown.push(page),
    copySecret: (secret) => void copied.push(secret.reveal()),
  });
  const open = (where: 'window' | 'browser') =>
    handlers['jupyter:open']({ boxId: 'a', port: 8888, where }, 1);
  expect(await open('browser')).toEqual(ok({ isTokenCopied: true }));
  expect(told).toEqual(['http://127.0.0.1:8888/']);
  expect(copied).toEqual(['s3cret']);
  expect(await open('window')).toEqual(ok({ isTokenCopied: false }));
  expect(shown).toEqual([PAGE]);
  expect([told.length, copied.length]).toEqual([1, 1]);
});
