import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ProcTree, type ShownProcess } from './proc-tree.ts';

const process = (pid: number): ShownProcess => ({
  ...{ pid, parentPid: 1, argv: ['/usr/bin/python3', 'train.py'], isStopped: false, gpus: [0, 1] },
  work: { folder: '/home/demo', log: '/home/demo/log' },
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-proc-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('shows what was asked for last, also where the table before is still being written', async () => {
  const tree = new ProcTree(folder);
  const shown = [tree.show([process(41), process(42)]), tree.rebooted(), tree.show([process(43)])];
  await Promise.all(shown);
  expect(readdirSync(folder).sort()).toEqual(['1', '43']);
  expect(readdirSync(join(folder, '43/fd')).sort()).toEqual(['1', '2', '3', '4']);
});
