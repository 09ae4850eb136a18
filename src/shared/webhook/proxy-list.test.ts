import { expect, it } from 'vitest';
import { parseProxyList } from './proxy-list.ts';

const via = (protocol: 'http' | 'socks5', host: string, port: number) => ({
  protocol,
  host,
  port,
  user: null,
});

it.each([
  ['DIRECT', [null]],
  ['PROXY proxy.example:3128', [via('http', 'proxy.example', 3128)]],
  [
    'PROXY 10.0.0.1:8080;SOCKS5 [fd00::1]:1080; direct',
    [via('http', '10.0.0.1', 8080), via('socks5', 'fd00::1', 1080), null],
  ],
  // What is not known here must not become "straight there".
  ['SOCKS old.example:1080', []],
  ['HTTPS proxy.example:443; QUIC proxy.example:443', []],
  ['PROXY proxy.example:99999', []],
  ['PROXY -oProxyCommand=x:1', []],
  ['PROXY a b:1; DIRECTLY; ', []],
  ['', []],
])('reads %j', (text, ways) => {
  expect(parseProxyList(text)).toEqual(ways);
});

it('reads a list without end only so far', () => {
  expect(parseProxyList('DIRECT;'.repeat(1000))).toHaveLength(5);
});
