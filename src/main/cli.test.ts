// The outermost file, in a process of its own: exit codes, pipes and standard input as a shell sees them.
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { samplePath } from '../shared/probes/sample.fixture.ts';
import { builtSource } from './built-source.fixture.ts';
import { ROOT } from './cli/cli.fixture.ts';

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

const CLI = await builtSource(new URL('./cli.ts', import.meta.url));

function start(argv: readonly string[]) {
  return spawn(process.execPath, [CLI, ...argv], { cwd: ROOT });
}

async function run(argv: readonly string[], stdin = ''): Promise<Ended> {
  const child = start(argv);
  child.stdin.end(stdin);
  return ended(child);
}

function ended(child: ReturnType<typeof start>): Promise<Ended> {
  let out = '';
  let err = '';
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
  });
}

const PLENTY = `# gpu sm\n${' 0 5\n'.repeat(200_000)}`;

describe('the command line as a process', () => {
  it('answers 0 when all is fine', async () => {
    const { code, out, err } = await run(['read', 'dmon', samplePath('dmon--h100-590-load')]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^5 readings of 1 GPU in 5 cycles\n/);
  });

  it('answers 1 for a finding, and reads the standard input', async () => {
    const log = 'NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n';
    const { code, out } = await run(['read', 'xid', '-', '--json'], log);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ rowCount: 1, outcome: { kind: 'found' } });
  });

  it('answers 2 for wrong use, with nothing on stdout', async () => {
    const { code, out, err } = await run(['read', 'dmon', '/nowhere/x']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('There is no file /nowhere/x.');
  });

  it('hands over everything before it ends', async () => {
    const { code, out } = await run(['read', 'dmon', '-', '--rows'], PLENTY);
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(200_001);
  });

  it('ends without a word when its reader has gone', async () => {
    const child = start(['read', 'dmon', '-', '--rows']);
    child.stdin.on('error', () => undefined); // it may end before it took all of its input
    child.stdout.once('data', () => child.stdout.destroy());
    child.stdin.end(PLENTY.repeat(10));
    expect(await ended(child)).toMatchObject({ code: 141, signal: null, err: '' });
  });
});
