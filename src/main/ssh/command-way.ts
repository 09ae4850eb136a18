import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { Duplex, type Readable, type Writable } from 'node:stream';
import type { Box } from '../../shared/boxes/box.ts';
import { judgeHost, judgeUser } from '../../shared/boxes/ssh-address.ts';
import { expandTokens } from '../../shared/boxes/ssh-tokens.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { OpenWay, Way } from './way.ts';

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Stderr beyond this is dropped: its first lines say what is wrong. */
const MAX_STDERR_CHARS = 4000;
/** How long a command may take to end by itself once it was asked to. */
const KILL_AFTER_MS = 2000;
/** How much later than its output a command ends, if it ends at all. */
const EXIT_WITHIN_MS = 500;

const LATE = 'brought no answer in time';

/** OpenSSH's ProxyCommand: a command of this machine whose stdin and stdout are the way to the box. */
export const throughCommand =
  (box: Box, command: string, env: NodeJS.ProcessEnv = process.env): OpenWay =>
  (signal) => {
    const expanded = expandCommand(box, command);
    if (!expanded.ok) return Promise.resolve(expanded);
    if (signal.aborted) return Promise.resolve(err(problem('aborted', 'Connecting was stopped.')));
    return Promise.resolve(ok(wayOver(box, startInShell(expanded.value, env))));
  };

/** SECURITY: the shell reads the result, so a host or user that is more than a plain word is not put into it. */
function expandCommand(box: Box, command: string): Result<string, Problem> {
  const { host, port, user } = box.address;
  const original = box.options.configHost ?? host;
  const isPlain =
    judgeHost(host) === null && judgeHost(original) === null && judgeUser(user) === null;
  if (!isPlain) {
    return err(
      problem('proxy-command-failed', `The proxy command for ${box.name} was not run.`, {
        nextStep: 'Use a host and user name without quotes, spaces or shell characters.',
        reach: 'no-way',
      }),
    );
  }
  const expanded = expandTokens(command, { h: host, n: original, p: String(port), r: user });
  if (expanded.ok) return expanded;
  return err(
    problem('proxy-command-failed', `The proxy command contains ${expanded.error}.`, {
      nextStep: 'Use only %h, %n, %p, %r and %%, as OpenSSH allows in a ProxyCommand.',
      reach: 'no-way',
    }),
  );
}

/** As OpenSSH does it: the user's own shell, replaced by the command, in a process group that can be ended as one. */
function startInShell(command: string, env: NodeJS.ProcessEnv): Child {
  const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe'];
  if (process.platform === 'win32')
    return spawn(command, { shell: true, stdio, windowsHide: true });
  const shell = env['SHELL'] === undefined || env['SHELL'] === '' ? '/bin/sh' : env['SHELL'];
  return spawn(shell, ['-c', `exec ${command}`], { stdio, env, detached: true });
}

function wayOver(box: Box, child: Child): Way {
  let stderr = '';
  let ending: string | null = null;
  let isClosed = false;
  const stream = Duplex.from({ readable: child.stdout, writable: child.stdin });
  // A command that ends early closes both ends; the stream reports it, and what it was is told by `explain`.
  stream.on('error', () => undefined);
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (text: string) => {
    stderr = (stderr + text).slice(0, MAX_STDERR_CHARS);
  });
  child.once('error', ({ message }) => {
    ending = `could not be started (${message})`;
    stream.destroy();
  });
  // Its output ends a moment before it does.
  const exited = new Promise<void>((resolve) => {
    child.once('exit', (code, name) => {
      ending = name === null ? `ended with code ${String(code)}` : `was ended by ${name}`;
      signalGroup(child, 'SIGKILL');
      resolve();
    });
    child.once('error', () => resolve());
    child.stdout.once('close', () => setTimeout(resolve, EXIT_WITHIN_MS).unref());
  });

  return {
    stream,
    latencyMs: null,
    isDirect: false,
    close: () => {
      if (isClosed) return;
      isClosed = true;
      if (ending !== null) return;
      stream.destroy();
      signalGroup(child, 'SIGTERM');
      const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), KILL_AFTER_MS);
      child.once('exit', () => clearTimeout(timer));
    },
    explain: async (seen) => {
      if (seen.code === 'connect-timeout') return commandProblem(box, LATE, stderr, seen);
      const hasEnded = child.stdout.readableEnded || child.stdin.errored !== null;
      // A command that still listens and talks did not end the connection.
      if (seen.code !== 'link-lost' || !(hasEnded || ending !== null)) return seen;
      await exited;
      return ending === null ? seen : commandProblem(box, ending, stderr, seen);
    },
  };
}

function commandProblem(box: Box, what: string, stderr: string, seen: Problem): Problem {
  const lastLine = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const said = lastLine === '' ? '' : `: ${lastLine.slice(0, 200)}`;
  const detail = stderr === '' ? (seen.detail ?? '') : stderr;
  return problem('proxy-command-failed', `The proxy command for ${box.name} ${what}${said}.`, {
    detail,
    reach: 'no-way',
  });
}

/** The command and whatever it started. The group may be gone already. */
function signalGroup(child: Child, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause;
  }
}
