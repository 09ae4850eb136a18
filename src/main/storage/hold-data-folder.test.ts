import { statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLog } from '../demo/demo-box.fixture.ts';
import { runFixture, withFolder } from './disk.fixture.ts';
import { holdDataFolder } from './hold-data-folder.ts';

const FIXTURE = new URL('./database.fixture.ts', import.meta.url);

it('holds a data folder for one process, by whatever name it is reached, until that ends', () =>
  withFolder(async (parent) => {
    const folder = join(parent, 'data');
    const link = join(parent, 'link');
    symlinkSync(folder, link);
    const held = await runFixture(FIXTURE, ['hold', folder], (line, _count, child) => {
      expect(line).toBe('held');
      expect(holdDataFolder(folder, silentLog, 0)).toBeNull();
      expect(holdDataFolder(link, silentLog, 0)).toBeNull();
      expect(statSync(join(folder, 'leasehold.lock')).mode & 0o777).toBe(0o600);
      child.kill('SIGKILL');
    });
    expect(held.signal).toBe('SIGKILL');
    const release = holdDataFolder(link, silentLog, 0);
    expect(release).not.toBeNull();
    expect(holdDataFolder(folder, silentLog, 0)).toBeNull();
    release?.();
    expect(holdDataFolder(folder, silentLog, 0)).not.toBeNull();
  }));
