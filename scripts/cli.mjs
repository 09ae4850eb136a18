// npm run -s cli -- COMMAND: the headless command line, under plain Node. Set-up says what it does on stderr only.
import { spawn } from 'node:child_process';
import { onCleanup, runScript } from './lib/cleanups.mjs';
import { inRoot } from './lib/paths.mjs';
import { exitCode } from './lib/processes.mjs';
import { CLI, ensureBuild } from './setup/build.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';

runScript(async () => {
  await ensureNodeModules();
  await ensureBuild();
  // Not a group of its own, as our other children are: it reads from the terminal.
  const child = spawn(process.execPath, [inRoot(CLI), ...process.argv.slice(2)], {
    stdio: 'inherit',
    // npm moves to the project's folder; a file that the person names lies where they are.
    cwd: process.env['INIT_CWD'] ?? process.cwd(),
  });
  const exited = exitCode(child);
  onCleanup(async () => {
    child.kill('SIGTERM');
    await exited;
  });
  return await exited;
});
