import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import { USUAL_TENSORBOARD_PORTS } from '../../shared/tunnels/tensorboard.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import type { SshdOptions } from '../ssh/sshd.fixture.ts';

/** Answers as TensorBoard does: what it shows are the folders in its log folder that hold event files. */
export const TENSORBOARD_PROGRAM = `#!${process.execPath}
const { createServer } = require('node:http');
const { readdirSync, existsSync } = require('node:fs');
const { join } = require('node:path');
const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const logdir = option('--logdir');
const hasEvents = (folder) => readdirSync(folder).some((name) => name.startsWith('events.out.tfevents.'));
const runs = () => readdirSync(logdir).filter((name) => hasEvents(join(logdir, name)));
createServer((request, response) => {
  const answers = {
    '/data/environment': () => ({ version: '2.20.0', data_location: logdir }),
    '/data/runs': runs,
  };
  const answer = answers[request.url];
  response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(answer ? answer() : null));
}).listen(Number(option('--port')), option('--host'));
`;

/**
 * The box is this machine, on which other tests run their TensorBoards at the same time. Looked for by their command lines, only
 * the processes of this home are there.
 */
const GREP = `#!/bin/sh
[ "$1" = -ls ] || exec /usr/bin/grep "$@"
/usr/bin/grep "$@" | while IFS= read -r file; do
  /usr/bin/grep -qsz "^HOME=$HOME$" "\${file%/cmdline}/environ" && printf '%s\\n' "$file"
done
`;

/** The home of a user on a test box, with a stand-in for TensorBoard in its PATH. */
export interface TestHome {
  readonly home: string;
  /** Makes the sessions of a test's sshd live in it. */
  readonly place: Pick<SshdOptions, 'home' | 'path'>;
  /** A folder of a run with an event file in it. */
  addRun(path: string): string;
  addJupyter(server: object): void;
  addProgram(path: string, text: string): void;
  remove(): void;
}

/** The usual ports of this machine may be those of other tests; on the box of a test, nothing listens there. */
export function withFreeUsualPorts(connection: SshConnection): SshConnection {
  const openStream: SshConnection['openStream'] = (to, signal) =>
    USUAL_TENSORBOARD_PORTS.some((port) => port === to.port)
      ? Promise.resolve(err(problem('target-refused', 'Nothing listens there.')))
      : connection.openStream(to, signal);
  return new Proxy(connection, {
    get: (target, name) => {
      if (name === 'openStream') return openStream;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}

export function makeHome({ hasTensorboard = true } = {}): TestHome {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-home-'));
  mkdirSync(join(home, 'bin'));
  const addProgram = (path: string, text: string): void => {
    writeFileSync(join(home, path), text, { mode: 0o755 });
  };
  addProgram('bin/grep', GREP);
  if (hasTensorboard) addProgram('bin/tensorboard', TENSORBOARD_PROGRAM);
  return {
    home,
    place: { home, path: `${home}/bin:/usr/bin:/bin` },
    addRun: (path) => {
      const folder = join(home, path);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'events.out.tfevents.1.host.1.0'), 'x');
      return folder;
    },
    addJupyter: (server) => {
      const folder = join(home, '.local/share/jupyter/runtime');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'jpserver-1.json'), JSON.stringify(server, null, 2));
    },
    addProgram,
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
