import { execFile, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { builtSource } from '../built-source.fixture.ts';
import { useOwnTmp } from '../storage/own-tmp.fixture.ts';
import {
  eventually,
  exec,
  FAST,
  login,
  read,
  silentLog,
  startTestBox,
  TOOLS_FOLDER,
} from './demo-box.fixture.ts';
import { startDemoBox, type DemoBox, type DemoBoxOptions } from './demo-box.ts';
import { findProgram } from './find-program.ts';

// Each start cleans up after boxes that were killed, also after those that a test here is about to look at.
useOwnTmp();

const run = promisify(execFile);
const isLinux = process.platform === 'linux';
const tmux = await findProgram('tmux');

/** Everything that a person might leave running: detached, deaf to TERM and HUP, without environment, in tmux. */
const STUBBORN = [
  'nohup sleep 7001 >/dev/null 2>&1 &',
  'setsid nohup sh -c "sleep 7002; :" >/dev/null 2>&1 &',
  `setsid nohup sh -c 'trap "" HUP TERM INT; sleep 7003; sleep 7003' >/dev/null 2>&1 &`,
  'setsid env -i sleep 7004 >/dev/null 2>&1 &',
  ...(tmux === null ? [] : ['tmux new-session -d -s left "sleep 7005";']),
  'sh -c "kill -STOP \\$\\$; sleep 7006" >/dev/null 2>&1 &',
  'echo started',
].join('\n');

const OPTIONS: DemoBoxOptions = {
  gpuModel: 'L40S',
  gpuCount: 1,
  toolsFolder: TOOLS_FOLDER,
  log: silentLog,
  tuning: FAST,
};

interface BoxFacts {
  readonly root: string;
  readonly marker: string;
}

async function factsOf(box: DemoBox): Promise<BoxFacts> {
  const client = await login(box);
  const [home = '', marker = ''] = (
    await read(client, 'echo "$HOME"; echo "$LEASEHOLD_DEMO_BOX"')
  ).split('\n');
  client.end();
  return { root: dirname(home), marker };
}

/** Processes of a box: by the marker in their environment or by its lifeline among their open files. */
async function processesOf({ root, marker }: BoxFacts): Promise<string[]> {
  if (!isLinux) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const marked = await Promise.all(
    pids.map(async (pid) => {
      if (Number(pid) === process.pid) return false;
      const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
      return environ.includes(marker) || (await openFiles(pid)).includes(join(root, 'lifeline'));
    }),
  );
  return pids.filter((_, place) => marked[place]);
}

async function openFiles(pid: string): Promise<string[]> {
  const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return Promise.all(
    descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  );
}

function isRefused({ address }: DemoBox): Promise<boolean> {
  const socket = connect({ host: address.host, port: address.port });
  return once(socket, 'connect').then(
    () => {
      socket.destroy();
      return false;
    },
    () => true,
  );
}

describe('a demo box', () => {
  it('leaves nothing behind when it stops: no process, no folder, no listener', async () => {
    const box = await startTestBox();
    const facts = await factsOf(box);
    const client = await login(box);
    expect((await exec(client, STUBBORN)).stdout.toString()).toBe('started\n');
    if (isLinux) expect((await processesOf(facts)).length).toBeGreaterThan(8);
    await box.stop();
    expect(await processesOf(facts)).toEqual([]);
    expect(existsSync(facts.root)).toBe(false);
    expect(await isRefused(box)).toBe(true);
    await box.stop(); // a second time does no harm
  });

  it('stops in the middle of a reboot', async () => {
    const box = await startTestBox({ tuning: { ...FAST, rebootMs: 600_000 } });
    const facts = await factsOf(box);
    const rebooted = box.setFault('reboot', true);
    await eventually(
      () => isRefused(box),
      (refused) => refused,
    );
    await box.stop();
    expect(await rebooted).toMatchObject({ ok: true });
    expect(await processesOf(facts)).toEqual([]);
    expect(existsSync(facts.root)).toBe(false);
    expect(await box.setFault('throttle', true)).toMatchObject({ ok: false });
  });

  it('ends with its signal, before and after it has started', async () => {
    const aborted = AbortSignal.abort();
    const never = await startDemoBox({ ...OPTIONS, signal: aborted });
    expect(never).toMatchObject({ ok: false, error: { code: 'aborted' } });
    const ending = new AbortController();
    const box = await startTestBox({ signal: ending.signal });
    const { root } = await factsOf(box);
    ending.abort();
    await eventually(
      () => existsSync(root),
      (isThere) => !isThere,
    );
  });

  it('has results to look at from its first moment', async () => {
    const box = await startTestBox();
    const client = await login(box);
    const files = await read(client, 'cd ~/train/runs/*-1 && find . -type f | sort');
    expect(
      files
        .trim()
        .split('\n')
        .map((name) => name.replace(/tfevents\..*/, 'tfevents')),
    ).toEqual([
      './DONE',
      './checkpoints/best.pt',
      './checkpoints/epoch-0010.pt',
      './checkpoints/epoch-0011.pt',
      './checkpoints/epoch-0012.pt',
      './events.out.tfevents',
      './exit_status',
      './metrics.json',
      './model.safetensors',
      './steps.txt',
      './train.log',
    ]);
    client.end();
    await box.stop();
  });

  it('runs side by side with another', async () => {
    const [one, two] = await Promise.all([startTestBox(), startTestBox({ gpuCount: 8 })]);
    const client = await login(two);
    await one.stop();
    expect((await read(client, 'nvidia-smi -L')).trim().split('\n')).toHaveLength(8);
    client.end();
    await two.stop();
  });

  it('cannot start without its tools, and leaves nothing then either', async () => {
    const started = await startDemoBox({ ...OPTIONS, toolsFolder: join(TOOLS_FOLDER, 'nowhere') });
    expect(started).toMatchObject({ ok: false, error: { code: 'demo-unavailable' } });
    expect(await ownFolders()).toEqual([]);
  });

  it('says plainly that Windows cannot have one', async () => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    const started = await startDemoBox(OPTIONS);
    vi.restoreAllMocks();
    expect(started).toMatchObject({
      ok: false,
      error: { code: 'demo-unavailable', message: expect.stringContaining('Unix shell') as string },
    });
  });
});

/** A process that hosts a demo box and can be killed without harm to the test. */
const HOST = new URL('./demo-box-host.fixture.ts', import.meta.url);

describe('when the app is killed with SIGKILL', () => {
  beforeEach(({ skip }) => skip(!isLinux, 'finding a box’s processes needs /proc'));
  const hosts: ChildProcess[] = [];
  afterEach(() => {
    for (const host of hosts.splice(0)) host.kill('SIGKILL');
  });

  async function startHost(): Promise<{ host: ChildProcess; facts: BoxFacts; sweeper: number }> {
    const host = fork(await builtSource(HOST), [TOOLS_FOLDER]);
    hosts.push(host);
    const [message] = (await once(host, 'message')) as [Pick<DemoBox, 'address' | 'clientKey'>];
    const client = await login(message as DemoBox);
    const [home = '', marker = ''] = (
      await read(client, 'echo "$HOME"; echo "$LEASEHOLD_DEMO_BOX"')
    ).split('\n');
    await exec(client, STUBBORN);
    client.end();
    const { stdout } = await run('ps', ['-eo', 'pid,args']);
    const line = stdout.split('\n').find((text) => text.includes(`sweep.sh ${marker}`)) ?? '';
    return { host, facts: { root: dirname(home), marker }, sweeper: parseInt(line, 10) };
  }

  async function kill(host: ChildProcess): Promise<void> {
    const gone = once(host, 'exit');
    host.kill('SIGKILL');
    await gone;
  }

  it('its sweeper ends everything and removes the folder', async () => {
    const { host, facts } = await startHost();
    expect((await processesOf(facts)).length).toBeGreaterThan(8);
    await kill(host);
    await eventually(
      () => existsSync(facts.root),
      (isThere) => !isThere,
    );
    expect(await processesOf(facts)).toEqual([]);
  });

  it('and its sweeper too: the next start cleans up', async () => {
    const { host, facts, sweeper } = await startHost();
    process.kill(sweeper, 'SIGKILL');
    await kill(host);
    expect((await processesOf(facts)).length).toBeGreaterThan(8);
    const next = await startTestBox();
    await next.stop();
    expect(await processesOf(facts)).toEqual([]);
    expect(existsSync(facts.root)).toBe(false);
  });

  it('a running box is left alone by the next start', async () => {
    const { host, facts } = await startHost();
    const next = await startTestBox();
    await next.stop();
    expect((await processesOf(facts)).length).toBeGreaterThan(8);
    expect(existsSync(facts.root)).toBe(true);
    await kill(host);
    await eventually(
      () => existsSync(facts.root),
      (isThere) => !isThere,
    );
  });
});

it('stops cleanly even when somebody killed its sweeper', async () => {
  const box = await startTestBox();
  const facts = await factsOf(box);
  const { stdout } = await run('ps', ['-eo', 'pid,args']);
  const line = stdout.split('\n').find((text) => text.includes(`sweep.sh ${facts.marker}`)) ?? '';
  process.kill(parseInt(line, 10), 'SIGKILL');
  await box.stop();
  expect(await processesOf(facts)).toEqual([]);
  expect(existsSync(facts.root)).toBe(false);
});

/** Boxes of this very process: others may run on the same machine. */
async function ownFolders(): Promise<string[]> {
  const temp = await realpath(tmpdir());
  const names = (await readdir(temp)).filter((name) => name.startsWith('leasehold-demo-'));
  const owners = await Promise.all(
    names.map((name) => readFile(join(temp, name, 'owner.json'), 'utf8').catch(() => '')),
  );
  return names.filter((_, place) => owners[place]?.includes(`"pid":${process.pid},`));
}
