import { expect, it } from 'vitest';
import { CRASH_URL, INDEX_URL } from './app-url.ts';
import { identifySender, type MessageOrigin, type OwnWindow } from './sender.ts';

const mainFrame = { url: INDEX_URL };
const contents = (id: number, main = mainFrame) => ({ id, mainFrame: main });
const ours: OwnWindow = { isDestroyed: () => false, webContents: contents(7) };

const isTrusted = (origin: MessageOrigin, window: OwnWindow | null = ours): boolean =>
  identifySender(origin, window).isTrusted;

// No page of ours can be made to hold a frame with preload in it, so these origins are built here.
it('trusts our page in the main frame of our window, and nothing that lacks one of the three', () => {
  expect(isTrusted({ sender: contents(7), senderFrame: mainFrame })).toBe(true);
  expect(isTrusted({ sender: contents(7), senderFrame: { url: INDEX_URL } })).toBe(false); // a frame in it
  expect(isTrusted({ sender: contents(8), senderFrame: mainFrame })).toBe(false);
  for (const url of ['about:blank', 'file:///index.html', 'https://app/index.html', '']) {
    const foreign = { url };
    expect(isTrusted({ sender: contents(7, foreign), senderFrame: foreign })).toBe(false);
  }
});

it('trusts nobody while there is no window, or no frame any more', () => {
  const origin = { sender: contents(7), senderFrame: mainFrame };
  expect(isTrusted(origin, null)).toBe(false);
  expect(isTrusted(origin, { ...ours, isDestroyed: () => true })).toBe(false);
  expect(isTrusted({ sender: contents(7), senderFrame: null })).toBe(false);
});

it('names the sender and its address for the log', () => {
  const crash = { url: CRASH_URL };
  expect(identifySender({ sender: contents(7, crash), senderFrame: crash }, ours)).toEqual({
    clientId: 7,
    isTrusted: true,
    url: CRASH_URL,
  });
});
