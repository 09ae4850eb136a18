import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeState } from '../../shared/transfer/home.ts';
import { isAllHome, type HomeLook } from '../../shared/transfer/home-look.ts';
import type { PullReport } from '../../shared/transfer/pull.ts';
import { manifestsBelow } from '../manifest/manifests.fixture.ts';
import { onboxScripts, ORDINARY_USER } from '../onbox/onbox-scripts.fixture.ts';
import { listResults } from '../runs/list-results.ts';
import { value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { findResults } from '../teardown/find-results.ts';
import { ok } from '../../shared/result.ts';
import { lookHome } from './home-look.ts';
import { PullingBox } from './pulling-box.fixture.ts';

const { uid, gid } = ORDINARY_USER;

let box: PullingBox;
beforeEach(async () => {
  box = new PullingBox();
  const shell = join(box.home, 'shell');
  const as =
    uid === undefined
      ? ''
      : `setpriv --reuid ${String(uid)} --regid ${String(gid)} --clear-groups `;
  writeFileSync(shell, `#!/bin/sh\nexec ${as}/bin/sh "$@"\n`, { mode: 0o755 });
  await box.open({}, { loginShell: shell });
  if (uid !== undefined && gid !== undefined) chownSync(box.home, uid, gid);
});
afterEach(async () => {
  chmodSync(join(box.home, 'out', 'sub'), 0o755);
  await box.close();
});

const close = (): void => chmodSync(join(box.home, 'out', 'sub'), 0);

async function lookedAfter(report: PullReport): Promise<HomeLook> {
  const proof = { atMs: Date.now(), seq: 1, hash: '', report };
  const at = { boxId: 'a box', run: box.run, proof };
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const manifests = manifestsBelow(box.home, box.workers);
  return value(await lookHome(box.connection, manifests, at, options));
}

describe.skipIf(!hasSshd || process.platform === 'win32')('a folder that is closed', () => {
  it('is told by its name when the rest comes home, and is not home', async () => {
    box.write('a', 'a').write('sub/b', 'b');
    close();
    const report = await box.pull();
    expect(report.files).toMatchObject([
      { path: 'a', mark: 'equal' },
      {
        path: 'sub',
        says: 'You have no permission to read this folder on the box, so what is in it is not known.',
      },
    ]);
    const look = await lookedAfter(report);
    expect(look.unproven).toMatchObject([{ path: 'sub', state: 'short' }]);
    expect(isAllHome(look)).toBe(false);
  });

  it('is in the way of the end of a box, however much was home before', async () => {
    box.write('a', 'a').write('sub/b', 'b');
    const report = await box.pull();
    expect(isAllHome(await lookedAfter(report))).toBe(true);
    close();
    expect(isAllHome(await lookedAfter(report))).toBe(false);
    const proof = { atMs: Date.now(), seq: 1, hash: '', report };
    const found = value(
      await findResults(
        'a box',
        { launched: [box.run], missing: [] },
        {
          folders: () => [],
          proof: () => Promise.resolve(ok(proof)),
          list: (_boxId, folder) =>
            listResults(box.connection, onboxScripts, { folder, results: folder }),
        },
      ),
    );
    const [results] = found.results;
    const known = new Map(results?.proven?.files.map((file) => [file.path, file]));
    const states = results?.listed.map((file) => [
      file.path,
      homeState(file, known.get(file.path)),
    ]);
    expect(states).toEqual([
      ['a', 'home'],
      ['sub', 'unknown'],
    ]);
  });
});
