import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { killServer, markCalls } from '../ssh/killed-server.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { freePort, hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { findServices, startTensorboard, stopTensorboard } from './tensorboard.ts';
import { makeHome, TENSORBOARD_PROGRAM, type TestHome } from './tensorboard.fixture.ts';
import { connectTo } from './tunnels.fixture.ts';

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));

describe.skipIf(!hasSshd || process.platform !== 'linux')(
  'a TensorBoard whose start or end nobody heard of',
  () => {
    let home: TestHome;
    let sshd: TestSshd;
    let connection: SshConnection;
    let port: number;

    async function setUp(options = {}): Promise<void> {
      home = makeHome(options);
      home.addRun('runs/a');
      sshd = await startSshd(home.place);
      connection = await connectTo(sshd.port, sshd);
      port = await freePort();
    }

    afterEach(async () => {
      for (const { pid } of await ours()) process.kill(pid, 'SIGKILL');
      connection.close();
      await connection.closed;
      // The connection over which the box was asked again is gone too.
      await vi.waitFor(() => expect(sshd.connections()).toBe(0));
      await sshd.stop();
      home.remove();
    });

    async function reconnect(): Promise<void> {
      connection.close();
      connection = await connectTo(sshd.port, sshd);
    }
    /** As somebody sees it who asks anew. */
    async function ours() {
      await reconnect();
      const found = await findServices(connection, onboxScripts);
      if (!found.ok) throw new Error(found.error.message);
      return found.value.tensorboards.filter(({ isOurs }) => isOurs);
    }
    const records = (): readonly string[] =>
      readdirSync(join(home.home, '.local/state/leasehold/tensorboard')).sort();
    const start = () =>
      startTensorboard(connection, onboxScripts, { logdir: join(home.home, 'runs'), port, pause });
    async function running(): Promise<number> {
      const started = await start();
      if (!started.ok) throw new Error(started.error.detail ?? started.error.message);
      const [first] = await ours();
      if (first === undefined) throw new Error('it does not run');
      return first.pid;
    }

    it('is seen while the box still finds out whether it is installed', async () => {
      // No program of that name: the module is looked for, which takes as long as the test wants it to.
      await setUp({ hasTensorboard: false });
      const looked = markCalls(home.home, 'head', '.starting', 8);
      const python = `#!/bin/sh
case "$*" in *"import tensorboard"*)
  cut x
  while [ ! -f ${looked} ]; do sleep 0.05; done
  exit 0 ;;
esac
shift 2
exec ${join(home.home, 'tensorboard')} "$@"
`;
      home.addProgram('bin/python3', python);
      home.addProgram('tensorboard', TENSORBOARD_PROGRAM);
      killServer(home.home, 'instead', 'cut', 'x');
      expect(await start()).toEqual({ ok: true, value: null });
      expect(existsSync(looked)).toBe(true);
      expect(await ours()).toMatchObject([{ ports: [port], isOurs: true }]);
      expect(records()).toEqual([`${port}.log`, `${port}.pid`]);
    });

    it('is not taken for started where the box never came to it', async () => {
      await setUp();
      killServer(home.home, 'instead', 'mkdir', 'leasehold/tensorboard');
      const started = await start();
      if (started.ok) throw new Error('it cannot have started');
      expect(started.error.code).toBe('command-unknown');
      expect(started.error.message).toContain(`on port ${port} of the box was not found`);
      expect(await ours()).toEqual([]);
    });

    it('is named as ended where it has ended since, with what it said', async () => {
      await setUp();
      home.addProgram('bin/tensorboard', '#!/bin/sh\necho "no module named x"\nexit 1\n');
      killServer(home.home, 'after', 'rm', '.starting');
      const started = await start();
      if (started.ok) throw new Error('it cannot have started');
      expect(started.error.message).toBe('TensorBoard was started and has ended again.');
      expect(started.error.detail).toContain('no module named x');
      expect(records()).toEqual([`${port}.log`, `${port}.pid`]);
    });

    it('is found stopped where the box did it and could not say so', async () => {
      await setUp();
      const pid = await running();
      killServer(home.home, 'after', 'rm', '.pid');
      expect(await stopTensorboard(connection, onboxScripts, pid, pause)).toEqual({
        ok: true,
        value: null,
      });
      await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false));
      expect(records()).toEqual([`${port}.log`]);
    });

    it('is waited for while it still ends', async () => {
      await setUp();
      const gate = join(home.home, 'called-find');
      home.addProgram('bin/tensorboard', stubborn(gate));
      const pid = await running();
      expect(markCalls(home.home, 'find', 'tfevents', 6)).toBe(gate);
      killServer(home.home, 'instead', 'sleep', '0.1');
      expect(await stopTensorboard(connection, onboxScripts, pid, pause)).toEqual({
        ok: true,
        value: null,
      });
      expect(await ours()).toEqual([]);
    });

    it('is said to run on where it was never told to end', async () => {
      await setUp();
      const pid = await running();
      killServer(home.home, 'instead', 'head', '.pid');
      const stopped = await stopTensorboard(connection, onboxScripts, pid, pause);
      if (stopped.ok) throw new Error('it runs');
      expect(stopped.error.message).toContain('TensorBoard still runs on the box');
      expect(await ours()).toMatchObject([{ pid }]);
    });
  },
);

/** Takes its time to end: until that file is there. */
function stubborn(gate: string): string {
  return `${TENSORBOARD_PROGRAM}
process.on('SIGTERM', () => setInterval(() => { if (existsSync(${JSON.stringify(gate)})) process.exit(); }, 20));
`;
}
