import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IPC_TERMINAL_PORT } from '../../../shared/ipc/names.ts';
import type { TerminalRequest } from '../../../shared/terminal/port-requests.ts';
import { cut, listenForPorts, takeLink, type TerminalLink } from './terminal-link.ts';

const KIB = 1024;

describe('a terminal’s link', () => {
  let main: MessagePort;
  let link: TerminalLink;
  let requests: TerminalRequest[];
  let written: { readonly length: number; readonly done: () => void }[];

  beforeEach(async () => {
    // What comes out of a port here is Node's, and jsdom has another one.
    vi.stubGlobal('Uint8Array', Object.getPrototypeOf(Buffer));
    listenForPorts();
    const { port1, port2 } = new MessageChannel();
    main = port1;
    requests = [];
    written = [];
    main.onmessage = ({ data }: MessageEvent<TerminalRequest>) => requests.push(data);
    const data = { kind: IPC_TERMINAL_PORT, terminalId: 't' };
    window.dispatchEvent(new MessageEvent('message', { data, source: window, ports: [port2] }));
    link = await takeLink('t', {
      onBytes: ({ length }, done) => void written.push({ length, done }),
      onNews: () => undefined,
    });
  });
  afterEach(() => {
    link.close();
    main.close();
    vi.unstubAllGlobals();
  });

  /** Main sends a message, and xterm has parsed it. */
  async function parse(bytes: number): Promise<void> {
    const before = written.length;
    main.postMessage(new Uint8Array(bytes));
    while (written.length === before) await new Promise(setImmediate);
    written.at(-1)?.done();
  }

  /** What the window sends arrives in order: all before this is there. */
  async function acknowledged(): Promise<readonly number[]> {
    link.send('input', '.');
    while (!requests.some(({ kind }) => kind === 'input')) await new Promise(setImmediate);
    return requests.splice(0).flatMap((each) => (each.kind === 'ack' ? [each.bytes] : []));
  }

  it('answers for the messages of a flood together', async () => {
    for (let i = 0; i < 4; i += 1) await parse(60 * KIB);
    expect(await acknowledged()).toEqual([120 * KIB, 120 * KIB]);
  });

  it('answers at once what no other message follows, and for all before it', async () => {
    await parse(3);
    expect(await acknowledged()).toEqual([3]);
    await parse(60 * KIB);
    expect(await acknowledged()).toEqual([]);
    await parse(5);
    expect(await acknowledged()).toEqual([60 * KIB + 5]);
    // As long as a whole one nearly: nothing need follow it.
    await parse(60 * KIB - 1);
    expect(await acknowledged()).toEqual([60 * KIB - 1]);
  });

  it('answers nothing that xterm has not parsed', async () => {
    main.postMessage(new Uint8Array(3));
    while (written.length === 0) await new Promise(setImmediate);
    expect(await acknowledged()).toEqual([]);
  });

  it('cuts input into pieces that main accepts, never through a character', () => {
    const parts = cut(`${'x'.repeat(16 * KIB - 1)}😀y`);
    expect(parts.map(({ length }) => length)).toEqual([16 * KIB - 1, 3]);
  });
});
