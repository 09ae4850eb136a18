import { Terminal } from '@xterm/xterm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limitLinks } from './link-limit.ts';

const LIMIT = 500;
const LINKS = 20_000;

interface OscLinks {
  readonly _core: {
    readonly _oscLinkService: { readonly _dataByLinkId: ReadonlyMap<number, unknown> };
  };
}

let terminal: Terminal;
beforeEach(() => {
  terminal = new Terminal({ allowProposedApi: true, cols: 80, rows: 24, scrollback: 5000 });
  limitLinks(terminal);
});
afterEach(() => terminal.dispose());

const print = (text: string) => new Promise<void>((done) => terminal.write(text, done));
const link = (address: string, text = 'x') => `\x1b]8;;${address}\x07${text}\x1b]8;;\x07`;
const addresses = () => (terminal as unknown as OscLinks)._core._oscLinkService._dataByLinkId.size;

describe('limitLinks', () => {
  it('keeps the links of a normal listing', async () => {
    for (let i = 0; i < 100; i += 1) await print(`${link(`http://box/${i}`)}\r\n`);
    expect(addresses()).toBe(100);
    expect(terminal.markers).toHaveLength(100);
  });

  it.each([
    ['on one line', '\r'],
    ['on a line each', '\r\n'],
  ])('keeps no more than the newest of links without end %s', async (_where, after) => {
    let text = '';
    for (let i = 0; i < LINKS; i += 1) text += link(`http://box/${i}`) + after;
    await print(text);
    expect(addresses()).toBe(LIMIT);
    expect(terminal.markers).toHaveLength(LIMIT);
  });

  it('limits the lines of a single link that is never closed, with a name and without', async () => {
    await print(`\x1b]8;;http://box/\x07${'x\r\n'.repeat(LINKS)}`);
    expect(terminal.markers.length).toBeLessThanOrEqual(LIMIT);
    await print(`\x1b]8;id=a;http://box/\x07${'x\r\n'.repeat(LINKS)}`);
    expect(terminal.markers.length).toBeLessThanOrEqual(LIMIT);
  });

  it('forgets what scrolled out, so that new links are not counted against it', async () => {
    for (let i = 0; i < 400; i += 1) await print(`${link(`http://old/${i}`)}\r\n`);
    await print('plain\r\n'.repeat(6000));
    expect(addresses()).toBe(0);
    for (let i = 0; i < 400; i += 1) await print(`${link(`http://new/${i}`)}\r\n`);
    expect(addresses()).toBe(400);
  });
});
