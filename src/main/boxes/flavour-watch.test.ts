import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Catalog } from '../../shared/detectors/alert-words.ts';
import { gatewayAt } from '../../shared/profiles/guess-platform.ts';
import { shippedCatalog } from '../gotchas/gotchas.fixture.ts';
import { shippedProfile } from '../profiles/profiles.fixture.ts';
import { selectFindings, type FindingId } from '../../shared/boxes/flavour/findings.ts';
import { flavourReport } from '../../shared/boxes/flavour/report-schema.ts';
import type { FlavourReport, FlavourState } from '../../shared/boxes/flavour/report.ts';
import { problem } from '../../shared/problem.ts';
import type { Endpoint } from '../../shared/tunnels/tunnel.ts';
import { silentLog, startTestBox } from '../demo/demo-box.fixture.ts';
import { hasDropbear, startDropbear } from '../ssh/dropbear.fixture.ts';
import { flood, startOddServer, type OddServer } from '../ssh/odd-server.fixture.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type SshdOptions } from '../ssh/sshd.fixture.ts';
import { FlavourWatch } from './flavour-watch.ts';

const find = (name: string): string =>
  spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
const HOST = '127.0.0.1';
const ANY_KEY = `-----BEGIN`;

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function connect(
  port: number,
  { user, privateKey }: { readonly user: string; readonly privateKey: string },
): Promise<SshConnection> {
  const result = await openConnection({
    address: { host: HOST, port, user },
    credentials: [{ kind: 'key', privateKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.detail ?? ''}`);
  const connection = result.value;
  cleanups.push(async () => {
    connection.close();
    await connection.closed;
  });
  return connection;
}

interface Watched {
  readonly watch: FlavourWatch;
  readonly states: FlavourState[];
  next(kind: FlavourState['kind']): Promise<FlavourState>;
}

function watchOf(host = HOST, tunnelTargets: readonly Endpoint[] = []): Watched {
  const states: FlavourState[] = [];
  let wake: () => void = () => undefined;
  const watch = new FlavourWatch({
    host,
    gatewayAt: (name) => gatewayAt([shippedProfile('runpod')], name),
    tunnelTargets: () => tunnelTargets,
    log: silentLog,
    onState: (state) => {
      states.push(state);
      wake();
    },
  });
  cleanups.push(() => watch.close());
  const next = async (kind: FlavourState['kind']): Promise<FlavourState> => {
    while (states.at(-1)?.kind !== kind) await new Promise<void>((resolve) => (wake = resolve));
    return states.at(-1) as FlavourState;
  };
  return { watch, states, next };
}

async function look(
  connection: SshConnection,
  host = HOST,
  tunnelTargets: readonly Endpoint[] = [],
): Promise<FlavourReport> {
  const { watch, next } = watchOf(host, tunnelTargets);
  watch.useConnection(connection);
  watch.check();
  const state = await next('known');
  if (state.kind !== 'known') throw new Error(state.kind);
  return flavourReport.parse(state.report);
}

const NO_ENTRIES: Catalog = new Map();
const ids = (report: FlavourReport): FindingId[] =>
  selectFindings(report, NO_ENTRIES).map(({ id }) => id);

describe.skipIf(!hasSshd)('the flavour of a real sshd', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'leasehold-home-'));
    cleanups.push(() => rmSync(home, { recursive: true, force: true }));
  });

  const SFTP = 'Subsystem sftp internal-sftp';

  async function lookAt(
    options: SshdOptions = {},
    tunnelTargets: readonly Endpoint[] = [],
  ): Promise<FlavourReport> {
    const sshd = await startSshd({ home, configLines: [SFTP], ...options });
    cleanups.push(() => sshd.stop());
    return look(await connect(sshd.port, sshd), HOST, tunnelTargets);
  }

  it('is unlimited where nothing is in the way', async () => {
    const report = await lookAt();
    expect(report).toMatchObject({
      commandWay: 'run',
      commands: { answer: 'yes' },
      forcedCommand: { answer: 'no' },
      noise: { answer: 'no' },
      sftp: { answer: 'yes' },
      tunnels: { answer: 'yes' },
      banner: { answer: 'no' },
      terminals: { answer: 'unknown' },
    });
    expect(ids(report)).toEqual([]);
  });

  it('has no SFTP, no tunnels, a banner and a forced command, each by its name', async () => {
    const banner = join(home, 'banner');
    writeFileSync(banner, 'Authorised people only.\n\u001b[31mred\n');
    const report = await lookAt({
      configLines: [
        'AllowTcpForwarding no',
        `Banner ${banner}`,
        'ForceCommand sh -c "$SSH_ORIGINAL_COMMAND"',
      ],
    });
    expect(ids(report)).toEqual(['no-sftp', 'no-tunnels', 'forced-command', 'banner']);
    expect(report.banner).toEqual({
      answer: 'yes',
      clue: 'Authorised people only.\n[31mred',
    });
  });

  it('allows some tunnels only: one that people want, or one of the box’s own', async () => {
    const usual = await lookAt({ configLines: [SFTP, 'PermitOpen 127.0.0.1:6006'] });
    expect(ids(usual)).toEqual(['some-tunnels']);
    const own = { configLines: [SFTP, 'PermitOpen 127.0.0.1:3'] };
    const report = await lookAt(own, [{ host: '127.0.0.1', port: 3 }]);
    expect(ids(report)).toEqual(['some-tunnels']);
    expect(report.tunnels).toEqual({
      answer: 'yes',
      clue: expect.stringMatching(/^It tried to reach 127\.0\.0\.1:3 when asked, and refused/),
    });
    expect(ids(await lookAt(own))).toEqual(['no-tunnels']);
  });

  it.for([
    ['bash', '.bashrc'],
    ['fish', '.config/fish/config.fish'],
    ['tcsh', '.tcshrc'],
    ['zsh', '.zshenv'],
  ] as const)('is noisy under %s', async ([name, rc], context) => {
    const path = find(name);
    context.skip(path === '', `there is no ${name} here`);
    mkdirSync(join(home, '.config/fish'), { recursive: true });
    writeFileSync(join(home, rc), 'echo "Welcome to the cluster"\n');
    const report = await lookAt({ loginShell: path });
    expect(report.noise).toMatchObject({
      answer: 'yes',
      clue: expect.stringContaining('Welcome to the cluster'),
    });
    expect(report.loginShell).toMatchObject({ answer: 'named', name });
    expect(ids(report)).toContain('noise');
    expect(ids(report).includes('other-shell')).toBe(name === 'fish' || name === 'tcsh');
  });

  it('says that start-up files break the file channel', async () => {
    const script = join(home, 'noisy');
    writeFileSync(script, '#!/bin/sh\necho Welcome to the cluster\n', { mode: 0o755 });
    const report = await lookAt({ configLines: [`Subsystem sftp ${script}`] });
    expect(report).toMatchObject({
      isSftpBroken: true,
      sftp: { answer: 'no', clue: 'Welcome to the cluster' },
    });
    expect(ids(report)).toEqual(['sftp-broken']);
  });

  it('runs no SFTP server where the file is missing', async () => {
    const report = await lookAt({ configLines: ['Subsystem sftp /nowhere/sftp-server'] });
    expect(report).toMatchObject({ isSftpBroken: false, sftp: { answer: 'no' } });
    expect(ids(report)).toEqual(['no-sftp']);
  });

  it.skipIf(find('rbash') === '')('has a restricted shell that lets commands through', async () => {
    const report = await lookAt({ loginShell: find('rbash') });
    // What is forced in place of the login shell here takes the place of internal-sftp too.
    expect(ids(report)).toEqual(['no-sftp', 'restricted-name']);
  });

  it.skipIf(find('rbash') === '')('has a restricted shell that finds no sh', async () => {
    mkdirSync(join(home, 'bin'));
    const report = await lookAt({ loginShell: find('rbash'), path: join(home, 'bin') });
    expect(report.commandWay).toBe('restricted');
    expect(ids(report)).toEqual(['restricted-shell', 'no-sftp']);
  });

  it.each([
    ['echo "This service allows sftp connections only."', 'replaced'],
    ['echo "This account is currently not available."', 'closed'],
    ['echo "Please allocate a PTY."', 'terminal-only'],
    ['exec cat', 'replaced'],
  ])('runs something else: %s', async (forced, way) => {
    const report = await lookAt({ configLines: [SFTP, `ForceCommand ${forced}`] });
    expect(report.commandWay).toBe(way);
    expect(report.bash.answer).toBe('unknown');
    expect(report.loginShell.answer).toBe('unknown');
  });

  it('hands over to another shell in its start-up file', async () => {
    writeFileSync(join(home, '.bashrc'), 'exec sh\n');
    const report = await lookAt({ loginShell: find('bash') });
    expect(report).toMatchObject({ commandWay: 'replaced', commands: { answer: 'no' } });
  });

  it('has BusyBox for a userland, and no bash', async (context) => {
    const busybox = find('busybox');
    context.skip(busybox === '', 'there is no busybox here');
    const bin = join(home, 'bin');
    mkdirSync(bin);
    const applets = spawnSync(busybox, ['--list'], { encoding: 'utf8' }).stdout.trim().split('\n');
    for (const applet of applets) symlinkSync(busybox, join(bin, applet));
    const report = await lookAt({ path: bin });
    expect(report.tools).toMatchObject({ answer: 'named', name: 'BusyBox' });
    expect(ids(report)).toEqual(['small-tools', 'no-bash']);
  });

  it('answers over a server that allows one session at a time', async () => {
    const report = await lookAt({ configLines: [SFTP, 'MaxSessions 1'] });
    expect(ids(report)).toEqual([]);
    expect(report.sftp.answer).toBe('yes');
  });
});

describe.skipIf(!hasDropbear)('the flavour of a real dropbear', () => {
  it('has no SFTP server behind it, no tunnels, and fish in /etc/passwd', async () => {
    const there = find('fish');
    // As /etc/shells has it: dropbear lets nobody in with another.
    const fish = there === '' ? '' : realpathSync(there);
    const server = await startDropbear({
      args: ['-j', '-k'],
      loginShell: fish === '' ? '/bin/sh' : fish,
      hasSftpServer: false,
    });
    cleanups.push(() => server.stop());
    const report = await look(await connect(server.port, server));
    expect(report.commands.answer).toBe('yes');
    expect(ids(report)).toEqual(['no-sftp', 'no-tunnels', ...(fish === '' ? [] : ['other-shell'])]);
  });
});

describe('the flavour of the demo box', () => {
  it('is that of a box without limits', async () => {
    const box = await startTestBox();
    cleanups.push(() => box.stop());
    const { port, user } = box.address;
    const report = await look(await connect(port, { user, privateKey: box.clientKey }));
    expect(selectFindings(report, NO_ENTRIES).filter(({ weight }) => weight !== 'note')).toEqual(
      [],
    );
    expect(report.commands.answer).toBe('yes');
    expect(report.tunnels.answer).toBe('yes');
  });

  it.each([
    ['noisy-login', 'noise'],
    ['no-sftp', 'no-sftp'],
  ] as const)('names the fault %s, and no more once it is over', async (fault, finding) => {
    const box = await startTestBox();
    cleanups.push(() => box.stop());
    const { port, user } = box.address;
    const connection = await connect(port, { user, privateKey: box.clientKey });
    const found = async (): Promise<readonly FindingId[]> =>
      selectFindings(await look(connection), NO_ENTRIES).map(({ id }) => id);
    expect(await box.setFault(fault, true)).toMatchObject({ ok: true });
    expect(await found()).toContain(finding);
    expect(await box.setFault(fault, false)).toMatchObject({ ok: true });
    expect(await found()).not.toContain(finding);
  });
});

describe('the flavour of a server that is no box', () => {
  let privateKey: string;
  let server: OddServer;
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), 'leasehold-key-'));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, 'key');
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    privateKey = spawnSync('cat', [file], { encoding: 'utf8' }).stdout;
    expect(privateKey).toContain(ANY_KEY);
  });

  async function meet(options: Parameters<typeof startOddServer>[0]): Promise<SshConnection> {
    server = await startOddServer(options);
    cleanups.push(() => server.stop());
    return connect(server.port, { user: 'pod', privateKey });
  }

  it('is named as the gateway it is known to be, with its way out', async () => {
    const connection = await meet({ onShell: (channel) => channel.write('pod:~# ') });
    const report = await look(connection, 'ssh.runpod.io');
    const found = selectFindings(report, shippedCatalog());
    expect(found.map(({ id }) => id)).toEqual(['terminal-only', 'no-sftp', 'no-tunnels']);
    expect(found[0]?.wayOut).toEqual(shippedCatalog().get('RP6')?.fix);
    expect(server.asked).not.toContain('shell');
  });

  it('refuses commands at another address: no more is claimed than was seen', async () => {
    const report = await look(await meet({ onShell: (channel) => channel.write('$ ') }));
    expect(ids(report)).toEqual(['no-commands', 'no-sftp', 'no-tunnels']);
    expect(report.terminals.answer).toBe('unknown');
  });

  it('takes commands, and says that it wants a terminal', async () => {
    const connection = await meet({
      onExec: (channel) => {
        channel.stderr.write('Error: your SSH client does not support PTY\n');
        channel.exit(1);
        channel.end();
      },
    });
    expect(ids(await look(connection))).toEqual(['terminal-only', 'no-sftp', 'no-tunnels']);
  });

  it('refuses every session: unknown, not "no"', async () => {
    const report = await look(await meet({ refusesSessions: true }));
    expect(report).toMatchObject({
      commandWay: 'unknown',
      commands: { answer: 'unknown' },
      sftp: { answer: 'unknown' },
      bash: { answer: 'unknown' },
    });
    // A tunnel is no session: that answer was a clear one.
    expect(ids(report)).toEqual(['no-tunnels']);
  });

  it('closes every session in place of an answer: unknown, not "no"', async () => {
    const report = await look(await meet({ closes: 'session' }));
    expect(report).toMatchObject({
      commandWay: 'unknown',
      commands: { answer: 'unknown' },
      sftp: { answer: 'unknown' },
    });
    expect(ids(report)).toEqual(['no-tunnels']);
  });

  it('lies: repeats the command, greets on the file channel', async () => {
    const report = await look(
      await meet({
        onExec: (channel, command) => {
          channel.write(`${command}\nshell /bin/bash\nbash yes\n`);
          channel.exit(0);
          channel.end();
        },
        onSftp: (channel) => channel.end('Welcome!'),
      }),
    );
    expect(report.commandWay).toBe('replaced');
    expect(report.loginShell.answer).toBe('unknown');
    expect(report).toMatchObject({ isSftpBroken: true, sftp: { clue: 'Welcome!' } });
  });

  it('floods: both channels are closed and nothing grows', async () => {
    const connection = await meet({ onExec: flood, onSftp: flood });
    const report = await look(connection);
    expect(report.commandWay).toBe('replaced');
    expect(report.isSftpBroken).toBe(true);
    expect(JSON.stringify(report).length).toBeLessThan(5000);
    expect(JSON.stringify(report)).not.toContain('\u001b');
    await vi.waitFor(() => expect(server.openSessions()).toBe(0));
  });

  it('never answers: unknown in bounded time, and no channel is left open', async () => {
    const silent = (): void => undefined;
    const connection = await meet({ onExec: silent, onSftp: silent, tunnel: 'silent' });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanups.push(() => void vi.useRealTimers());
    const looking = look(connection);
    let isDone = false;
    void looking.then(() => (isDone = true));
    for (let passedMs = 0; !isDone && passedMs < 60_000; passedMs += 1000) {
      await vi.advanceTimersByTimeAsync(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    const report = await looking;
    expect([report.commands, report.sftp, report.tunnels].map(({ answer }) => answer)).toEqual([
      'unknown',
      'unknown',
      'unknown',
    ]);
    vi.useRealTimers();
    await vi.waitFor(() => expect(server.openSessions()).toBe(0));
  });

  it('goes away in the middle: nothing is concluded', async () => {
    const { watch, states, next } = watchOf();
    const connection = await meet({ onExec: () => void server.stop() });
    watch.useConnection(connection);
    watch.check();
    await connection.closed;
    watch.useConnection(null);
    await next('unknown');
    await new Promise((resolve) => setImmediate(resolve));
    expect(states.map(({ kind }) => kind)).toEqual(['checking', 'unknown']);
  });
});

describe.skipIf(!hasSshd)('when SSH is looked at', () => {
  async function real(): Promise<SshConnection> {
    const sshd = await startSshd({ configLines: ['Subsystem sftp internal-sftp'] });
    cleanups.push(() => sshd.stop());
    return connect(sshd.port, sshd);
  }

  it('waits for the first readings, and for nothing else', async () => {
    const connection = await real();
    const { watch, states, next } = watchOf();
    watch.useConnection(connection);
    watch.readingsAre({ kind: 'starting', sinceMs: 0 });
    expect(states).toEqual([]);
    watch.readingsAre({
      kind: 'failed',
      problem: problem('no-gpu-tool', 'none'),
      sinceMs: 0,
      retryAtMs: null,
    });
    await next('known');
  });

  it('waits no longer than 15 s for them', async () => {
    const connection = await real();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    cleanups.push(() => void vi.useRealTimers());
    const { watch, states } = watchOf();
    watch.useConnection(connection);
    vi.advanceTimersByTime(14_999);
    expect(states).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(states).toEqual([{ kind: 'checking', before: null }]);
    watch.close();
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1); // the command's own bound, ended by the abort below
  });

  it('is not done again after a reconnect, but after a new identity', async () => {
    const connection = await real();
    const { watch, states, next } = watchOf();
    watch.useConnection(connection);
    watch.check();
    await next('known');
    const before = states.length;
    watch.useConnection(null);
    watch.useConnection(connection);
    watch.readingsAre({ kind: 'off' });
    expect(states).toHaveLength(before);
    watch.forget();
    watch.useConnection(connection);
    watch.check();
    expect(states.at(-1)).toEqual({ kind: 'checking', before: null });
    await next('known');
  });

  it('learns about terminals from the ones that people open', async () => {
    const connection = await real();
    const { watch, next } = watchOf();
    watch.useConnection(connection);
    watch.check();
    await next('known');
    watch.terminalWasOpened(null);
    expect(await next('known')).toMatchObject({ report: { terminals: { answer: 'yes' } } });
    watch.terminalWasOpened(problem('terminal-refused', 'no', { detail: 'no pty' }));
    expect(await next('known')).toMatchObject({
      report: { terminals: { answer: 'no', clue: 'no pty' } },
    });
    watch.check();
    expect(await next('known')).toMatchObject({ report: { terminals: { answer: 'no' } } });
  });
});
