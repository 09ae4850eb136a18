import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedStat, whereIs } from '../../src/main/runs/programs.fixture.ts';
import { expect, test } from '../fixtures/app.ts';
import { closeLaunchBox, openLaunchBox, type LaunchBox } from '../fixtures/launch-box.ts';
import { addBoxAt } from '../fixtures/real-box.ts';
import { shoot } from '../fixtures/shoot.ts';
import { launchHere } from '../fixtures/teardown-steps.ts';

// The pictures of a run that another machine of the same home launched, as the nodes of a cluster show it.

test.use({ hasDemo: false });

/** One node of a cluster: a kernel of its own, and a home on a disk that the others have, too. */
function openNode(name: string, boot: string, home?: string): Promise<LaunchBox> {
  return openLaunchBox(
    name,
    (at) => {
      const kernel = join(at, `.${name}/sys/kernel`);
      mkdirSync(join(kernel, 'random'), { recursive: true });
      writeFileSync(join(kernel, 'hostname'), `${name}\n`);
      writeFileSync(join(kernel, 'random/boot_id'), `${boot}-0000-4000-8000-000000000000\n`);
      const programs = join(at, '.own');
      mkdirSync(programs, { recursive: true });
      const stat = `#!/bin/sh\n${sharedStat(whereIs('stat'))}\n`;
      writeFileSync(join(programs, 'stat'), stat, { mode: 0o755 });
      const roots = { LEASEHOLD_PROC_ROOT: join(at, `.${name}`), LEASEHOLD_RUN_PROC_ROOT: '/proc' };
      return { env: { PATH: `${programs}:${process.env['PATH'] ?? ''}`, ...roots } };
    },
    home,
  );
}

test('takes the pictures of a run of another machine', async ({ apps }) => {
  const { app, page } = await apps.start();
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.setContentSize(1440, 900),
  );
  const first = await openNode('node-1', '0badcafe');
  const second = await openNode('node-2', '0dca9e43', first.home);
  try {
    await addBoxAt(page, first.sshd, first.sshd.port, first.name);
    await launchHere(page, 'echo "step 40/4000"; while [ ! -e ~/go ]; do sleep 1; done');
    await expect(page.getByText('step 40/4000', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await addBoxAt(page, second.sshd, second.sshd.port, second.name);
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page
      .getByRole('link', { name: 'baseline' })
      .or(page.getByRole('button', { name: 'baseline' }))
      .first()
      .click();
    await page.getByRole('button', { name: 'That machine is gone…' }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await shoot(page, 'run-elsewhere');
    // Long enough ago that nothing may be writing.
    const runs = join(first.home, '.local/state/leasehold/runs');
    const hourAgo = Date.now() / 1000 - 3600;
    for (const id of readdirSync(runs)) {
      for (const file of readdirSync(join(runs, id)))
        utimesSync(join(runs, id, file), hourAgo, hourAgo);
      utimesSync(join(runs, id), hourAgo, hourAgo);
    }
    await page.getByRole('button', { name: 'It is gone' }).click();
    await expect(page.getByText('said to be gone for good').first()).toBeVisible();
    await shoot(page, 'run-gone');
  } finally {
    writeFileSync(join(first.home, 'go'), '');
    await second.sshd.stop();
    await closeLaunchBox(first);
  }
});
