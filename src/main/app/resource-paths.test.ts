import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadGotchas } from '../gotchas/load-gotchas.ts';
import { OnboxScripts, type OnboxScript } from '../onbox/onbox-scripts.ts';
import { loadProfiles } from '../profiles/load-profiles.ts';
import { SHIPPED_IDS } from '../profiles/profiles.fixture.ts';
import { withFolder } from '../storage/disk.fixture.ts';
import { resourcePaths } from './resource-paths.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** What a packager puts beside the archive. */
const { build } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  build: { extraResources: readonly { from: string; to: string }[] };
};
/** Needed to build and not to run. */
const BUILD_ONLY = ['resources/icon'];
const inRoot = resourcePaths({ isPackaged: false, resourcesPath: '/nowhere', appPath: ROOT });

it('finds everything in a packaged layout, each file as it is in the project', () =>
  withFolder(async (resourcesPath) => {
    for (const { from, to } of build.extraResources) {
      cpSync(join(ROOT, from), join(resourcesPath, to), { recursive: true });
    }
    const packed = resourcePaths({ isPackaged: true, resourcesPath, appPath: '/app.asar' });
    const { all, faults } = await loadProfiles({ shipped: packed.profiles, own: '/nowhere' });
    expect(faults).toEqual([]);
    expect(all.map(({ profile }) => profile.id)).toEqual(SHIPPED_IDS);
    const gotchas = await loadGotchas({ shipped: packed.gotchas, own: '/nowhere' });
    const here = await loadGotchas({ shipped: inRoot.gotchas, own: '/nowhere' });
    expect(gotchas.faults).toEqual([]);
    expect(gotchas.all.length).toBe(here.all.length);
    expect(here.all.length).toBeGreaterThan(50);
    const scripts = new OnboxScripts(packed.onbox);
    const names = readdirSync(inRoot.onbox).filter((name) => name.endsWith('.sh'));
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) {
      const text = await scripts.textOf(name as OnboxScript);
      expect(text).toBe(await new OnboxScripts(inRoot.onbox).textOf(name as OnboxScript));
    }
    const tool = join('bin', 'nvidia-smi');
    expect(statSync(join(packed.demoTools, tool)).mode).toBe(
      statSync(join(inRoot.demoTools, tool)).mode,
    );
  }));

it('leaves no folder of resources out by mistake', () => {
  const folders = readdirSync(join(ROOT, 'resources')).map((name) => `resources/${name}`);
  const known = [...build.extraResources.map(({ from }) => from), ...BUILD_ONLY];
  expect([...folders, 'profiles'].sort()).toEqual([...known].sort());
  expect(Object.values<string>({ ...inRoot }).every((folder) => existsSync(folder))).toBe(true);
});
