import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkState } from '../../shared/boxes/box.ts';
import type { Route } from '../../shared/boxes/route.ts';
import { DIRECT } from '../../shared/boxes/usual-way.ts';
import type { TerminalTarget } from '../../shared/terminal/terminal.ts';
import { silentLog } from '../demo/demo-box.fixture.ts';
import type { Link } from '../ssh/link.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { startTcpProxy, type TcpProxy } from '../ssh/tcp-proxy.fixture.ts';
import { trustingLink } from '../ssh/trusting-link.fixture.ts';
import { fakeWindowPort, lastState, type FakeWindowPort } from './port.fixture.ts';
import { Terminals } from './terminals.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

describe.skipIf(!hasSshd || !hasTmux || process.platform === 'win32')('a terminal', () => {
  let box: TestSshd;
  let gate: TestSshd;
  /** In front of whatever is dialled first. */
  let network: TcpProxy;
  let folder: string;
  let link: Link | null = null;
  let terminals: Terminals;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'leasehold-tmux-'));
    [box, gate] = await Promise.all([
      // A home of its own: what this machine's user has in a shell's start-up files is nobody's test.
      startSshd({ home: folder }),
      startSshd(),
    ]);
  });
  beforeEach(() => {
    vi.stubEnv('SHELL', '/bin/sh');
    terminals = new Terminals({
      roster: { connectionOf: () => link?.connection ?? null },
      log: silentLog,
    });
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
    terminals.dispose();
    link?.disconnect();
    link = null;
    await network.stop();
    spawnSync('tmux', ['kill-server'], { env: { ...process.env, TMUX_TMPDIR: folder, TMUX: '' } });
  });
  afterAll(async () => {
    await Promise.all([box.stop(), gate.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const straight = (): Route => DIRECT;
  const ROUTES: readonly [string, () => number, (port: number) => Route][] = [
    ['straight to the box', () => box.port, straight],
    [
      'over a jump host',
      () => gate.port,
      (port) => ({
        kind: 'jumps',
        hops: [{ address: { host: '127.0.0.1', port, user: gate.user }, identityFile: null }],
      }),
    ],
    [
      'over a ProxyCommand',
      () => gate.port,
      (port) => ({
        kind: 'command',
        command: `ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -i ${gate.keyFile} -p ${port} -W %h:%p %r@127.0.0.1`,
      }),
    ],
  ];

  const linkChanged = ({ kind }: LinkState): void => {
    if (kind === 'up') terminals.linkIsUp('b1');
  };

  async function connect(target: () => number, route: (port: number) => Route) {
    network = await startTcpProxy(target());
    const made = trustingLink({
      sshd: box,
      gates: [gate],
      port: route === straight ? network.port : box.port,
      route: route(network.port),
      onChange: linkChanged,
    });
    link = made.link;
    await made.connect();
    return made;
  }

  async function open(target: TerminalTarget): Promise<FakeWindowPort> {
    const port = fakeWindowPort();
    const request = { terminalId: randomUUID(), boxId: 'b1', target, size: { cols: 80, rows: 24 } };
    const opened = await terminals.open(request, 1, () => port);
    if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.detail ?? ''}`);
    return port;
  }

  const states = ({ news }: FakeWindowPort): readonly unknown[] =>
    news.flatMap((each) => (each.kind === 'state' ? [each.state] : []));

  describe.each(ROUTES)('%s', (_where, target, route) => {
    it('says that its link was lost, and attaches by itself when it is back', async () => {
      await connect(target, route);
      const port = await open({ kind: 'new-tmux', name: 'work' });
      const shell = await open({ kind: 'shell' });
      port.send({ kind: 'input', text: 'MARK=still-here; echo set-$((1+1))\r' });
      await port.until(({ text }) => text.includes('set-2'));
      network.cut();
      await port.until((each) => states(each).length === 4);
      expect(states(port)).toEqual([
        { kind: 'live' },
        { kind: 'lost' },
        { kind: 'opening' },
        { kind: 'live' },
      ]);
      expect(lastState(shell)).toEqual({ kind: 'ended', because: 'link-lost' });
      port.send({ kind: 'input', text: 'echo "<$MARK>"\r' });
      await port.until(({ text }) => text.includes('<still-here>'));
    });

    it('is found out as lost on wake where the link is half open', async () => {
      const { link: half, states: linkStates } = await connect(target, route);
      const port = await open({ kind: 'new-tmux', name: 'work' });
      network.freeze(true);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      half.wake();
      const trying = linkStates.next('connecting');
      await vi.advanceTimersByTimeAsync(5000);
      vi.useRealTimers();
      await port.until((each) => (lastState(each) as { kind: string }).kind === 'lost');
      await trying;
      network.freeze(false);
      await port.until((each) => (lastState(each) as { kind: string }).kind === 'live');
    });

    it('says that a program ended, not the link, when it did', async () => {
      const { link: up } = await connect(target, route);
      const port = await open({ kind: 'new-tmux', name: 'work' });
      await port.until(({ text }) => text.includes('\x1b['));
      spawnSync('tmux', ['detach-client', '-s', 'work'], {
        env: { ...process.env, TMUX_TMPDIR: folder, TMUX: '' },
      });
      await port.until((each) => (lastState(each) as { kind: string }).kind === 'ended');
      expect(lastState(port)).toEqual({ kind: 'ended', because: 'exited', code: 0 });
      expect(up.connection?.isGone()).toBe(false);
    });
  });

  it('attaches over a new link that is up before the end of the old one is heard of', async () => {
    const { link: half } = await connect(() => box.port, straight);
    const port = await open({ kind: 'new-tmux', name: 'work' });
    const old = half.connection;
    network.freeze(true);
    // The other end never answers the goodbye, for which it has two seconds: a busy machine may need longer to log in.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    half.disconnect();
    const { link: next, connect: connectAnew } = trustingLink({ sshd: box, onChange: linkChanged });
    link = next;
    await connectAnew();
    expect(lastState(port)).toEqual({ kind: 'live' });
    await vi.advanceTimersByTimeAsync(2000);
    vi.useRealTimers();
    await old?.closed;
    await port.until((each) => states(each).length === 4);
    expect(states(port).slice(1)).toEqual([
      { kind: 'lost' },
      { kind: 'opening' },
      { kind: 'live' },
    ]);
  });
});
