import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeFilesOfOthers } from './box-files.ts';
import { withFolder } from './disk.fixture.ts';

const LISTED = '0d4f5a3e-1111-4222-8333-444455556666';
const GONE = '0d4f5a3e-1111-4222-8333-444455557777';

it.each(['json', 'md'])(
  'removes the %s files of boxes that are not listed, and what a killed session left half-written of those that are',
  (ending) =>
    withFolder(async (folder) => {
      const dead = String(spawnSync(process.execPath, ['-e', '']).pid);
      const kept = [
        `${LISTED}.${ending}`,
        `${LISTED}.${ending}.tmp-${String(process.pid)}-1`,
        `${LISTED}.${ending}.unreadable-1`,
        `other.${ending}.tmp-${dead}-1`,
      ];
      const going = [`${GONE}.${ending}`, `${LISTED}.${ending}.tmp-${dead}-1`];
      for (const name of [...kept, ...going]) writeFileSync(join(folder, name), '');
      const task = { failed: 'Not removed', otherwise: 'folder-read-only' } as const;
      expect(await removeFilesOfOthers(folder, [LISTED], task)).toMatchObject({ ok: true });
      expect(readdirSync(folder).sort()).toEqual(kept.sort());
    }),
);
