import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, test as base } from './fixtures/app.ts';
import { closeLaunchBox, openLaunchBox, type LaunchBox } from './fixtures/launch-box.ts';
import { addBoxAt } from './fixtures/real-box.ts';

/** Three cards that tell their names and their memory, and nothing else; a stranger is on the second. */
const NVIDIA_SMI = `#!/bin/sh
case $1 in
  --query-gpu=*) fields=\${1#--query-gpu=} ;;
  --query-compute-apps=*)
    echo 'pid, process_name, used_gpu_memory [MiB], gpu_uuid'
    echo '4711, python, 40000 MiB, GPU-1b1b1b1b-0000-0000-0000-000000000001'
    exit 0
    ;;
  dmon)
    echo '# gpu    pwr  gtemp  mtemp     sm    mem   pclk     fb  rxpci  txpci'
    echo '# Idx      W      C      C      %      %    MHz     MB   MB/s   MB/s'
    while :; do
      for card in 0 1 2; do echo "    $card     60     35     40      0      0    345      4      0      0"; done
      sleep 1
    done
    ;;
  *) exit 6 ;;
esac
printf '%s\\n' "$fields" | awk -F , '{
  for (i = 1; i <= NF; i++) head = head (i > 1 ? ", " : "") $i ($i ~ /^memory/ ? " [MiB]" : "")
  print head
  for (card = 0; card < 3; card++) {
    row = ""
    for (i = 1; i <= NF; i++) {
      said = "[N/A]"
      if ($i == "index") said = card
      if ($i == "uuid") said = sprintf("GPU-%db%db%db%db-0000-0000-0000-00000000000%d", card, card, card, card, card)
      if ($i == "name") said = "NVIDIA H100 80GB HBM3"
      if ($i == "memory.total") said = "81559 MiB"
      if ($i == "memory.used") said = card == 1 ? "40004 MiB" : "4 MiB"
      row = row (i > 1 ? ", " : "") said
    }
    print row
  }
}'
`;

const test = base.extend<{ box: LaunchBox }>({
  box: async ({}, use) => {
    const box = await openLaunchBox('train-a', (home) => {
      const bin = join(home, 'bin');
      mkdirSync(bin);
      writeFileSync(join(bin, 'nvidia-smi'), NVIDIA_SMI);
      chmodSync(join(bin, 'nvidia-smi'), 0o755);
      return { path: `${bin}:/usr/bin:/bin` };
    });
    await use(box);
    await closeLaunchBox(box);
  },
});

test.use({ hasDemo: false });

test('cells that need one GPU each run side by side on the GPUs that are free', async ({
  apps,
  box,
}) => {
  const { page, consoleErrors } = await apps.start();
  await addBoxAt(page, box.sshd);
  await expect(page.getByText(/H100/).first()).toBeVisible();
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('learning rates');
  await dialog.getByLabel('Folder on the box').fill('~');
  await dialog.getByRole('radio', { name: 'A queue of cells' }).click();
  const waits = 'echo "on $CUDA_VISIBLE_DEVICES"; until [ -e go ]; do sleep 0.2; done';
  await dialog
    .getByLabel('Cells', { exact: true })
    .fill([1, 2, 3].map((at) => `lr=1e-${String(at)}: ${waits}`).join('\n'));
  await dialog.getByText('GPUs, secrets, time and more').click();
  await dialog.getByLabel('GPUs per cell').fill('1');
  await page.keyboard.press('Control+Enter');
  await expect(dialog).toContainText(
    'each with 1 GPU of its own: GPU 0 and GPU 2. GPU 1 is left out, because process 4711 is on it.',
  );
  await expectAccessible(page, 'the plan of cells side by side');
  await dialog.getByRole('button', { name: 'Launch', exact: true }).click();

  const running: Locator = page.getByRole('list', { name: 'Cells that run side by side' });
  await expect(running.getByRole('listitem')).toHaveText([/GPU 0 lr=1e-1/, /GPU 2 lr=1e-2/]);
  await expectAccessible(page, 'cells side by side');
  await running.getByRole('button', { name: /GPU 2/ }).click();
  await expect(page.getByRole('region', { name: 'Log of cell 2, lr=1e-2' })).toContainText(
    'on GPU-2b2b2b2b-0000-0000-0000-000000000002',
  );
  writeFileSync(join(box.home, 'go'), '');
  const queue = page.getByRole('region', { name: 'Queue', exact: true });
  await expect(queue.getByRole('status')).toContainText('3 of 3 cells done');
  expect(consoleErrors).toEqual([]);
});
