import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openReadOnly } from '../src/main/storage/read-only.ts';
import { startTcpProxy, type TcpProxy } from '../src/main/ssh/tcp-proxy.fixture.ts';
import { expect } from './fixtures/app.ts';
import { test as base } from './fixtures/own-key-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';
import {
  acceptElsewhere,
  acceptProcesses,
  answerDialogs,
  chooseVerb,
  launchHere,
  step,
} from './fixtures/teardown-steps.ts';
import { boxIds, Wizard } from './fixtures/wizard.ts';

const test = base.extend<{ network: TcpProxy }>({
  network: async ({ box }, use) => {
    const network = await startTcpProxy(box.sshd.port);
    await use(network);
    await network.stop();
  },
});

test.use({ hasDemo: false });

test('a box whose connection is cut while the wizard stands is not known, and nothing is done', async ({
  apps,
  box,
  here,
  network,
}) => {
  test.slow();
  const { app, page, folder } = await apps.start();
  await answerDialogs(app, here, '');
  await addBoxAt(page, box.sshd, network.port, box.name);
  await launchHere(page, 'mkdir -p out && echo "{\\"loss\\": 0.5}" >out/metrics.jsonl');
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible();
  const wizard = new Wizard(page);
  await wizard.open();
  await wizard.check();
  await step(page, 'What is there').click();
  await acceptElsewhere(page);
  await acceptProcesses(page);
  await wizard.bringHome();
  await step(page, 'Prove it').click();
  await page.getByRole('button', { name: 'Read the copies again' }).click();
  const content = page.getByRole('tabpanel');
  await expect(content).toContainText('You may end this box');

  // Nothing is in the way, and somebody has said yes.
  await step(page, 'Approve').click();
  await chooseVerb(page);
  await page.getByLabel('Type “train-a” to approve').fill('train-a');
  await page.getByRole('button', { name: /^Approve “/ }).click();
  await expect(content).toContainText('You approved');
  await network.refuse(true);
  await expect(page.getByText(/^Connected/)).toHaveCount(0);
  await page.getByRole('button', { name: 'Go ahead' }).click();
  await expect(page.getByRole('button', { name: 'Go ahead' })).toHaveCount(0);

  await wizard.refuses(
    'What is there',
    /The box cannot be looked at\./,
    'Connect to the box, and check it again.',
  );
  await expect(content).not.toContainText('You may end this box');
  await expect(ordersIn(folder)).resolves.toEqual([]);
  expect(existsSync(join(box.home, '.local/state/leasehold/teardown'))).toBe(false);

  // What came home is home still, once the box can be asked.
  await network.refuse(false);
  const [boxId = ''] = await boxIds(page);
  await page.evaluate((id) => window.leasehold.call('link:connect', { boxId: id }), boxId);
  await expect(page.getByText(/^Connected/).first()).toBeVisible();
  await wizard.isFree('What is there', /cannot be looked at/);
  await expect(step(page, 'Bring it home')).toContainText('Nothing is missing');
});

/** The ends that the evidence has begun. */
async function ordersIn(folder: string): Promise<readonly string[]> {
  const opened = openReadOnly(folder);
  if (!opened.ok) throw new Error(opened.error.message);
  const all = await opened.value.evidence.all();
  opened.value.close();
  if (!all.ok) throw new Error(all.error.message);
  return all.value.rows.filter(({ kind }) => kind === 'teardown').map(({ body }) => body);
}
