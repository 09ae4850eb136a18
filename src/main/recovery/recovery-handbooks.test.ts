import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Box } from '../../shared/boxes/box.ts';
import { USUAL_WAY } from '../../shared/boxes/usual-way.ts';
import { LOOK, RUN } from '../../shared/patrol/look.fixture.ts';
import { rememberLook } from '../../shared/patrol/patrol-memory.ts';
import type { PatrolState } from '../../shared/patrol/patrol-state.ts';
import type { Problem } from '../../shared/problem.ts';
import { untouchedEntry } from '../../shared/streams/fleet-stream.ts';
import type { BoxRoster } from '../boxes/box-roster.ts';
import { ReachedRoster } from '../boxes/box-roster.fixture.ts';
import { onboxScripts } from '../onbox/onbox-scripts.fixture.ts';
import { changeMemory } from '../patrol/memory-file.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { hasSshd, startSshd, type TestSshd } from '../ssh/sshd.fixture.ts';
import { openTemporaryDatabase, type Database } from '../storage/database.ts';
import { Source, type OfBox } from '../streams/source.ts';
import { StreamHub } from '../streams/stream-hub.ts';
import { connectTo } from '../tunnels/tunnels.fixture.ts';
import { RecoveryHandbooks } from './recovery-handbooks.ts';

const BOX: Box = {
  ...USUAL_WAY,
  id: '7d3c1f0e-58a4-4f0f-9a35-0d6b1a0f5b01',
  name: 'Train A!',
  platform: 'generic-ssh',
  address: { host: '127.0.0.1', port: 22, user: 'me' },
  tags: [],
  addedAtMs: 0,
};
const SECRET = 'registered-secret';

let folder: string;
let database: Database;
let handbooks: RecoveryHandbooks;
let roster: BoxRoster;
let patrols: Source<OfBox<Partial<PatrolState>>>;
let connection: SshConnection | null;
let problems: Problem[];

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-recovery-'));
  database = openTemporaryDatabase();
  database.boxes.add(BOX);
  connection = null;
  problems = [];
  open();
});
afterEach(async () => {
  await handbooks.close();
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(): void {
  roster = new ReachedRoster(new StreamHub(), () => connection);
  patrols = new Source();
  handbooks = new RecoveryHandbooks({
    clocks: new Source(),
    patrols,
    dataFolder: folder,
    entries: database.entries,
    hostKeys: database.hostKeys,
    profileOf: () => null,
    gotchas: () => Promise.resolve({ all: [], faults: [], ownFolder: '' }),
    roster,
    scripts: onboxScripts,
    redact: (text) => text.replaceAll(SECRET, '[redacted]'),
    onProblem: (found) => problems.push(found),
    settleMs: 1,
  });
  roster.put(untouchedEntry(BOX));
}

const file = (): string => join(folder, 'recovery', `${BOX.id}.md`);
const text = (): string => (existsSync(file()) ? readFileSync(file(), 'utf8') : '');
async function patrolSaw(command: string): Promise<void> {
  const look = { ...LOOK, runs: [{ ...RUN, command }] };
  await changeMemory(folder, BOX.id, (current) =>
    rememberLook({ look, before: null, alive: [], missing: [], judged: [] }, current),
  );
  patrols.tell({ boxId: BOX.id, value: { gone: [] } });
}
const link = (kind: 'up' | 'idle'): void =>
  roster.change(BOX.id, { link: kind === 'up' ? { kind, sinceMs: 0, latencyMs: null } : { kind } });

describe('the handbook on this machine', () => {
  it('is there for every box, for its owner only, and follows what is known', async () => {
    await vi.waitFor(() => expect(text()).toContain('This box has not been checked'));
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'recovery')).mode & 0o777).toBe(0o700);
    await patrolSaw(`python ${SECRET}`);
    await vi.waitFor(() => expect(text()).toContain('Run 1: python'));
    expect(text()).not.toContain(SECRET);
    expect(readdirSync(join(folder, 'recovery'))).toEqual([`${BOX.id}.md`]);
    expect(problems).toEqual([]);
  });

  it('goes with its box, and so does one that a killed session left', async () => {
    await vi.waitFor(() => expect(text()).not.toBe(''));
    roster.remove(BOX.id);
    await handbooks.close();
    expect(readdirSync(join(folder, 'recovery'))).toEqual([]);
    open();
    await vi.waitFor(() => expect(text()).not.toBe(''));
    await handbooks.sweep([]);
    expect(existsSync(file())).toBe(false);
  });

  it('says once that it cannot be written', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root may write anywhere');
    mkdirSync(join(folder, 'recovery'), { recursive: true });
    chmodSync(join(folder, 'recovery'), 0o500);
    await handbooks.close();
    open();
    await vi.waitFor(() => expect(problems).toHaveLength(1));
    const page = await handbooks.read(BOX.id);
    expect(page).toMatchObject({ ok: true, value: { fileProblem: { code: 'folder-read-only' } } });
    chmodSync(join(folder, 'recovery'), 0o700);
  });
});

describe.skipIf(!hasSshd || process.platform !== 'linux')('the copy on the box', () => {
  let home: string;
  let sshd: TestSshd;
  beforeEach(async () => {
    home = join(folder, 'home');
    mkdirSync(home);
    sshd = await startSshd({ home });
    connection = await connectTo(sshd.port, sshd);
  });
  afterEach(async () => {
    connection?.close();
    await connection?.closed;
    await sshd.stop();
  });
  const copy = (): string =>
    join(home, '.config/leasehold', `recovery-train-a-${BOX.id.slice(0, 8)}.md`);

  it('is there only after a yes, for its owner only, stays current, and goes with the yes', async () => {
    link('up');
    await vi.waitFor(() => expect(text()).not.toBe(''));
    expect(existsSync(copy())).toBe(false);

    expect(await handbooks.setCopy(BOX.id, true)).toMatchObject({
      ok: true,
      value: { copy: { kind: 'wanted', problem: null, sentAtMs: expect.any(Number) } },
    });
    expect(statSync(copy()).mode & 0o777).toBe(0o600);
    expect(readFileSync(copy(), 'utf8')).toContain('# Recovery handbook: Train A!');

    await patrolSaw('python train.py');
    await vi.waitFor(() => expect(readFileSync(copy(), 'utf8')).toContain('Run 1: python'));

    expect(await handbooks.setCopy(BOX.id, false)).toMatchObject({
      ok: true,
      value: { copy: { kind: 'none' } },
    });
    expect(readdirSync(join(home, '.config/leasehold'))).toEqual([]);
  });

  it('that could not be removed is remembered, and removed when the box is back', async () => {
    await handbooks.setCopy(BOX.id, true);
    const away = connection;
    connection = null;
    expect(await handbooks.setCopy(BOX.id, false)).toMatchObject({
      ok: true,
      value: { copy: { kind: 'leaving', problem: { code: 'not-connected' } } },
    });
    await handbooks.close();
    connection = away;
    open(); // another session
    link('up');
    await vi.waitFor(() => expect(existsSync(copy())).toBe(false));
    await vi.waitFor(async () =>
      expect(await handbooks.read(BOX.id)).toMatchObject({ value: { copy: { kind: 'none' } } }),
    );
  });

  it('that the box refuses is told with the box’s reason', async () => {
    mkdirSync(join(home, '.config'), { mode: 0o700 });
    mkdirSync(join(home, '.config/leasehold'), { mode: 0o777 });
    chmodSync(join(home, '.config/leasehold'), 0o777);
    expect(await handbooks.setCopy(BOX.id, true)).toMatchObject({
      ok: true,
      value: {
        copy: {
          kind: 'wanted',
          sentAtMs: null,
          problem: {
            code: 'handbook-not-on-box',
            message: expect.stringContaining('may exchange files'),
          },
        },
      },
    });
    expect(readdirSync(join(home, '.config/leasehold'))).toEqual([]);
  });
});
