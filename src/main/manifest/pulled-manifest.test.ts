import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { placeOfResults } from '../../shared/transfer/result-root.ts';
import { value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { PullingBox } from '../transfer/pulling-box.fixture.ts';
import { manifestsBelow } from './manifests.fixture.ts';
import type { SinceManifest } from './manifests.ts';

let box: PullingBox;
beforeEach(() => {
  box = new PullingBox();
});
afterEach(() => box.close());

async function since(digest: string): Promise<SinceManifest> {
  const options = { signal: new AbortController().signal, onProgress: () => undefined };
  const manifests = manifestsBelow(box.home, box.workers);
  const place = { boxId: 'a box', ...placeOfResults(box.run) };
  return value(await manifests.since(box.connection, place, digest, options));
}

describe.skipIf(!hasSshd)('the manifest of a pull', () => {
  it('has what it proved, so that a later look says whether that is still all', async () => {
    await box.open();
    box.write('a.txt', 'a').write('sub/b', 'b').write('\xe9', 'c');
    const { manifest } = await box.pull();
    const same = await since(manifest);
    expect(same.now).toMatchObject({ digest: manifest, files: 3, unsettled: 0 });
    expect(same.changes).toMatchObject({ same: 3, added: 0, gone: 0, changed: 0 });
    appendFileSync(join(box.home, 'out', 'a.txt'), '!');
    box.write('new', 'n');
    const { changes, now } = await since(manifest);
    expect(now.digest).not.toBe(manifest);
    expect(changes.named).toEqual([
      { kind: 'changed', path: 'a.txt' },
      { kind: 'added', path: 'new' },
    ]);
    // One that did not come has no hash in it.
    expect(now).toMatchObject({ files: 4, unsettled: 2 });
  });
});
