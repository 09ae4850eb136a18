import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder = '';

/** What Leasehold keeps for a person whichever data folder is in use, tests keep apart from theirs. Vitest calls this before the tests. */
export function setup(): void {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-test-config-'));
  process.env['XDG_CONFIG_HOME'] = folder;
}

export function teardown(): void {
  rmSync(folder, { recursive: true, force: true });
}
