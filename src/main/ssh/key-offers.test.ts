import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NOTHING_REMEMBERED, type Remembered } from '../../shared/settings/remembered.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { openKeyOffers, type KeyOffers } from './key-offers.ts';

const A = '11111111-1111-4111-8111-111111111111';
const B = '21111111-1111-4111-8111-111111111111';

let memory: Remembered;
let hub: StreamHub;
let offers: KeyOffers;

function start(): void {
  hub = new StreamHub();
  hub.addClient(1, () => undefined);
  offers = openKeyOffers(hub, {
    current: () => memory,
    change: (part) => (memory = { ...memory, ...part }),
  });
}

const shown = (): unknown => {
  const opened = hub.open(1, 'key-offers', '');
  return opened.ok ? opened.value.state : opened.error;
};

beforeEach(() => {
  memory = NOTHING_REMEMBERED;
  start();
});
afterEach(() => hub.dispose());

describe('offers of a key', () => {
  it('follow a log-in by hand and end with one by key', () => {
    offers.loggedIn(A, 'password');
    offers.loggedIn(B, 'prompts');
    offers.loggedIn(A, 'password');
    expect(shown()).toEqual([B, A]);
    offers.loggedIn(B, 'key');
    expect(shown()).toEqual([A]);
    offers.loggedIn(B, 'nothing');
    expect(shown()).toEqual([A]);
  });

  it('do not come back once dismissed, also after a restart, until the box is forgotten', () => {
    offers.loggedIn(A, 'password');
    offers.dismiss(A);
    expect(shown()).toEqual([]);
    hub.dispose();
    start();
    offers.loggedIn(A, 'password');
    expect(shown()).toEqual([]);
    offers.forgetBox(A);
    offers.loggedIn(A, 'password');
    expect(shown()).toEqual([A]);
  });

  it('remember which key was installed where, until the box is forgotten', () => {
    offers.loggedIn(A, 'password');
    offers.installed(A, '/home/me/.ssh/leasehold_ed25519');
    expect(shown()).toEqual([]);
    hub.dispose();
    start();
    expect(offers.installedKey(A)).toBe('/home/me/.ssh/leasehold_ed25519');
    expect(offers.installedKey(B)).toBeNull();
    offers.forgetBox(A);
    expect(offers.installedKey(A)).toBeNull();
  });
});
