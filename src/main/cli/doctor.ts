import type { Command, CommandContext } from './command.ts';
import { findElectron } from './electron-check.ts';
import { findProgram, firstLineOf } from './find-program.ts';
import { checkKeyring } from './keyring-check.ts';
import { tableLines } from './table.ts';

/** One thing that Leasehold uses on this machine. `unknown`: it could not be found out, which is not "fine". */
interface Check {
  readonly name: string;
  readonly status: 'found' | 'missing' | 'unknown';
  readonly version: string | null;
  readonly path: string | null;
  /** What it is for, or what is wrong with it. */
  readonly detail: string;
}

/** The programs of this machine that are used, and how each says its version. */
const PROGRAMS: readonly (readonly [name: string, args: readonly string[], use: string])[] = [
  ['ssh', ['-V'], 'OpenSSH’s client'],
  ['rsync', ['--version'], 'rsync’s client'],
  ['tmux', ['-V'], 'terminal multiplexer'],
];

export const doctor: Command = {
  name: 'doctor',
  summary: 'checks what Leasehold uses on this machine: runtime, keyring, ssh, rsync, tmux',
  operands: [],
  flags: {},
  details: ['Exit code 0 only when everything was found; 1 when something is missing or unknown.'],
  async run({ isJson }, context) {
    const checks = [
      checkNode(),
      await checkElectron(context),
      { name: 'keyring', ...(await describeKeyring(context)) },
      ...(await Promise.all(PROGRAMS.map((program) => checkProgram(program, context)))),
    ];
    if (isJson) await context.out.json({ checks });
    else {
      const rows = checks.map((check) => [
        check.name,
        check.status,
        check.version,
        check.path,
        check.detail,
      ]);
      await context.out.lines(tableLines(['what', 'status', 'version', 'path', 'note'], rows));
    }
    return checks.every(({ status }) => status === 'found') ? 0 : 1;
  },
};

function checkNode(): Check {
  return {
    name: 'node',
    status: 'found',
    version: process.versions.node,
    path: process.execPath,
    detail: 'runs this command',
  };
}

async function checkElectron(context: CommandContext): Promise<Check> {
  const found = await findElectron(context);
  if (found === null) {
    const detail = 'the window’s runtime: `npm start` fetches one';
    return { name: 'electron', status: 'missing', version: null, path: null, detail };
  }
  return { name: 'electron', status: 'found', ...found, detail: 'the window’s runtime' };
}

async function describeKeyring({ env, platform }: CommandContext): Promise<Omit<Check, 'name'>> {
  const { kind, detail } = await checkKeyring(env, platform);
  const consequence =
    kind === 'missing' ? `${detail}: secrets are kept for a session only` : detail;
  return { status: kind, version: null, path: null, detail: consequence };
}

async function checkProgram(
  [name, args, use]: (typeof PROGRAMS)[number],
  { env, platform }: CommandContext,
): Promise<Check> {
  const found = await findProgram(name, env, platform);
  if (found.kind !== 'found') {
    const detail = found.kind === 'unknown' ? 'there is no PATH to look along' : use;
    return { name, status: found.kind, version: null, path: null, detail };
  }
  const version = await firstLineOf(found.path, args, env);
  if (version !== null) return { name, status: 'found', version, path: found.path, detail: use };
  const detail = 'it is there but does not say its version';
  return { name, status: 'unknown', version, path: found.path, detail };
}
