import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestBox } from '../demo/demo-box.fixture.ts';
import type { DemoBox } from '../demo/demo-box.ts';
import { openConnection, type SshConnection } from '../ssh/ssh-connection.ts';
import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import { placeTiers } from '../../shared/profiles/whereabouts.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { MountSurvey } from './mount-survey.ts';
import { shippedProfile } from './profiles.fixture.ts';

// Real SSH to the demo box, and this machine's own mounts.

let box: DemoBox;
let connection: SshConnection;
beforeAll(async () => {
  box = await startTestBox();
  const opened = await openConnection({
    address: box.address,
    credentials: [{ kind: 'key', privateKey: box.clientKey }],
    judgeHostKey: () => 'accept',
    signal: new AbortController().signal,
  });
  if (!opened.ok) throw new Error(opened.error.message);
  connection = opened.value;
});
afterAll(async () => {
  connection.close();
  await connection.closed;
  await box.stop();
});

const survey = (connectionOf: () => SshConnection | null): MountSurvey =>
  new MountSurvey({ roster: { connectionOf }, scripts: onboxScripts });

it('finds what lives where, and how full it is', async () => {
  const looked = await survey(() => connection).look('box', shippedProfile('generic-ssh'));
  if (!looked.ok) throw new Error(looked.error.message);
  const root = looked.value.mounts.find(({ path }) => path === '/');
  expect(root?.usage?.totalKiB).toBeGreaterThan(0);
  const home = looked.value.places.find(({ name }) => name === '~');
  expect(home?.place).toMatchObject({ kind: 'there' });
  const { tiers } = placeTiers(shippedProfile('generic-ssh'), looked.value);
  expect(tiers[0]?.spots).toContainEqual({ path: '/', kind: 'mount', mount: root });
});

it('keeps the list of a box that does not say how large they are', async () => {
  const failing = new Proxy(connection, {
    get: (real, name) => {
      if (name !== 'run') return Reflect.get(real, name) as unknown;
      return (...args: Parameters<SshConnection['run']>) =>
        args[1]?.input?.includes('measure') === true || args[0].includes('MOUNTS')
          ? Promise.resolve(
              err({ ...problem('command-timeout', 'It took too long.'), mayHaveRun: true }),
            )
          : real.run(...args);
    },
  });
  const looked = await survey(() => failing).look('box', shippedProfile('runpod'));
  expect(looked).toMatchObject({ ok: true });
  if (!looked.ok) return;
  expect(looked.value.mounts.length).toBeGreaterThan(0);
  expect(new Set(looked.value.mounts.map(({ because }) => because))).toEqual(
    new Set(['It took too long.']),
  );
  expect(looked.value.places.every(({ place }) => place.kind === 'unknown')).toBe(true);
});

it('says that a box without a link was not asked', async () => {
  expect(await survey(() => null).look('box', null)).toMatchObject({
    ok: false,
    error: { code: 'not-connected' },
  });
});
