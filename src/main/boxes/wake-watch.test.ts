import type { NetworkInterfaceInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchWake, type WakeReason } from './wake-watch.ts';

const info = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  netmask: '255.255.255.0',
  family: 'IPv4',
  mac: '02:00:00:00:00:01',
  internal,
  cidr: `${address}/24`,
});
const LOOPBACK = info('127.0.0.1', true);

describe('watchWake', () => {
  let clocks: { wallMs: number; steadyMs: number };
  let interfaces: Record<string, NetworkInterfaceInfo[]>;
  let told: WakeReason[];
  let say: (reason: WakeReason) => void;
  let isListening: boolean;
  let stop: () => void;

  beforeEach(() => {
    vi.useFakeTimers();
    clocks = { wallMs: 1e12, steadyMs: 500 };
    interfaces = { lo: [LOOPBACK], wlan0: [info('192.168.1.5')] };
    told = [];
    stop = watchWake({
      onWake: (reason) => told.push(reason),
      watchSystem: (tell) => {
        say = tell;
        isListening = true;
        return () => (isListening = false);
      },
      readClocks: () => ({ ...clocks }),
      readInterfaces: () => interfaces,
    });
  });
  afterEach(() => {
    stop();
    expect(vi.getTimerCount()).toBe(0);
    expect(isListening).toBe(false);
    vi.useRealTimers();
  });

  function pass(wallMs: number, steadyMs = wallMs): void {
    clocks = { wallMs: clocks.wallMs + wallMs, steadyMs: clocks.steadyMs + steadyMs };
    vi.advanceTimersByTime(2000);
  }

  it('is quiet while nothing happens, also on a busy machine and when a clock is trimmed', () => {
    for (let i = 0; i < 100; i += 1) pass(2000);
    pass(6000);
    pass(5000, 2000);
    pass(-1000, 2000);
    expect(told).toEqual([]);
  });

  it.each([
    ['the machine slept and one clock with it', 60_000, 2000],
    ['the machine slept and both clocks went on', 60_000, 60_000],
    ['the clock was set back', -3_600_000, 2000],
  ])('tells that %s', (_what, wallMs, steadyMs) => {
    pass(wallMs, steadyMs);
    expect(told).toEqual(['time-jumped']);
    for (let i = 0; i < 5; i += 1) pass(2000);
    expect(told).toHaveLength(1);
  });

  it.each<[string, () => Record<string, NetworkInterfaceInfo[]>]>([
    ['another address', () => ({ lo: [LOOPBACK], wlan0: [info('10.0.0.7')] })],
    ['one more network', () => ({ ...interfaces, tun0: [info('10.8.0.2')] })],
    ['another interface', () => ({ lo: [LOOPBACK], eth0: [info('192.168.1.5')] })],
  ])('tells of %s', (_what, change) => {
    interfaces = change();
    pass(2000);
    expect(told).toEqual(['network-changed']);
  });

  it('takes no notice of addresses that reach nobody', () => {
    interfaces = { ...interfaces, veth1: [info('fe80::1'), info('169.254.3.4')], lo2: [LOOPBACK] };
    pass(2000);
    expect(told).toEqual([]);
  });

  it('waits for the network where there is none', () => {
    interfaces = { lo: [LOOPBACK] };
    say('resumed');
    pass(2000);
    pass(60_000, 2000);
    expect(told).toEqual([]);
    interfaces = { lo: [LOOPBACK], wlan0: [info('192.168.1.5')] };
    pass(2000);
    expect(told).toEqual(['network-changed']);
  });

  it('tells at once what the system says, and what follows it once', () => {
    say('resumed');
    expect(told).toEqual(['resumed']);
    say('unlocked');
    interfaces = { lo: [LOOPBACK], wlan0: [info('10.0.0.7')] };
    expect(told).toEqual(['resumed']);
    pass(2000);
    pass(2000);
    expect(told).toHaveLength(2);
    pass(2000);
    pass(2000);
    expect(told).toHaveLength(2);
  });
});
