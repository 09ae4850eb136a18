import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { connectTo } from '../tunnels/tunnels.fixture.ts';
import { lookAtRuns } from './look-at-runs.ts';
import { request, value } from './run-box.fixture.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { BoxPushes } from '../transfer/box-pushes.ts';
import { nothingKnown } from '../../shared/runs/launch/known-box.fixture.ts';
import { RunLauncher } from './run-launcher.ts';

describe.skipIf(process.platform !== 'linux')('a run that is launched on the demo box', () => {
  let demo: DemoBox;
  let connection: SshConnection;
  beforeAll(async () => {
    demo = await startTestBox();
    connection = await connectTo(demo.address.port, {
      user: demo.address.user,
      privateKey: demo.clientKey,
    });
  });
  afterAll(async () => {
    connection.close();
    await demo.stop();
  });

  it('is done there as on any box', async () => {
    const look = async () => value(await lookAtRuns(connection, onboxScripts));
    const launcher = new RunLauncher({
      roster: { connectionOf: () => connection, boxOf: () => null },
      knownBox: () => nothingKnown(),
      scripts: onboxScripts,
      watch: {
        look: async () => ({ ok: true, value: { ...(await look()), problem: null } }),
        runOf: () => null,
        aliveOn: () => null,
        resultsListed: () => undefined,
        expect: () => () => undefined,
        hasBegun: () => false,
      },
      pushes: new BoxPushes({
        ...{ hub: new StreamHub(), scripts: onboxScripts },
        onMeasured: () => undefined,
      }),
    });
    const wanted = { folder: '~', command: 'nvidia-smi --list-gpus' };
    const plan = value(await launcher.plan('demo', request(wanted)));
    expect(plan.checks.filter(({ answer }) => answer === 'block')).toEqual([]);
    value(await launcher.launch('demo', plan.plan));
    await vi.waitFor(async () =>
      expect((await look()).runs).toMatchObject([
        { id: plan.runId, status: { kind: 'done', exitCode: 0 } },
      ]),
    );
    const long = value(await launcher.plan('demo', request({ ...wanted, command: 'sleep 600' })));
    value(await launcher.launch('demo', long.plan));
    // Launched within one second, the two stand in no order.
    const run = (await look()).runs.find(({ id }) => id === long.runId);
    expect(run).toMatchObject({ status: { kind: 'running' } });
    connection.close();
    await demo.stop();
    // Gone, or what nobody has waited for yet.
    const words = `/proc/${String(run?.process?.pid)}/cmdline`;
    expect(existsSync(words) ? readFileSync(words, 'utf8') : '').toBe('');
  });
});
