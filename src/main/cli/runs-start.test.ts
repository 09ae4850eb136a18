import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { pathWith, whereIs } from '../runs/programs.fixture.ts';
import { BOX, RunBox, value } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { run, type Ran } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

// Two starts under one id, each held where the other passes it: a program of the box that waits for the test.

const ID = 'r-20260131-120000-1a2b3c4d';

let folder: string;
let box: RunBox;
/** It stays open until a test ends: what is written is lost once nobody has it open, and who waits may come later. */
let gate: number | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-runs-'));
  box = new RunBox();
});
afterEach(async () => {
  if (gate !== null) closeSync(gate);
  gate = null;
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(scripts: Readonly<Record<string, string>>): Promise<void> {
  execFileSync('mkfifo', [at('gate')]);
  await box.open({ path: pathWith(at('bin'), scripts) });
  addBox(folder, box.sshd);
  // Only the starts look.
  await box.hangUp();
}
const at = (name: string): string => join(box.home, name);
const seen = (name: string): Promise<void> =>
  vi.waitFor(() => expect(existsSync(at(name))).toBe(true));
/** Behind it goes on what waits there, once it does. */
function openGate(): void {
  // For reading too: to open it for writing alone waits for a reader, and with it all that would bring one.
  gate = openSync(at('gate'), constants.O_RDWR | constants.O_NONBLOCK);
  writeSync(gate, '\n');
}

function start(name: string, command = 'sleep 600'): Promise<Ran> {
  const file = join(folder, `${name} ${command}.yaml`);
  writeFileSync(file, `name: ${name}\nfolder: ~/work\ncommand: ${command}\n`);
  return run(['runs', 'start', 'train-a', file, '--yes', '--id', ID], {
    env: { LEASEHOLD_DATA_FOLDER: folder },
  });
}

async function expectOne(name: string): Promise<void> {
  await box.connect();
  const { runs } = value(await box.watch.look(BOX.id));
  expect(runs.map((each) => [each.id, each.name, each.status.kind])).toEqual([
    [ID, name, 'running'],
  ]);
}

describe.skipIf(!hasSshd)('runs start --id, while another start under that id is under way', () => {
  /** The first launch stands between its claim and what says whose it is; whoever looks into that folder says so. */
  const heldWithoutAbout = (): Promise<void> =>
    open({
      ln: `case "$2" in *${ID}/about) : >${at('held')}; read -r _ <${at('gate')} ;; esac; exec ${whereIs('ln')} "$@"`,
      stat: `case "$PWD" in *${ID}) [ ! -e ${at('held')} ] || : >${at('looked')} ;; esac; exec ${whereIs('stat')} "$@"`,
    });

  it('of the same request waits for it, and says that it is there', async () => {
    await heldWithoutAbout();
    const first = start('base');
    await seen('held');
    const second = start('base');
    await seen('looked');
    openGate();
    expect(await first).toMatchObject({ code: 0, err: '' });
    const told = await second;
    expect(told.out).toContain(`base was launched before on train-a: ${ID}`);
    expect(told).toMatchObject({ code: 0, err: '' });
    await expectOne('base');
  });

  it.each([
    ['name', 'other', 'sleep 600'],
    ['command', 'base', 'sleep 601'],
  ])('of another %s is refused by the name that is there', async (_what, name, command) => {
    await heldWithoutAbout();
    const first = start('base');
    await seen('held');
    const second = start(name, command);
    await seen('looked');
    openGate();
    expect(await first).toMatchObject({ code: 0, err: '' });
    const told = await second;
    expect(told.out).toContain(`${ID} is the id of another run on this box, “base”.`);
    expect(told).toMatchObject({ code: 1, err: '' });
    await expectOne('base');
  });

  /** The first that makes a claim stands right before it. */
  const heldBeforeClaim = (): Promise<void> =>
    open({
      mkdir: `case "$*" in *${ID}) ${whereIs('mkdir')} ${at('held')} 2>/dev/null && read -r _ <${at('gate')} ;; esac; exec ${whereIs('mkdir')} "$@"`,
    });

  it.each([
    ['the same request', 'base', { code: 0, out: `base is launched on train-a: ${ID}` }],
    [
      'another one',
      'other',
      { code: 1, out: `${ID} is the id of another run on this box, “base”. Nothing was started.` },
    ],
  ])('that comes as late as its claim, of %s, starts nothing', async (_what, name, expected) => {
    await heldBeforeClaim();
    const late = start(name);
    await seen('held');
    expect(await start('base')).toMatchObject({ code: 0, err: '' });
    openGate();
    const told = await late;
    expect(`${told.out}${told.err}`).toContain(expected.out);
    expect(told.code).toBe(expected.code);
    await expectOne('base');
  });
});
