import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataFolder } from './data-folder.ts';

it.each<[NodeJS.Platform, NodeJS.ProcessEnv, string]>([
  ['linux', {}, join(homedir(), '.config', 'leasehold')],
  ['linux', { XDG_CONFIG_HOME: '/x' }, join('/x', 'leasehold')],
  ['darwin', {}, join(homedir(), 'Library', 'Application Support', 'Leasehold')],
  ['win32', { APPDATA: '/roaming' }, join('/roaming', 'Leasehold')],
  ['win32', {}, join(homedir(), 'AppData', 'Roaming', 'Leasehold')],
  ['linux', { LEASEHOLD_DATA_FOLDER: '/mine', XDG_CONFIG_HOME: '/x' }, '/mine'],
  ['linux', { LEASEHOLD_DATA_FOLDER: '', XDG_CONFIG_HOME: '/x' }, join('/x', 'leasehold')],
])('on %s with %j: %s', (platform, env, folder) => {
  expect(dataFolder(env, platform)).toBe(folder);
});
