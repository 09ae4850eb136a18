import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openConfig } from '../../shared/boxes/ssh-config/config-boxes.ts';
import { slowOf, again } from '../linear.fixture.ts';
import { readConfigTree } from './read-tree.ts';

// Over a real file, as main reads it: a config may have been handed out, by a provider or with a project.

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'leasehold-slow-config-'));
  mkdirSync(join(home, '.ssh'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function boxesOf(text: string): Promise<unknown> {
  const config = join(home, '.ssh', 'config');
  writeFileSync(config, text);
  const { hosts, toBox } = openConfig(await readConfigTree({ home, roots: [config] }), {
    name: 'me',
    home,
  });
  return hosts.map(toBox);
}

/** As long as a line may be and is read. */
const LINE_CHARS = 4000;
/** One host with as many such lines as fit: of several, each is compared with the patterns of all others. */
const lines =
  (option: string, value: (length: number) => string) =>
  (length: number): string =>
    `Host a\n${again(`${option} ${value(LINE_CHARS)}\n`)(length)}`;

it.each(
  Object.entries({
    'times of zeros': lines('ServerAliveInterval', (length) => `${again('0')(length)}x`),
    'names of tokens': lines('HostName', again('%h')),
    quotes: lines('IdentityFile', again('"a" ')),
    'routes of many hops': lines('ProxyJump', again('u@b,')),
    conditions: lines('Match', again('host *a ')),
    'names that are a pattern': lines('Host', (length) => `*${again('a')(length)}b`),
  }),
)('%s take four times as long for four times as many', async (name, make) => {
  expect(await slowOf({ config: boxesOf }, { [name]: make })).toEqual([]);
});
