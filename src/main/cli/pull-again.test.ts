// A pull of the command line that was killed, and the next one, each in a process of its own.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { builtSource } from '../built-source.fixture.ts';
import { RunBox } from '../runs/run-box.fixture.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { ROOT } from './cli.fixture.ts';
import { addBox } from './named-box.fixture.ts';

const MIB = 1024 * 1024;
/** What a list, hashes and two log-ins take. */
const BESIDE_BYTES = MIB;
const QUIET = { complaints: '' };
/** One file of 16,384 would begin like a pickle by chance, be read as a damaged one, and end the pull with 1. */
const noise = (size: number): Buffer => randomBytes(size).fill(0, 0, 1);

const CLI = await builtSource(new URL('../cli.ts', import.meta.url));

let folder: string;
let to: string;
let box: RunBox;
let id: string;
const started: ChildProcess[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-pull-again-'));
  to = join(folder, 'home');
  box = new RunBox();
  await box.open();
  addBox(folder, { ...box.sshd, port: box.proxy.port });
  mkdirSync(out());
  id = await box.past();
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await box.close();
  rmSync(folder, { recursive: true, force: true });
});

const out = (name = ''): string => join(box.home, 'work', 'out', name);
const here = (name: string): string => join(to, name);
const part = (name: string): number =>
  statSync(`${here(name)}.leasehold-part`, { throwIfNoEntry: false })?.size ?? 0;

function start(more: readonly string[]): ChildProcess {
  const env = { PATH: process.env['PATH'], LEASEHOLD_DATA_FOLDER: folder, XDG_CONFIG_HOME: folder };
  const words = ['pull', 'train-a', id, '--to', to, '--json', ...more];
  const child = spawn(process.execPath, [CLI, ...words], { cwd: ROOT, env });
  started.push(child);
  return child;
}

interface Said {
  readonly path: string;
  readonly mark: string;
}

async function pull(...more: readonly string[]) {
  const child = start(more);
  let [said, complaints] = ['', ''];
  child.stdout?.on('data', (data: Buffer) => (said += data.toString()));
  child.stderr?.on('data', (data: Buffer) => (complaints += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const { pull: done } = JSON.parse(said) as { pull: { report: { files: readonly Said[] } } };
  const marks = Object.fromEntries(done.report.files.map(({ path, mark }) => [path, mark]));
  return { code, marks, complaints };
}

/** Nothing gets through any more from the moment at which it is so, and then it is killed. */
async function killWhen(more: readonly string[], isSo: () => boolean): Promise<void> {
  const child = start(more);
  const ended = once(child, 'close');
  await vi.waitFor(() => expect(isSo()).toBe(true), { interval: 2, timeout: 60_000 });
  box.proxy.freeze(true);
  child.kill('SIGKILL');
  await ended;
  box.proxy.cut();
  box.proxy.freeze(false);
}

describe.skipIf(!hasSshd || process.platform === 'win32')('pull, begun again', () => {
  it.each([
    ['as fast as it goes', 48, []],
    ['at a limited rate', 24, ['--limit', '8']],
  ] as const)(
    '%s sends of a large file only what had not come when it was killed',
    async (_, size, more) => {
      const bytes = noise(size * MIB);
      writeFileSync(out('model.bin'), bytes);
      await killWhen(more, () => part('model.bin') > 8 * MIB);
      expect(existsSync(here('model.bin'))).toBe(false);
      const arrived = part('model.bin');
      expect(arrived).toBeLessThan(size * MIB);
      expect(box.proxy.carriedBack()).toBeGreaterThan(arrived);
      const before = box.proxy.carriedBack();
      expect(await pull()).toEqual({ ...QUIET, code: 0, marks: { 'model.bin': 'equal' } });
      expect(readFileSync(here('model.bin')).equals(bytes)).toBe(true);
      expect(readdirSync(to)).toEqual(['model.bin']);
      expect(box.proxy.carriedBack() - before).toBeGreaterThan(MIB);
      expect(box.proxy.carriedBack() - before).toBeLessThan(size * MIB - arrived + BESIDE_BYTES);
    },
  );

  it('ends where a large file got shorter while it came, and waits for no more of it', async () => {
    writeFileSync(out('model.bin'), Buffer.alloc(24 * MIB, 'x'));
    const child = start(['--limit', '8']);
    const ended = once(child, 'close');
    await vi.waitFor(() => expect(part('model.bin')).toBeGreaterThan(2 * MIB), { interval: 2 });
    truncateSync(out('model.bin'), 0);
    expect(await ended).toEqual([1, null]);
    expect(existsSync(here('model.bin'))).toBe(false);
  });

  it('goes on with a log that it had named before it was killed, and writes over no other file', async () => {
    writeFileSync(out('train.log'), 'step 1\n');
    writeFileSync(out('mine.log'), 'mine\nand more\n');
    writeFileSync(out('model.bin'), noise(24 * MIB));
    mkdirSync(to);
    writeFileSync(here('mine.log'), 'mine\n');
    await killWhen(['--limit', '2'], () => existsSync(here('train.log')));
    rmSync(out('model.bin'));
    appendFileSync(out('train.log'), 'step 2\n');
    expect(await pull()).toEqual({
      ...QUIET,
      code: 1,
      marks: { 'mine.log': 'differs', 'train.log': 'equal' },
    });
    expect(readFileSync(here('train.log'), 'utf8')).toBe('step 1\nstep 2\n');
    expect(readFileSync(here('mine.log'), 'utf8')).toBe('mine\n');
  });
});
