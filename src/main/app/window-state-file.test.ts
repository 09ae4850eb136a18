import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLog } from '../log/log.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { openWindowState } from './window-state-file.ts';

const open = (folder: string) =>
  openWindowState(
    folder,
    createLog({ folder: join(folder, 'logs'), level: 'warn', onWriteFailure: () => undefined }),
  );

describe('openWindowState', () => {
  it('keeps the last of many changes', () =>
    withFolder(async (folder) => {
      const state = open(folder);
      for (const theme of ['dark', 'light', 'dark'] as const) state.change({ theme });
      await state.settled();
      expect(open(folder).current()).toMatchObject({ theme: 'dark' });
      expect(JSON.parse(readFileSync(join(folder, 'window.json'), 'utf8'))).toMatchObject({
        theme: 'dark',
      });
    }));

  it('clears away what a Leasehold that was killed left beside it', () =>
    withFolder(async (folder) => {
      const { pid: dead } = spawnSync(process.execPath, ['--version']);
      writeFileSync(join(folder, `window.json.tmp-${String(dead)}-1`), '{"bou');
      const state = open(folder);
      state.change({ theme: 'dark' });
      await state.settled();
      expect(readdirSync(folder).filter((name) => name.startsWith('window'))).toEqual([
        'window.json',
      ]);
    }));
});
