import { join } from 'node:path';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import type { Workers } from '../workers/workers.ts';
import { Manifests } from './manifests.ts';

/** Kept below a folder that the test removes. */
export const manifestsBelow = (home: string, workers: Pick<Workers, 'run'>): Manifests =>
  new Manifests({ folder: join(home, '.manifests'), scripts: onboxScripts, workers });
