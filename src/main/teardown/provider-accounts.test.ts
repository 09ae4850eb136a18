import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import { ProviderAccounts } from './provider-accounts.ts';
import { ProviderLinks, type ProviderLink } from './provider-links.ts';

const redact = (text: string): string => text.replaceAll('hunter2', '[redacted]');

function accountsOf(link: ProviderLink, instance: string, askForMs?: number): ProviderAccounts {
  const links = new ProviderLinks();
  links.hold('b1', { link, instance });
  const nameOf = (boxId: string): string | null => (boxId === 'b1' ? 'train-a' : null);
  return new ProviderAccounts({
    links,
    redact,
    nameOf,
    ...(askForMs !== undefined && { askForMs }),
  });
}

describe.skipIf(process.platform === 'win32')('the account of the demo provider', () => {
  let demo: DemoBox;
  let accounts: ProviderAccounts;
  beforeEach(async () => {
    demo = await startTestBox();
    accounts = accountsOf(demo.provider, demo.provider.instance);
  });
  afterEach(() => demo.stop());

  it('lists the box, and says what that costs', async () => {
    expect(await accounts.ask('b1')).toMatchObject({
      ...{ provider: 'Demo provider', instance: demo.provider.instance },
      machines: { kind: 'told', value: [{ says: 'RUNNING', boxName: 'train-a' }] },
      price: { kind: 'told', value: { running: { micros: 2_400_000, currency: 'USD' } } },
    });
    expect(await accounts.ask('b2')).toBe(null);
  });

  it('lists a machine that nobody entered, and charges what nobody entered', async () => {
    await demo.setFault('provider-lists-more', true);
    await demo.setFault('provider-asks-more', true);
    expect(await accounts.ask('b1')).toMatchObject({
      machines: { value: [{ boxName: 'train-a' }, { instance: 'demo-0', boxName: null }] },
      price: { value: { running: { micros: 3_600_000 } } },
    });
  });

  it('may have another machine for the box than before', async () => {
    await demo.setFault('provider-swaps', true);
    const instance = `${demo.provider.instance}-again`;
    expect(demo.provider.listedAs).toBe(instance);
    expect(await accounts.ask('b1')).toMatchObject({
      machines: { kind: 'told', value: [{ instance, boxName: null }] },
    });
  });

  it('does not list a box of which it has never heard', async () => {
    await demo.setFault('provider-forgets', true);
    expect(await accounts.ask('b1')).toMatchObject({ machines: { kind: 'told', value: [] } });
  });

  it('is silent, and not empty or free, where it does not answer', async () => {
    await demo.setFault('provider-silent', true);
    const silent = { kind: 'silent', says: 'the demo provider does not answer' };
    expect(await accounts.ask('b1')).toMatchObject({ machines: silent, price: silent });
  });
});

describe('an account', () => {
  const machine = { instance: 'i-1', name: null, says: 'UP' };
  const link: ProviderLink = {
    ...{ provider: 'Acme', verbs: [] },
    act: () => Promise.reject(new Error('is not asked for')),
    look: () => Promise.reject(new Error('is not asked for')),
    list: () => Promise.resolve([machine]),
    price: () => Promise.resolve({ running: null, stopped: null, isWithStorage: true }),
  };

  it('is silent where nothing comes back, by itself for each question', async () => {
    const hangs = { ...link, list: () => new Promise<never>(() => undefined) };
    expect(await accountsOf(hangs, 'i-1', 10).ask('b1')).toMatchObject({
      machines: { kind: 'silent', says: 'nothing came back.' },
      price: { kind: 'told' },
    });
  });

  it('keeps secrets, floods and absurd prices out', async () => {
    const absurd = { running: { micros: 9e14, currency: 'USD' }, stopped: null };
    const foreign = {
      ...link,
      list: () =>
        Promise.resolve(
          Array.from({ length: 9000 }, (_, at) => ({
            ...{ instance: `i-${String(at)}`, says: 'y'.repeat(9000), name: 'key hunter2' },
          })),
        ),
      price: () => Promise.resolve({ ...absurd, isWithStorage: true }),
    };
    const account = await accountsOf(foreign, 'i-1').ask('b1');
    if (account?.machines.kind !== 'told') throw new Error('it was told');
    expect(account.machines.value.length).toBeLessThan(1000);
    expect(account.machines.value[0]).toMatchObject({ name: 'key [redacted]' });
    expect(JSON.stringify(account).length).toBeLessThan(400_000);
    expect(account.price).toMatchObject({ value: { running: null } });
  });

  it('is asked once at a time', async () => {
    let asked = 0;
    const counted = { ...link, list: () => (asked++, Promise.resolve([machine])) };
    const accounts = accountsOf(counted, 'i-1');
    await Promise.all([accounts.ask('b1'), accounts.ask('b1')]);
    expect(asked).toBe(1);
    await accounts.ask('b1');
    expect(asked).toBe(2);
  });
});
