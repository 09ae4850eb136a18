import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { OnboxScripts, type OnboxScript } from './onbox-scripts.ts';
import { BOX_SHELLS, onboxScripts } from './onbox-scripts.fixture.ts';

const ONBOX = join(import.meta.dirname, '../../../resources/onbox');
const SHIPPED = readdirSync(ONBOX).filter((name) => name.endsWith('.sh')) as OnboxScript[];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-scripts-'));
  mkdirSync(join(folder, 'parts'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('puts a part in place of the line that names it', async () => {
  writeFileSync(join(folder, 'gpu-facts.sh'), 'one\n. ./parts/shared.sh\nthree $& $1\n');
  writeFileSync(join(folder, 'parts/shared.sh'), "echo 'two $& $1'\n");
  const scripts = new OnboxScripts(folder);
  expect(await scripts.textOf('gpu-facts.sh')).toBe("one\necho 'two $& $1'\nthree $& $1\n");
});

it('sends no comment and no indentation, and every other line as it is', async () => {
  const text = '#!/bin/sh\n# why\nif a; then\n\n  # so\n  b "$#" # c\n\td\nfi\n';
  writeFileSync(join(folder, 'gpu-facts.sh'), text);
  const sent = await new OnboxScripts(folder).textOf('gpu-facts.sh');
  expect(sent).toBe('if a; then\nb "$#" # c\nd\nfi\n');
});

it('does not send a script whose part is missing', async () => {
  writeFileSync(join(folder, 'gpu-facts.sh'), '. ./parts/shared.sh\n');
  await expect(new OnboxScripts(folder).textOf('gpu-facts.sh')).rejects.toThrow('shared.sh');
});

it.each(SHIPPED)('sends %s whole: a box has no file to read more of it from', async (script) => {
  const text = await onboxScripts.textOf(script);
  expect(text).not.toMatch(/^\s*(?:\.|source)\s/m);
  for (const { shell } of BOX_SHELLS.filter(({ isInstalled }) => isInstalled)) {
    const [command, ...args] = shell;
    expect(spawnSync(command, [...args, '-n'], { input: text, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stderr: '',
    });
  }
});
