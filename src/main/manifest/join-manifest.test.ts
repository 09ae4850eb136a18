import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { joinManifest } from './join-manifest.ts';
import { LISTED } from './making.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-join-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('counts what a box tells without size and times as unread, and never as not there', () => {
  writeFileSync(
    join(folder, LISTED),
    'f 1 1.500000000 1.500000000 1 told\0f  no times\0o  neither\0',
  );
  const joined = joinManifest({ folder, earlier: null, isRetrying: false });
  expect(joined).toMatchObject({ files: 1, others: 0, unread: 2 });
});
