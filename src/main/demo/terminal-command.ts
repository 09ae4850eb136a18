import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BoxCommand } from './box-processes.ts';
import { findProgram } from './find-program.ts';

const run = promisify(execFile);

export interface TerminalSize {
  readonly rows: number;
  readonly cols: number;
}

export interface TerminalRequest extends TerminalSize {
  readonly term: string;
  /** The command line to run, or null for an interactive shell. */
  readonly command: string | null;
  /** Where the name of the terminal device is written, for later changes of size. */
  readonly ttyFile: string;
}

/** Turns a request for a terminal into a command that has one. Node has no pseudo-terminals without native code. */
export type TerminalMaker = (request: TerminalRequest) => BoxCommand;

const PYTHON = 'import os,pty,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/** The program that provides terminals: `script` of util-linux or of BSD, python's pty, or none at all. */
export type TerminalTool =
  | { readonly kind: 'util-linux' | 'bsd' | 'python'; readonly path: string }
  | { readonly kind: 'none' };

/** Looks once per box, in this order of preference. */
export async function findTerminalTool(): Promise<TerminalTool> {
  const script = await findProgram('script');
  const kind = script === null ? null : await identifyScript(script);
  if (script !== null && kind !== null) return { kind, path: script };
  const python = await findProgram('python3');
  return python === null ? { kind: 'none' } : { kind: 'python', path: python };
}

/** Only util-linux knows --version; BusyBox has a script without exit codes, which is left alone. */
async function identifyScript(path: string): Promise<'util-linux' | 'bsd' | null> {
  const answer = await run(path, ['--version']).then(
    ({ stdout }) => stdout,
    () => '',
  );
  if (answer.includes('util-linux')) return 'util-linux';
  return process.platform === 'darwin' || process.platform.endsWith('bsd') ? 'bsd' : null;
}

export function createTerminalMaker(
  tool: TerminalTool,
  libFolder: string,
  shell: string,
): TerminalMaker {
  const starter = join(libFolder, 'terminal.sh');
  return ({ rows, cols, term, command, ttyFile }) => {
    const env = { TERM: term, ...(command === null ? {} : { LEASEHOLD_DEMO_COMMAND: command }) };
    const args = [shell, starter, String(rows), String(cols), ttyFile];
    switch (tool.kind) {
      case 'util-linux':
        return { file: tool.path, args: ['-qefc', args.map(quote).join(' '), '/dev/null'], env };
      case 'bsd':
        return { file: tool.path, args: ['-q', '/dev/null', ...args], env };
      case 'python':
        return { file: tool.path, args: ['-c', PYTHON, ...args], env };
      case 'none': {
        const plain = command === null ? 'exec "$SHELL" -i 2>&1' : `exec 2>&1; ${command}`;
        return { file: shell, args: ['-c', plain], env: { TERM: 'dumb' } };
      }
    }
  };
}

/** Changes the size from outside: the kernel then tells the programs on the terminal. */
export function resizeCommand(shell: string, size: TerminalSize, ttyFile: string): BoxCommand {
  return {
    file: shell,
    args: [
      '-c',
      'read -r tty <"$3" && case $tty in /dev/*) stty rows "$1" cols "$2" <"$tty" ;; esac',
      'resize',
      String(size.rows),
      String(size.cols),
      ttyFile,
    ],
  };
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
