import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import type { Hop, Route } from '../../shared/boxes/route.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { ok } from '../../shared/result.ts';
import { throughJumpHost } from './jump-way.ts';
import { openLoginBench } from './login.fixture.ts';
import { openAlongRoute } from './open-route.ts';
import { openConnection, type SshConnection } from './ssh-connection.ts';
import { talkInTerminal } from './terminal.fixture.ts';
import { freePort, hasSshd, startSshd, type TestSshd } from './sshd.fixture.ts';

describe.skipIf(!hasSshd)('a route over jump hosts', () => {
  let gate: TestSshd;
  let inner: TestSshd;
  let target: TestSshd;
  let closedGate: TestSshd;
  const opened: SshConnection[] = [];

  beforeAll(async () => {
    [gate, inner, target, closedGate] = await Promise.all([
      startSshd(),
      startSshd(),
      startSshd(),
      startSshd({ configLines: ['AllowTcpForwarding no'] }),
    ]);
  });
  afterEach(async () => {
    for (const connection of opened.splice(0)) {
      connection.close();
      await connection.closed;
    }
  });
  afterAll(() => Promise.all([gate, inner, target, closedGate].map((each) => each.stop())));

  const hopTo = (port: number): Hop => ({
    address: { host: '127.0.0.1', port, user: target.user },
    identityFile: null,
  });

  /** Every login on the way, with the key that belongs to the machine unless another port's is told. */
  async function connect(
    hops: readonly Hop[],
    { port = target.port, keyOf = (to: number) => to, stopper = new AbortController() } = {},
  ) {
    const route: Route = { kind: 'jumps', hops };
    const address = { host: '127.0.0.1', port, user: target.user };
    const box: Box = {
      ...USUAL_WAY,
      id: 'b1',
      name: 'train-a',
      platform: 'generic-ssh',
      address,
      route,
      tags: [],
      addedAtMs: 0,
    };
    const machines: string[] = [];
    const servers = [gate, inner, target, closedGate];
    const serverAt = (at: number) => servers.find((each) => each.port === at) ?? target;
    const result = await openAlongRoute(box, {
      proxyPassword: () => ok(null),
      logIn: async (machine, openWay) => {
        machines.push(machine.box.id);
        const to = machine.box.address;
        const connection = await openConnection({
          address: to,
          openWay,
          credentials: [{ kind: 'key', privateKey: serverAt(keyOf(to.port)).privateKey }],
          judgeHostKey: ({ fingerprint }) =>
            fingerprint === serverAt(to.port).fingerprint ? 'accept' : 'refuse',
          signal: stopper.signal,
        });
        if (connection.ok) opened.push(connection.value);
        return connection;
      },
    });
    return { result, machines };
  }

  it('logs in to each machine through the one before, and checks the key of each', async () => {
    const { result, machines } = await connect([hopTo(gate.port), hopTo(inner.port)]);
    if (!result.ok) throw new Error(result.error.message);
    const [first, second] = [`127.0.0.1:${gate.port}`, `127.0.0.1:${inner.port}`];
    expect(machines).toEqual([`hop:${first}`, `hop:${first}>${second}`, 'b1']);
    // sshd itself says at which port it was reached.
    expect(await result.value.run('echo $SSH_CONNECTION')).toMatchObject({
      value: { stdout: expect.stringMatching(new RegExp(` ${target.port}\n$`)) },
    });
  });

  it('opens a terminal at the end of the way, with its size and its keys', async () => {
    const { result } = await connect([hopTo(gate.port), hopTo(inner.port)]);
    if (!result.ok) throw new Error(result.error.message);
    const { text, status } = await talkInTerminal(result.value);
    expect(text).toMatch(/33 99/);
    expect(status).toMatchObject({ code: 5 });
  });

  it('does not pass off the round trip to the first machine as that to the box', async () => {
    const { result } = await connect([hopTo(gate.port)]);
    expect(result).toMatchObject({ ok: true, value: { latencyMs: null } });
    expect(opened[0]?.latencyMs).toBeGreaterThan(0);
  });

  it('closes every login on the way with the last one', async () => {
    const { result } = await connect([hopTo(gate.port), hopTo(inner.port)]);
    if (!result.ok) throw new Error(result.error.message);
    result.value.close();
    const ended = await Promise.all(opened.map(({ closed }) => closed));
    expect(ended).toHaveLength(3);
  });

  it('says which machine was lost', async () => {
    const { result } = await connect([hopTo(gate.port), hopTo(inner.port)]);
    if (!result.ok) throw new Error(result.error.message);
    // The system's ssh knows nothing of the way.
    expect(await result.value.openFastLane(new AbortController().signal)).toMatchObject({
      error: { code: 'tunnel-not-open' },
    });
    opened[0]?.close();
    expect(await result.value.closed).toMatchObject({
      code: 'link-lost',
      message: expect.stringMatching(/^At the jump host 127.0.0.1 \(\d of 2\): /),
    });
  });

  it.each([
    [
      'does not pass connections on',
      () => connect([hopTo(closedGate.port)]),
      { code: 'jump-refused', reach: 'no-way' },
      /^At the jump host 127.0.0.1: It does not pass connections on to 127.0.0.1 port \d+/,
    ],
    [
      'refuses the key',
      () => connect([hopTo(gate.port), hopTo(inner.port)], { keyOf: () => gate.port }),
      { code: 'auth-refused', reach: 'no-way' },
      /^At the jump host 127.0.0.1 \(2 of 2\): /,
    ],
  ])('names a jump host that %s, and leaves nothing open', async (_what, act, wanted, message) => {
    const { result } = await act();
    expect(result).toMatchObject({
      ok: false,
      error: { ...wanted, message: expect.stringMatching(message) },
    });
    await Promise.all(opened.map(({ closed }) => closed));
  });

  it('tells a box that is not there from a jump host that is not there', async () => {
    const nobody = await freePort();
    const noBox = await connect([hopTo(gate.port)], { port: nobody });
    expect(noBox.result).toMatchObject({
      error: {
        code: 'unreachable',
        message: `At the jump host 127.0.0.1: It cannot reach 127.0.0.1 port ${nobody}.`,
        reach: 'no-answer',
      },
    });
    const noGate = await connect([hopTo(nobody)]);
    expect(noGate.result).toMatchObject({
      error: {
        ...{ code: 'unreachable', message: expect.stringContaining('jump host') },
        reach: 'no-way',
      },
    });
    const noSecond = await connect([hopTo(gate.port), hopTo(nobody)]);
    expect(noSecond.result).toMatchObject({ error: { code: 'unreachable', reach: 'no-way' } });
  });

  it('holds the jump host while a person is asked between two connections to the box', async () => {
    const bench = await openLoginBench();
    const keyFile = bench.makeKey('locked', { passphrase: 'open sesame' });
    const box = await startSshd({ keyFile });
    const carrier = await openConnection({
      address: { host: '127.0.0.1', port: gate.port, user: gate.user },
      credentials: [{ kind: 'key', privateKey: gate.privateKey }],
      judgeHostKey: () => 'accept',
      signal: new AbortController().signal,
    });
    if (!carrier.ok) throw new Error(carrier.error.message);
    opened.push(carrier.value);
    const address = { host: '127.0.0.1', port: box.port, user: box.user };
    const jumpHost = { address, position: 1, count: 1 };
    bench.reply = () => ['open sesame'];
    const openWay = throughJumpHost(carrier.value, jumpHost, address);
    const login = { identityFiles: [keyFile] };
    const inside = await bench.connect(box.port, { login, user: box.user, openWay });
    expect(inside).toMatchObject({ ok: true });
    expect(bench.asked).toHaveLength(1);
    await bench.close();
    await box.stop();
  });

  it('stops half-way when the person does', async () => {
    const stopper = new AbortController();
    const trying = connect([hopTo(gate.port), hopTo(inner.port)], {
      stopper,
      keyOf: (to) => {
        if (to === inner.port) stopper.abort();
        return to;
      },
    });
    expect((await trying).result).toMatchObject({ ok: false, error: { code: 'aborted' } });
    await Promise.all(opened.map(({ closed }) => closed));
  });
});
