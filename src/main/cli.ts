// The headless composition root: the same readers and services as the window, without Electron.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commands } from './cli/commands.ts';
import { runCli } from './cli/run-cli.ts';
import { OutputClosed, Writer } from './cli/writer.ts';

/** What a shell reports for a program that SIGPIPE ended, which is what a closed pipe means everywhere else. */
const CLOSED_PIPE = 141;
/** Neither fine nor a finding nor wrong use: a bug (EX_SOFTWARE of sysexits). */
const BUG = 70;

/** src/main/cli.ts and out/main/cli.cjs lie equally deep in the app's folder. */
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

async function main(): Promise<number> {
  const out = new Writer(process.stdout);
  const err = new Writer(process.stderr);
  try {
    const code = await runCli(process.argv.slice(2), commands, {
      out,
      err,
      stdin: process.stdin,
      env: process.env,
      platform: process.platform,
      root,
    });
    await out.flush();
    await err.flush();
    return code;
  } catch (cause) {
    if (cause instanceof OutputClosed) return CLOSED_PIPE;
    const stack = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    await err.lines(['leasehold: this is a bug; please report it.', ...stack.split('\n')]);
    return BUG;
  }
}

void main().then((code) => {
  process.exitCode = code;
});
