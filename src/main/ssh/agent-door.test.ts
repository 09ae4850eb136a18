import { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentUse } from '../../shared/terminal/terminal.ts';
import { AgentDoor } from './agent-door.ts';
import { field } from './wire-fields.ts';

const message = (...body: readonly (number | Buffer)[]): Buffer =>
  field(Buffer.concat(body.map((part) => (typeof part === 'number' ? Buffer.of(part) : part))));

const LIST = message(11);
const SIGN = message(13, field('key'), field('data'), Buffer.alloc(4));
const SIGNED = message(14, field('signature'));
const FAILURE = message(5);
const BINDING = message(27, field('session-bind@openssh.com'), field('the box'), Buffer.of(1));

describe('the door of a lent agent', () => {
  let asked: Buffer[];
  let agent: Duplex;
  let uses: AgentUse[];
  let door: AgentDoor;
  let heard: Buffer;

  beforeEach(() => {
    asked = [];
    uses = [];
    heard = Buffer.alloc(0);
    agent = new Duplex({
      read: () => undefined,
      write: (bytes: Buffer, _encoding, done) => {
        asked.push(bytes);
        done();
      },
    });
    door = new AgentDoor(agent, BINDING, (use) => uses.push(use));
  });
  /** The agent's answer to what it is told first; most tests look at what comes then. */
  const bind = async (answer = FAILURE): Promise<void> => {
    expect(asked.splice(0)).toEqual([BINDING]);
    agent.push(answer);
    await settle();
  };
  afterEach(() => void door.destroy());

  const listen = (): void =>
    void door.on('data', (bytes: Buffer) => (heard = Buffer.concat([heard, bytes])));
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it.each([
    ['add a key', message(17, Buffer.alloc(40))],
    ['add a constrained key', message(25, Buffer.alloc(40))],
    ['remove a key', message(18, field('key'))],
    ['remove all keys', message(19)],
    ['remove all keys of the first protocol', message(9)],
    ['load a library', message(20, field('/tmp/evil.so'))],
    ['load a constrained library', message(26, field('/tmp/evil.so'))],
    ['lock', message(22, field('x'))],
    ['unlock', message(23, field('x'))],
    ['name its extensions', message(27, field('query'))],
    ['use another extension', message(27, field('session-bind@openssh.com.evil'))],
    ['do what nobody knows', message(200)],
    ['list keys with something behind it', message(11, 0)],
  ])('does not let a box %s', async (_what, request) => {
    await bind();
    listen();
    door.write(request);
    await settle();
    expect(asked).toEqual([]);
    expect(heard).toEqual(FAILURE);
    expect(uses).toEqual(['denied']);
  });

  it('closes where the agent says more than it was told', async () => {
    await bind(Buffer.concat([FAILURE, SIGNED]));
    expect(door.destroyed).toBe(true);
  });

  it('lets a box list the keys, sign, and bind its session', async () => {
    await bind();
    listen();
    const binds = message(27, field('session-bind@openssh.com'), field('host key'), Buffer.of(0));
    for (const [request, answer] of [
      [LIST, message(12, Buffer.alloc(4))],
      [binds, message(6)],
      [SIGN, SIGNED],
      [SIGN, FAILURE],
    ] as const) {
      door.write(request);
      await settle();
      expect(asked.at(-1)).toEqual(request);
      heard = Buffer.alloc(0);
      agent.push(answer);
      await settle();
      expect(heard).toEqual(answer);
    }
    expect(uses).toEqual(['signed']);
  });

  it.each([
    ['takes the binding', message(6)],
    ['knows no bindings', FAILURE],
  ])('hands on what a box asks only after an agent that %s has answered', async (_what, answer) => {
    listen();
    door.write(LIST);
    await settle();
    expect(asked).toEqual([BINDING]);
    asked = [];
    agent.push(answer.subarray(0, 3));
    agent.push(answer.subarray(3));
    await settle();
    expect(asked).toEqual([LIST]);
    // The box hears nothing of it: it did not ask.
    expect(heard).toEqual(Buffer.alloc(0));
  });

  it('answers in the order of asking, however the bytes are cut', async () => {
    await bind();
    listen();
    const stream = Buffer.concat([LIST, message(19), SIGN]);
    for (const byte of stream) door.write(Buffer.of(byte));
    await settle();
    expect(asked).toEqual([LIST]);
    agent.push(LIST.subarray(0, 2));
    agent.push(LIST.subarray(2));
    await vi.waitFor(() => expect(asked).toEqual([LIST, SIGN]));
    agent.push(SIGNED);
    await settle();
    expect(heard).toEqual(Buffer.concat([LIST, FAILURE, SIGNED]));
  });

  it.each([
    ['a request that is too long', [field(Buffer.alloc(0)), Buffer.from([255, 255, 255, 255, 11])]],
    ['more refused requests than a tool makes', Array.from({ length: 17 }, () => message(19))],
  ])('hangs up on %s', async (_what, requests) => {
    await bind();
    listen();
    for (const request of requests) door.write(request);
    await settle();
    expect(door.destroyed).toBe(true);
    expect(agent.destroyed).toBe(true);
    expect(asked).toEqual([]);
  });

  it.each([
    ['an answer that nobody asked for', [] as readonly Buffer[], SIGNED],
    ['two answers to one request', [LIST], Buffer.concat([LIST, LIST])],
    ['an endless answer', [LIST], Buffer.from([127, 0, 0, 0])],
  ])('hangs up on %s', async (_what, requests, answer) => {
    await bind();
    listen();
    for (const request of requests) door.write(request);
    await settle();
    agent.push(answer);
    await settle();
    expect(door.destroyed).toBe(true);
    expect(agent.destroyed).toBe(true);
    expect(heard).toEqual(Buffer.alloc(0));
  });

  it('judges an answer once all of it is there', async () => {
    await bind();
    agent.push(SIGNED.subarray(0, 3));
    await settle();
    expect(door.destroyed).toBe(false);
    agent.push(SIGNED.subarray(3));
    await settle();
    expect(door.destroyed).toBe(true);
  });

  it('ends where the agent claims an answer that no agent gives, however many bytes of it came', async () => {
    await bind(Buffer.from('ffffffff00000000', 'hex'));
    expect(door.destroyed).toBe(true);
    expect(agent.destroyed).toBe(true);
  });

  it('asks the agent nothing more while the box does not read the answers', async () => {
    await bind();
    const answer = message(12, Buffer.alloc(200_000));
    for (let i = 0; i < 20; i += 1) door.write(LIST);
    for (let i = 0; i < 20; i += 1) {
      if (asked.length > i) agent.push(answer);
      await settle();
    }
    expect(asked).toHaveLength(1);
    door.resume();
    await vi.waitFor(() => expect(asked).toHaveLength(2));
  });

  it('ends when either side does, and leaves nothing', async () => {
    await bind();
    listen();
    const ended = new Promise((resolve) => door.once('end', resolve));
    agent.push(null);
    await ended;
    door.destroy();
    expect(agent.destroyed).toBe(true);
  });
});
