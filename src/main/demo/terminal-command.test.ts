import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOOLS_FOLDER } from './demo-box.fixture.ts';
import { findProgram } from './find-program.ts';
import { createTerminalMaker, type TerminalTool } from './terminal-command.ts';

const [script, python] = await Promise.all([findProgram('script'), findProgram('python3')]);
const isLinux = process.platform === 'linux';

const tools: readonly { readonly tool: TerminalTool; readonly whyNot: string | null }[] = [
  {
    tool: { kind: 'util-linux', path: script ?? '' },
    whyNot: isLinux && script !== null ? null : 'there is no script of util-linux',
  },
  {
    tool: { kind: 'bsd', path: script ?? '' },
    whyNot: isLinux ? 'Linux’s script is not BSD’s' : null,
  },
  {
    tool: { kind: 'python', path: python ?? '' },
    whyNot: python === null ? 'python3 is not installed' : null,
  },
];

describe.each(tools)('$tool.kind', ({ tool, whyNot }) => {
  it('gives a command a terminal of the asked size, and passes on its exit code', async ({
    skip,
  }) => {
    skip(whyNot !== null, whyNot ?? '');
    const asked = 'test -t 0 && test -t 1 && stty size; echo "$TERM"; exit 4';
    const { text, code, tty } = await runCommand(tool, asked);
    expect(text.split('\r\n').slice(0, 2)).toEqual(['33 99', 'xterm-test']);
    expect(tty).toMatch(/^\/dev\//);
    expect(code).toBe(4);
  });
});

it('without any of them a command runs plainly, with both outputs in one stream', async () => {
  const asked = 'test -t 1 || echo plain; echo both >&2; exit 5';
  const { text, code } = await runCommand({ kind: 'none' }, asked);
  expect([text, code]).toEqual(['plain\nboth\n', 5]);
});

async function runCommand(
  tool: TerminalTool,
  command: string,
): Promise<{ text: string; code: number | null; tty: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'leasehold-terminal-'));
  const ttyFile = join(folder, 'tty of this');
  const make = createTerminalMaker(tool, join(TOOLS_FOLDER, 'lib'), '/bin/sh');
  const { file, args, env } = make({ rows: 33, cols: 99, term: 'xterm-test', command, ttyFile });
  const child = spawn(file, args, { env: { ...process.env, ...env } });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  const tty = await readFile(ttyFile, 'utf8').catch(() => '');
  await rm(folder, { recursive: true });
  return { text, code, tty };
}
