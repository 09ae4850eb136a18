import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Question } from '../../shared/questions/question.ts';
import { ok } from '../../shared/result.ts';
import { boxOf, openLoginBench, type LoginBench } from './login.fixture.ts';
import {
  anotherHostKey,
  startLoginServer,
  type LoginScript,
  type LoginServer,
} from './login-server.fixture.ts';
import { openAlongRoute } from './open-route.ts';
import { openConnection } from './ssh-connection.ts';

// An answer goes to who asked for it, and to nobody else: not to another box that asks at the same time, not to who asks later, not
// to another machine at the same address.

let bench: LoginBench;
const servers: LoginServer[] = [];

beforeEach(async () => {
  bench = await openLoginBench();
  vi.stubEnv('HOME', bench.folder); // the usual files of nobody
});
afterEach(async () => {
  await bench.close();
  for (const server of servers.splice(0)) await server.stop();
  vi.unstubAllEnvs();
});

async function serve(...given: Parameters<typeof startLoginServer>): Promise<LoginServer> {
  const server = await startLoginServer(...given);
  servers.push(server);
  return server;
}

const taking =
  (password: string): LoginScript =>
  (context) => {
    if (context.method === 'password' && context.password === password) context.accept();
    else context.reject(['password']);
  };
const sentTo = ({ seen }: LoginServer): readonly string[] =>
  seen.filter((each) => each.startsWith('password:'));
async function questionsOf(...boxIds: readonly string[]): Promise<readonly Question[]> {
  await vi.waitFor(() => {
    expect(bench.open().map(({ boxId }) => boxId)).toEqual(expect.arrayContaining([...boxIds]));
    expect(bench.open()).toHaveLength(boxIds.length);
  });
  return boxIds.map((id) => bench.open().find(({ boxId }) => boxId === id)!);
}

describe('of two boxes that ask at once', () => {
  it('each gets its own answer, whichever comes first, and neither shows the other’s', async () => {
    const [a, b] = [await serve(taking('for-a')), await serve(taking('for-b'))];
    const toA = bench.connect(a.port, { boxId: 'a' });
    const toB = bench.connect(b.port, { boxId: 'b' });
    const [ofA, ofB] = await questionsOf('a', 'b');
    bench.questions.answer(ofB!.id, ['for-b'], true);
    expect((await toB).ok).toBe(true);
    expect(bench.open()).toEqual([ofA]);
    bench.questions.answer(ofA!.id, ['for-a'], true);
    expect((await toA).ok).toBe(true);
    await bench.kept();
    expect([sentTo(a), sentTo(b)]).toEqual([['password:for-a'], ['password:for-b']]);
    expect(JSON.stringify(bench.asked)).not.toMatch(/for-[ab]/);
    // Kept apart, too.
    expect([...bench.secrets.names()].sort()).toEqual(['password:a', 'password:b']);
    expect((await bench.connect(a.port, { boxId: 'a' })).ok).toBe(true);
    expect((await bench.connect(b.port, { boxId: 'b' })).ok).toBe(true);
    expect([sentTo(a).at(-1), sentTo(b).at(-1)]).toEqual(['password:for-a', 'password:for-b']);
    expect(bench.asked).toHaveLength(2);
  });

  it('one that goes takes its question along, and a late answer goes to nobody', async () => {
    const [a, b] = [await serve(taking('for-a')), await serve(taking('for-b'))];
    const stopper = new AbortController();
    const toA = bench.connect(a.port, { boxId: 'a', signal: stopper.signal });
    const toB = bench.connect(b.port, { boxId: 'b' });
    const [ofA, ofB] = await questionsOf('a', 'b');
    stopper.abort();
    expect(await toA).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(bench.questions.answer(ofA!.id, ['for-a'], true)).toMatchObject({
      error: { code: 'question-gone' },
    });
    expect(bench.open()).toEqual([ofB]);
    bench.questions.answer(ofB!.id, ['for-b'], false);
    expect((await toB).ok).toBe(true);
    expect([sentTo(a), sentTo(b)]).toEqual([[], ['password:for-b']]);
    expect(bench.persons.remembered()).toEqual(['password:b']);
  });

  it('none gets what is answered to a made-up question, or a second answer to the same', async () => {
    const [a, b] = [await serve(taking('for-a')), await serve(taking('for-b'))];
    const toA = bench.connect(a.port, { boxId: 'a' });
    const toB = bench.connect(b.port, { boxId: 'b' });
    const [ofA, ofB] = await questionsOf('a', 'b');
    for (const id of [randomUUID(), '', 'a', 'b']) {
      expect(bench.questions.answer(id, ['stray'], false)).toMatchObject({ ok: false });
    }
    bench.questions.answer(ofA!.id, ['for-a'], false);
    expect(bench.questions.answer(ofA!.id, ['for-b'], false)).toMatchObject({ ok: false });
    expect((await toA).ok).toBe(true);
    expect(bench.open()).toEqual([ofB]);
    bench.questions.dismiss(ofB!.id);
    expect((await toB).ok).toBe(false);
    expect([sentTo(a), sentTo(b)]).toEqual([['password:for-a'], []]);
  });
});

describe('a box that is dialled anew while it asks', () => {
  it('at another address: the answer to what the first one asked does not reach it', async () => {
    const [before, after] = [await serve(taking('pw')), await serve(taking('pw'))];
    const stopper = new AbortController();
    const first = bench.connect(before.port, { signal: stopper.signal });
    const [asked] = await questionsOf('b1');
    stopper.abort(); // as an edit of the address does
    await first;
    const second = bench.connect(after.port);
    const [askedNow] = await questionsOf('b1');
    expect(bench.questions.answer(asked!.id, ['pw'], true)).toMatchObject({ ok: false });
    expect(bench.open()).toEqual([askedNow]);
    bench.questions.dismiss(askedNow!.id);
    await second;
    expect([sentTo(before), sentTo(after)]).toEqual([[], []]);
    expect(bench.persons.remembered()).toEqual([]);
  });
});

/** A jump host: connects to wherever it is asked to. */
const leading =
  (password: string): LoginScript =>
  (context, server) => {
    const client = context.method === 'none' ? [...server.open].at(-1) : undefined;
    client?.on('tcpip', (accept, _reject, { destPort }) => {
      const socket = connect(destPort, '127.0.0.1').on('error', () => undefined);
      const channel = accept().on('error', () => undefined);
      socket.pipe(channel).pipe(socket);
    });
    taking(password)(context, server);
  };

it('a jump host and the box behind it each get their own, though both ask where the box is shown', async () => {
  const [gate, inner] = [await serve(leading('for-gate')), await serve(taking('for-box'))];
  const hop = {
    address: { host: '127.0.0.1', port: gate.port, user: 'guest' },
    identityFile: null,
  };
  const box = boxOf(inner.port, { route: { kind: 'jumps', hops: [hop] } });
  const { signal } = new AbortController();
  const dial = (): ReturnType<typeof openAlongRoute> =>
    openAlongRoute(box, {
      proxyPassword: () => ok(null),
      logIn: async ({ box: machine }, openWay) =>
        openConnection({
          address: machine.address,
          openWay,
          credentials: [{ kind: 'person', person: bench.persons.forMachine(machine, box) }],
          judgeHostKey: () => 'accept',
          signal,
        }),
    });
  bench.reply = ({ account }) => [account === 'guest@127.0.0.1' ? 'for-gate' : 'for-box'];
  for (let time = 0; time < 2; time += 1) {
    const opened = await dial();
    if (!opened.ok) throw new Error(opened.error.message);
    opened.value.close();
    await opened.value.closed;
  }
  // The second time nobody is asked, and each still gets its own.
  expect(bench.asked.map(({ boxId, boxName, account }) => [boxId, boxName, account])).toEqual([
    ['b1', 'the jump host 127.0.0.1', 'guest@127.0.0.1'],
    ['b1', 'train-a', 'root@127.0.0.1'],
  ]);
  expect(sentTo(gate)).toEqual(['password:for-gate', 'password:for-gate']);
  expect(sentTo(inner)).toEqual(['password:for-box', 'password:for-box']);
});

describe('what was typed for a machine that hung up', () => {
  it('is not taken to be the password of another one there, which let in without', async () => {
    const before = await serve(taking('pw'));
    const connecting = bench.connect(before.port);
    const [asked] = await questionsOf('b1');
    await before.stop();
    await vi.waitFor(() => expect(bench.open()[0]?.isLoginLost).toBe(true));
    let isOpen = true;
    const after = await serve(
      (context) => (isOpen ? context.accept() : context.reject(['password'])),
      undefined,
      { hostKey: anotherHostKey(), port: before.port },
    );
    bench.questions.answer(asked!.id, ['pw'], true);
    expect((await connecting).ok).toBe(true);
    await bench.kept();
    expect([bench.persons.remembered(), bench.secrets.names()]).toEqual([[], []]);
    isOpen = false;
    bench.reply = () => 'dismiss';
    await bench.connect(after.port);
    expect(sentTo(after)).toEqual([]);
  });

  it('is not sent to another one there, which asks for the same', async () => {
    const before = await serve(taking('pw'));
    const connecting = bench.connect(before.port);
    const [asked] = await questionsOf('b1');
    await before.stop();
    await vi.waitFor(() => expect(bench.open()[0]?.isLoginLost).toBe(true));
    const after = await serve(taking('pw'), undefined, {
      hostKey: anotherHostKey(),
      port: before.port,
    });
    bench.reply = () => 'dismiss';
    bench.questions.answer(asked!.id, ['pw'], true);
    expect(await connecting).toMatchObject({ ok: false, error: { code: 'question-dismissed' } });
    expect(bench.asked).toHaveLength(2);
    expect(sentTo(after)).toEqual([]);
  });

  it('goes to the very machine that asked, once it is back', async () => {
    const before = await serve(taking('pw'));
    const connecting = bench.connect(before.port);
    const [asked] = await questionsOf('b1');
    await before.stop();
    await vi.waitFor(() => expect(bench.open()[0]?.isLoginLost).toBe(true));
    const after = await serve(taking('pw'), undefined, { port: before.port });
    bench.questions.answer(asked!.id, ['pw'], false);
    expect((await connecting).ok).toBe(true);
    expect(sentTo(after)).toEqual(['password:pw']);
    expect(bench.persons.remembered()).toEqual(['password:b1']);
  });
});

it('a password that was refused is not remembered because of what let in after it', async () => {
  const server = await serve((context) => {
    if (context.method === 'keyboard-interactive') {
      context.prompt([{ prompt: 'Code:', echo: false }], () => context.accept());
    } else if (context.method === 'password') context.reject(['keyboard-interactive']);
    else context.reject(['password']);
  });
  bench.reply = ({ prompts }) => [prompts[0]?.text === 'Code:' ? '123456' : 'wrong'];
  bench.isToBeKept = true;
  expect((await bench.connect(server.port)).ok).toBe(true);
  await bench.kept();
  expect([bench.persons.remembered(), bench.secrets.names()]).toEqual([[], []]);
});

describe('a password that was refused before a key let in', () => {
  const keyAfter: LoginScript = (context) => {
    if (context.method === 'publickey') context.accept();
    else context.reject([context.method === 'password' ? 'publickey' : 'password']);
  };
  const connectWithKey = (port: number): ReturnType<LoginBench['connect']> =>
    bench.connect(port, { login: { identityFiles: [bench.makeKey('mine')] } });

  it('is not remembered', async () => {
    const server = await serve(keyAfter);
    bench.reply = () => ['wrong'];
    bench.isToBeKept = true;
    expect((await connectWithKey(server.port)).ok).toBe(true);
    await bench.kept();
    expect(bench.ways).toEqual(['key']);
    expect([bench.persons.remembered(), bench.secrets.names()]).toEqual([[], []]);
  });

  it('does not take the place of the one that is kept, nor has it forgotten', async () => {
    let isKeyed = false;
    const server = await serve((context, handle) => {
      const isKept = context.method === 'password' && context.password === 'pw';
      if (!isKeyed) taking('pw')(context, handle);
      // The kept one no longer does either, so that somebody is asked.
      else if (isKept) context.reject(['password']);
      else keyAfter(context, handle);
    });
    bench.reply = () => ['pw'];
    bench.isToBeKept = true;
    expect((await bench.connect(server.port)).ok).toBe(true);
    await bench.kept();
    const kept = bench.secrets.names();
    expect(kept).toEqual(['password:b1']);
    isKeyed = true;
    bench.reply = () => ['wrong'];
    bench.isToBeKept = false;
    expect((await connectWithKey(server.port)).ok).toBe(true);
    await bench.kept();
    expect(sentTo(server)).toEqual(['password:pw', 'password:pw', 'password:wrong']);
    expect(bench.secrets.names()).toEqual(kept);
  });
});

it('a password that was typed and never sent is not remembered because of a key that let in', async () => {
  let isFirst = true;
  const server = await serve((context) => {
    if (context.method === 'publickey') {
      if (isFirst) context.reject(['password']);
      else context.accept();
    } else context.reject([isFirst ? 'password' : 'publickey']);
  });
  const connecting = bench.connect(server.port, {
    login: { identityFiles: [bench.makeKey('mine')] },
  });
  const [asked] = await questionsOf('b1');
  isFirst = false;
  server.hangUp();
  await vi.waitFor(() => expect(bench.open()[0]?.isLoginLost).toBe(true));
  bench.questions.answer(asked!.id, ['wrong'], true);
  expect((await connecting).ok).toBe(true);
  await bench.kept();
  expect(sentTo(server)).toEqual([]);
  expect([bench.persons.remembered(), bench.secrets.names()]).toEqual([[], []]);
});

describe('a password that was taken is remembered', () => {
  beforeEach(() => {
    bench.reply = ({ prompts }) => [prompts[0]?.text === 'Code:' ? '123456' : 'pw'];
    bench.isToBeKept = true;
  });
  async function expectKept({ port }: LoginServer): Promise<void> {
    expect((await bench.connect(port)).ok).toBe(true);
    await bench.kept();
    const names = ['password:b1'];
    expect([bench.persons.remembered(), bench.secrets.names()]).toEqual([names, names]);
  }

  it('where the server wanted a code besides', async () => {
    const server = await serve((context) => {
      if (context.method === 'keyboard-interactive') {
        context.prompt([{ prompt: 'Code:', echo: false }], () => context.accept());
      } else if (context.method === 'password') context.reject(['keyboard-interactive'], true);
      else context.reject(['password']);
    });
    await expectKept(server);
  });

  it('though a code after it was mistyped, and both were asked for anew', async () => {
    let codes = 0;
    const server = await serve((context) => {
      if (context.method !== 'keyboard-interactive') {
        context.reject(['keyboard-interactive']);
        return;
      }
      context.prompt([{ prompt: 'Password:', echo: false }], () => {
        context.prompt([{ prompt: 'Code:', echo: false }], () => {
          codes += 1;
          if (codes > 1) context.accept();
          else context.reject(['keyboard-interactive']);
        });
      });
    });
    await expectKept(server);
    expect(codes).toBe(2);
  });
});
