import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createLog } from '../log/log.ts';
import { openCore, openOnlyCore, type CoreOptions } from './core.ts';

it('loads nothing that acts once it closes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-core-'));
  const log = createLog({ folder: join(folder, 'logs'), level: 'info', onWriteFailure: vi.fn() });
  // What the window and the services are given is never reached.
  const core = await openCore({ folders: { data: folder }, log } as unknown as CoreOptions);
  await core.close();
  await expect(core.services()).rejects.toThrow('Leasehold is closing');
  rmSync(folder, { recursive: true });
});

it('is the only one over its data, until it closes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-core-'));
  const log = createLog({ folder: join(folder, 'logs'), level: 'info', onWriteFailure: vi.fn() });
  const options = { folders: { data: folder }, log } as unknown as CoreOptions;
  const first = await openOnlyCore(options);
  expect(first).not.toBeNull();
  expect(await openOnlyCore(options)).toBeNull();
  await first?.close();
  const next = await openOnlyCore(options);
  expect(next).not.toBeNull();
  await next?.close();
  rmSync(folder, { recursive: true });
});
