import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { utils, type AnyAuthMethod } from 'ssh2';
import type { Box } from '../../shared/boxes/box.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** Ways to log in, in the order in which they are tried. */
export type Credentials = readonly [LoginMethod, ...LoginMethod[]];
export type LoginMethod =
  | { readonly kind: 'key'; readonly privateKey: string }
  | { readonly kind: 'agent'; readonly socket: string };

/** What OpenSSH tries by default, newest first. */
const USUAL_FILES = ['id_ed25519', 'id_ecdsa', 'id_rsa'];

/** The named key file, else the agent and the usual files. Keys with a passphrase are left to the agent. */
export async function gatherCredentials(
  box: Box,
  env: NodeJS.ProcessEnv,
): Promise<Result<Credentials, Problem>> {
  const { identityFiles } = box.login;
  if (identityFiles.length > 0) return readNamedKeys(identityFiles);
  const methods: LoginMethod[] = [];
  const socket = env['SSH_AUTH_SOCK'];
  if (socket !== undefined && socket !== '') methods.push({ kind: 'agent', socket });
  for (const name of USUAL_FILES) {
    const text = await readFile(join(homedir(), '.ssh', name), 'utf8').catch(() => null);
    if (text !== null && judgeKey(text) === 'usable')
      methods.push({ kind: 'key', privateKey: text });
  }
  const [first, ...rest] = methods;
  if (first !== undefined) return ok([first, ...rest]);
  return err(
    problem('no-credentials', `There is no key to log in to ${box.name} with.`, {
      detail: 'no SSH agent, and no usable id_ed25519, id_ecdsa or id_rsa in ~/.ssh',
    }),
  );
}

/** Each file that can be used, in that order; the first reason where none can. */
async function readNamedKeys(files: readonly string[]): Promise<Result<Credentials, Problem>> {
  const read = await Promise.all(files.map(readNamedKey));
  const [first, ...rest] = read.flatMap((each) => (each.ok ? each.value : []));
  if (first !== undefined) return ok([first, ...rest]);
  const refused = read.find((each) => !each.ok);
  return refused ?? err(problem('no-credentials', 'No key file is named.'));
}

async function readNamedKey(file: string): Promise<Result<Credentials, Problem>> {
  const path = file.startsWith('~/') ? join(homedir(), file.slice(2)) : file;
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unreadable';
    return err(problem('no-credentials', `The key file ${file} cannot be read (${code}).`));
  }
  switch (judgeKey(text)) {
    case 'usable':
      return ok([{ kind: 'key', privateKey: text }]);
    case 'needs-passphrase':
      return err(
        problem('no-credentials', `The key file ${file} is protected by a passphrase.`, {
          nextStep: `Run “ssh-add ${file}” and leave the key file field empty: the agent then logs in.`,
        }),
      );
    case 'not-a-key':
      return err(problem('no-credentials', `The file ${file} is not a private key.`));
  }
}

function judgeKey(text: string): 'usable' | 'needs-passphrase' | 'not-a-key' {
  const parsed = utils.parseKey(text);
  if (!(parsed instanceof Error)) return parsed.isPrivateKey() ? 'usable' : 'not-a-key';
  return /passphrase|encrypted/i.test(parsed.message) ? 'needs-passphrase' : 'not-a-key';
}

export function toAuthMethods(credentials: Credentials, username: string): AnyAuthMethod[] {
  return credentials.map((method) =>
    method.kind === 'agent'
      ? { type: 'agent', username, agent: method.socket }
      : { type: 'publickey', username, key: method.privateKey },
  );
}
