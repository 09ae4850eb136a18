import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { NOTHING_TOLD } from '../../shared/clocks/clock.ts';
import { LOOK, RUN } from '../../shared/patrol/look.fixture.ts';
import { rememberLook } from '../../shared/patrol/patrol-memory.ts';
import { changeMemory } from '../patrol/memory-file.ts';
import { openDatabase } from '../storage/database.ts';
import { run } from './cli.fixture.ts';

const ID = randomUUID();
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-recovery-cli-'));
  const { database } = openDatabase({ folder });
  database.boxes.add({
    ...USUAL_WAY,
    id: ID,
    name: 'train-a',
    platform: 'autodl',
    address: { host: 'gpu.example', port: 2222, user: 'root' },
    tags: [],
    addedAtMs: 0,
  });
  const deadline = { id: 'd1', what: 'camera-ready', atMs: Date.now() + 86_400_000 };
  database.entries.write(ID, 'clocks', { ...NOTHING_TOLD, deadlines: [deadline] }, 0);
  database.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const recovery = (...argv: readonly string[]) =>
  run(['recovery', ...argv], { env: { LEASEHOLD_DATA_FOLDER: folder } });

it('prints what is kept of a box, and changes nothing', async () => {
  const before = readdirSync(folder);
  const unknown = await recovery('train-a');
  expect(unknown.code).toBe(1); // no patrol has looked
  for (const words of ['ssh -p 2222 root@gpu.example', 'camera-ready', 'without the window']) {
    expect(unknown.out).toContain(words);
  }
  // Its own sentences do not look like secrets.
  expect(unknown.out).not.toContain('[redacted]');
  expect(readdirSync(folder)).toEqual(before);

  const hostile = { ...RUN, command: 'python --token=abcdef123 \u001b[2J' };
  const look = { ...LOOK, runs: [hostile] };
  await changeMemory(folder, ID, (current) =>
    rememberLook({ look, before: null, alive: [], missing: [], judged: [] }, current),
  );
  const known = await recovery('train-a');
  expect(known.code).toBe(0);
  expect(known.out).toContain('### Run 1: python');
  expect(known.out).not.toMatch(/abcdef123|\u001b/);
});

it('prints JSON that a script can take apart', async () => {
  const { out } = await recovery('train-a', '--json');
  const page = JSON.parse(out) as { box: string; atMs: number; blocks: { kind: string }[] };
  expect(page).toMatchObject({ box: 'train-a', atMs: expect.any(Number) });
  expect(page.blocks[0]).toEqual({
    kind: 'heading',
    level: 1,
    text: 'Recovery handbook: train-a',
  });
});

it('refuses a box that is not there', async () => {
  expect(await recovery('train-b')).toMatchObject({ code: 2 });
});
