import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pythonWords, type PythonAnswer } from '../../shared/verify/python-answer.ts';
import { run } from '../cli/cli.fixture.ts';
import { specimen } from './load.fixture.ts';
import { checkByPython } from './python-check.ts';

const PROGRAM = fileURLToPath(
  new URL('../../../resources/verify/python-check.py', import.meta.url),
);
const hasPython = spawnSync('python3', ['-c', 'import venv']).status === 0;

/** Has torch's names and does what a file says, as no torch would: what it may do is for the process to decide. */
const TORCH = `
import os, pickle, socket, subprocess, time
__version__ = "9.9"
class Tensor: pass
def native(path):
    import ctypes
    ctypes.CDLL(None).truncate(path.encode(), ctypes.c_long(0))
    return {}
def load(path, map_location, weights_only):
    assert map_location == "cpu" and weights_only is True
    word = open(path).read()
    if word == "tensors": return {"a": [Tensor(), Tensor()], "step": 3}
    if word == "global": raise pickle.UnpicklingError("set weights_only=False. WeightsUnpickler error: Unsupported class os.system")
    if word == "broken": raise RuntimeError("PytorchStreamReader failed")
    if word == "network": socket.create_connection(("127.0.0.1", 9))
    if word == "program": subprocess.run(["true"])
    if word == "shell": os.system("true")
    if word == "write": open(path, "w")
    if word == "truncate": os.truncate(path, 0)
    if word == "folder": os.mkdir(path + ".folder")
    if word == "link": os.symlink(path, path + ".link")
    if word == "mode": os.chmod(path, 0o777)
    if word == "native": return native(path)
    if word == "flood":
        while True: os.write(1, b"x" * 65536)
    if word == "chatty": print("Welcome to this torch", end="", flush=True); return {}
    if word == "memory": return bytearray(1 << 40)
    if word == "dies": os._exit(9)
    if word == "endless":
        os.write(1, b"%d\\n" % os.getpid())
        while True: time.sleep(1)
    raise SystemExit(0)
`;

describe('the person’s own Python', () => {
  const folder = mkdtempSync(join(tmpdir(), 'leasehold-python-'));
  const python = join(folder, 'own', 'bin', 'python3');
  beforeEach(({ skip }) => skip(!hasPython, 'there is no python3 with venv here'));
  beforeAll(() => {
    if (!hasPython) return;
    execFileSync('python3', ['-m', 'venv', '--without-pip', join(folder, 'own')]);
    const lib = join(folder, 'own', 'lib');
    const [version = ''] = readdirSync(lib);
    writeFileSync(join(lib, version, 'site-packages', 'torch.py'), TORCH);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function ask(word: string, more: { mostMs?: number; env?: NodeJS.ProcessEnv } = {}) {
    const file = join(folder, 'model.pt');
    writeFileSync(file, word);
    return checkByPython({ python, program: PROGRAM, env: process.env, ...more }, file);
  }

  it('says what its torch makes of a file', async () => {
    const torch = '9.9';
    expect(await ask('tensors')).toMatchObject({ kind: 'loads', torch, tensors: 2 });
    expect(await ask('global')).toMatchObject({
      ...{ kind: 'refused', torch },
      says: 'UnpicklingError: Unsupported class os.system',
    });
    const says = 'RuntimeError: PytorchStreamReader failed';
    expect(await ask('broken')).toMatchObject({ kind: 'failed', says });
  });

  it.each([...['program', 'shell', 'write', 'truncate', 'folder', 'link', 'mode', 'memory']])(
    'keeps a file from its %s',
    async (word) => {
      const answer = await ask(word);
      expect(answer.kind).toBe('failed');
      if (word !== 'memory') expect(pythonWords(answer)).toContain('it wanted ');
    },
  );

  it('cannot write past Python either, where the system lets it be alone', async ({ skip }) => {
    const answer = await ask('native');
    if (answer.kind !== 'loads') throw new Error(answer.kind);
    skip(!answer.isAlone, 'this machine does not allow it');
    expect(readFileSync(join(folder, 'model.pt'), 'utf8')).toBe('native');
  });

  it('is heard past what its torch prints, and ended where that has no end', async () => {
    expect(await ask('chatty')).toMatchObject({ kind: 'loads', tensors: 0 });
    expect(await ask('flood')).toMatchObject({
      says: expect.stringMatching(/printed more than an answer/) as string,
    });
  });

  it('has no network', async () => {
    const answer = await ask('network');
    expect(pythonWords(answer)).toContain('it wanted socket.');
  });

  it('is ended where it is stopped, and says so', async () => {
    const stopper = new AbortController();
    const file = join(folder, 'stopped.pt');
    writeFileSync(file, 'endless');
    const asked = { python, program: PROGRAM, env: process.env, signal: stopper.signal };
    const answer = checkByPython(asked, file);
    stopper.abort();
    expect(await answer).toEqual({ kind: 'no-answer', says: 'it was stopped' });
    expect(await checkByPython(asked, file)).toEqual({ kind: 'no-answer', says: 'it was stopped' });
  });

  it('without an answer has none that counts', async () => {
    const none = { kind: 'no-answer', says: 'it ended without an answer' } satisfies PythonAnswer;
    expect(await ask('dies')).toEqual(none);
    expect(await ask('endless', { mostMs: 1 })).toMatchObject({ says: /took too long/ });
    const missing = { python: join(folder, 'none'), program: PROGRAM, env: {} };
    for (const no of [missing.python, folder, join(PROGRAM, 'bin', 'python3'), PROGRAM]) {
      const answer = await checkByPython({ ...missing, python: no }, folder);
      expect(answer).toMatchObject({
        says: expect.stringMatching(/^it cannot be started: /) as string,
      });
    }
  });

  it('is given nothing of the environment that could lead it elsewhere', async () => {
    mkdirSync(join(folder, 'elsewhere'), { recursive: true });
    writeFileSync(join(folder, 'elsewhere', 'torch.py'), 'raise RuntimeError("not this one")');
    const env = { ...process.env, PYTHONPATH: join(folder, 'elsewhere') };
    expect((await ask('tensors', { env })).kind).toBe('loads');
  });

  it('ends with whoever started it, however that ends', async () => {
    writeFileSync(join(folder, 'endless.pt'), 'endless');
    // What starts it is a program of its own, which is killed.
    const starter = `
      const child = require('node:child_process').spawn(process.argv[1], ['-E', '-c', process.argv[2], process.argv[3]],
        { stdio: ['pipe', 'inherit', 'inherit'] });`;
    const text = execFileSync('cat', [PROGRAM], { encoding: 'utf8' });
    const args = ['-e', starter, python, text, join(folder, 'endless.pt')];
    const owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const lines = createInterface({ input: owner.stdout });
    await once(lines, 'line');
    const gone = once(lines, 'close');
    owner.kill('SIGKILL');
    // Its output is open for as long as it lives.
    await gone;
  });

  it('is beside the proof on the command line, and no part of it', async () => {
    const root = mkdtempSync(join(folder, 'root-'));
    writeFileSync(join(root, 'state.pt'), specimen('torch/torch-2.10.0--state.pt'));
    writeFileSync(join(root, 'log.json'), '{}');
    const args = ['verify', root, '--python', python];
    const { code, out } = await run([...args, '--json'], { env: process.env });
    // The torch above makes nothing of a real one.
    const { files } = JSON.parse(out) as { files: { level: string; python?: PythonAnswer }[] };
    expect(files).toMatchObject([{ level: 'loaded' }, { level: 'loaded' }]);
    expect(files.map(({ python: said }) => said?.kind)).toEqual([undefined, 'failed']);
    expect(code).toBe(1);
    const told = await run(args, { env: process.env });
    expect(told.out).toContain('says your Python');
  });
});
