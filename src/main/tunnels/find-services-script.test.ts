import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseBoxServices } from '../../shared/probes/box-services.ts';
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';

describe.each(BOX_SHELLS)('find-services.sh under $name', ({ shell, isInstalled }) => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'leasehold-onbox-'));
    for (const folder of ['home', 'proc/41/fd', 'proc/net', 'proc/5']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  async function find(...eventFolders: readonly string[]) {
    const stdout = await runOnboxScript(shell, 'find-services.sh', {
      PATH: process.env['PATH'] ?? '',
      HOME: join(root, 'home'),
      LEASEHOLD_EVENT_FOLDERS: eventFolders.join('\t'),
      LEASEHOLD_PROC_ROOT: join(root, 'proc'),
    });
    return parseBoxServices(stdout);
  }

  it.skipIf(!isInstalled)('finds a process by its words and its port by its socket', async () => {
    const words = ['python3', '/usr/bin/tensorboard', '--logdir', 'a\nE /fake', ''].join('\0');
    writeFileSync(join(root, 'proc/41/cmdline'), words);
    writeFileSync(join(root, 'proc/5/cmdline'), 'sh\0');
    symlinkSync('/srv/work', join(root, 'proc/41/cwd'));
    symlinkSync('socket:[4711]', join(root, 'proc/41/fd/7'));
    const line = (inode: number, port: string, state: string): string =>
      `   0: 0100007F:${port} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 0 0 ${inode} 1`;
    const table = ['sl', line(4711, '1776', '0A'), line(4712, '0016', '0A')].join('\n');
    writeFileSync(join(root, 'proc/net/tcp'), `${table}\n`);
    writeFileSync(join(root, 'proc/net/tcp6'), '');
    const found = await find();
    // The line break inside the name made no line of its own.
    expect(found.tensorboards).toEqual([
      { pid: 41, logdir: '/srv/work/a?E /fake', ports: [6006], isOurs: false },
    ]);
    expect(found.eventFolders).toEqual([]);
    expect(found.unreadable).toEqual([]);
  });

  it.skipIf(!isInstalled)('finds folders of event files, and a Jupyter server', async () => {
    const run = join(root, 'home/exp/it is a run');
    mkdirSync(run, { recursive: true });
    writeFileSync(join(run, 'events.out.tfevents.1'), '');
    writeFileSync(join(run, 'events.out.tfevents.2'), '');
    const runtime = join(root, 'home/.local/share/jupyter/runtime');
    mkdirSync(runtime, { recursive: true });
    const server = { port: 8888, token: 'not-a-real-token', base_url: '/', pid: 3 };
    writeFileSync(join(runtime, 'jpserver-3.json'), JSON.stringify(server, null, 2));
    const found = await find();
    expect(found.eventFolders).toEqual([run]);
    expect(found.isSearchComplete).toBe(true);
    expect(found.jupyters).toMatchObject([{ port: 8888, token: 'not-a-real-token' }]);
  });

  it.skipIf(!isInstalled)('looks for event files in each folder that it is told of', async () => {
    const runs = ['a folder/run', "it's $(another)/run"].map((name) => join(root, name));
    for (const run of runs) {
      mkdirSync(run, { recursive: true });
      writeFileSync(join(run, 'events.out.tfevents.1'), '');
    }
    expect((await find()).eventFolders).toEqual([]);
    const found = await find(...runs.map((run) => join(run, '..')), join(root, 'none'));
    expect(found.eventFolders.map((folder) => join(folder)).sort()).toEqual([...runs].sort());
    expect(found.unreadable).toEqual([]);
  });
});
