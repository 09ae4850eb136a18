import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PushPlan } from '../../shared/push/push-plan.ts';
import { BOX_SHELLS } from '../onbox/onbox-scripts.fixture.ts';
import { ownFirst, programsOf } from '../runs/programs.fixture.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { startHookServer, type HookServer } from '../webhook/http-server.fixture.ts';
import { openPushWaiters } from './push-box.fixture.ts';
import type { PushWaiters } from './push-waiters.ts';

const HURRIED = { LEASEHOLD_EVERY_S: '0.1', LEASEHOLD_PAUSES_S: '0.1', LEASEHOLD_POST_S: '5' };
const CURL = '/usr/bin/curl';
const WAITS = 'until [ -e go-on ]; do sleep 0.1; done';

let box: RunBox;
let server: HookServer;
let pushWaiters: PushWaiters;
beforeEach(async () => {
  box = new RunBox();
  server = await startHookServer();
  pushWaiters = openPushWaiters(
    () => {
      throw new Error('no patrol is asked');
    },
    () => {
      if (box.connection === null) throw new Error('not connected');
      return box.connection;
    },
  );
});
afterEach(async () => {
  await box.close();
  await server.stop();
});

function plan(launched: string, maxHours = 24) {
  const { url } = server;
  const to = { kind: 'typed', webhookKind: 'json', url, token: '', isPlainAllowed: false } as const;
  return pushWaiters.plan(BOX.id, { run: { launched }, to, maxHours });
}
async function arm(launched: string, maxHours?: number): Promise<PushPlan> {
  const planned = value(await plan(launched, maxHours));
  value(await pushWaiters.arm(BOX.id, planned.plan));
  return planned;
}
const goOn = (): void => writeFileSync(join(box.home, 'work/go-on'), '');
async function message(): Promise<unknown> {
  await server.gotten(1);
  return JSON.parse(server.received[0]?.body ?? '');
}

describe.skipIf(!hasSshd || process.platform !== 'linux')('a push of a launched run', () => {
  it.each(BOX_SHELLS.filter(({ isInstalled }) => isInstalled))(
    'tells its name and exit code though nobody is connected, with $name',
    async (shell) => {
      const bin = join(box.home, 'bin');
      const path = ownFirst(bin, programsOf(shell.shell));
      if (shell.shell[0] === 'busybox') symlinkSync(CURL, join(bin, 'curl'));
      await box.open({ path, env: HURRIED });
      const name = 'base "line" \\ é';
      const { id } = await box.launch({ name, command: `${WAITS}; exit 3` });
      const planned = await arm(id);
      expect(planned.messages.ended.title).toBe(`train "a": run “${name}” has ended`);
      expect(planned.files.find((file) => file.name === 'run')?.text).toBe(`${id}\n`);
      const [waiter] = value(await pushWaiters.look(BOX.id)).look.waiters;
      expect(waiter).toMatchObject({
        process: { pid: box.numberIn(id, 'go') },
        state: { kind: 'waiting' },
      });
      await box.hangUp();
      goOn();
      expect(await message()).toMatchObject({
        because: 'ended',
        run: name,
        command: `${WAITS}; exit 3`,
        outcome: 'failed',
        exitCode: '3',
        body: expect.stringContaining('has ended: failed; exit code 3. Told by') as string,
      });
    },
  );

  it.each([
    ['true', null, 'done', '0'],
    ['echo well', 'all fine', 'failed, for its log lacks the text of a success', '0'],
  ])('tells of %s what its folder says', async (command, successLine, outcome, exitCode) => {
    await box.open({ env: HURRIED });
    const { id } = await box.launch({ command: `${WAITS}; ${command}`, successLine });
    await arm(id);
    goOn();
    expect(await message()).toMatchObject({ outcome, exitCode });
  });

  it('believes nothing that no launch writes', async () => {
    await box.open({ env: HURRIED });
    const { id } = await box.launch({ command: WAITS });
    await arm(id);
    writeFileSync(box.place(id, 'end'), 'done/g;s/x/$(touch y)/ 0"}\n');
    goOn();
    expect(await message()).toMatchObject({ outcome: 'how is not known', exitCode: 'not known' });
  });

  it('tells no end while the command goes on without what keeps it', async () => {
    await box.open({ env: HURRIED });
    const { id } = await box.launch({ command: 'sleep 600' });
    await box.settled(id, 'job');
    // Longer than it takes to read back that it waits.
    await arm(id, 10 / 3600);
    process.kill(box.numberIn(id, 'go'), 'SIGKILL');
    expect(await message()).toMatchObject({ because: 'expired', run: 'a run', outcome: null });
    expect(await plan(id)).toMatchObject({
      error: { message: expect.stringContaining('is not there') as string },
    });
  });

  it('says so where nobody wrote down the end', async () => {
    await box.open({ env: HURRIED });
    const { id } = await box.launch({ command: 'sleep 600' });
    await box.settled(id, 'job');
    await arm(id);
    process.kill(box.numberIn(id, 'go'), 'SIGKILL');
    process.kill(-box.numberIn(id, 'job'), 'SIGKILL');
    expect(await message()).toMatchObject({
      because: 'ended',
      outcome: 'how is not known',
      exitCode: 'not known',
    });
  });

  it('is planned for no run that is over, and for none that the box does not list', async () => {
    await box.open();
    const { id } = await box.launch();
    await box.until(id, 'done');
    expect(await plan(id)).toMatchObject({ error: { code: 'push-not-armed' } });
    expect(await plan('r-20270115-080000-0a1b2c3d')).toMatchObject({
      error: { code: 'run-not-listed' },
    });
  });
});
