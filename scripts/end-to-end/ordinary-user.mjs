import { readFile } from 'node:fs/promises';
import { run } from '../lib/processes.mjs';
import { Refusal } from '../lib/refusal.mjs';

// Chromium's sandbox does not work for root, so root hands the end-to-end tests to this user.
const NAME = 'leasehold-e2e';

/** Where ssh and sshd look for the user's files, whatever HOME says. Each run lays it out anew and takes it away. */
export const ORDINARY_HOME = '/var/lib/leasehold-e2e';

/** @typedef {{ name: string, uid: number, gid: number }} User */

/**
 * The ordinary user that root's end-to-end tests run as, made if it is not there: a line in the user table, because ssh
 * and Node ask for one, but no password.
 * @returns {Promise<User>}
 */
export async function ensureOrdinaryUser() {
  const known = await findUser();
  if (known !== null) return known;
  const { code, text } = await run('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    ORDINARY_HOME,
    '--shell',
    '/bin/sh',
    NAME,
  ]);
  const made = await findUser();
  if (code !== 0 || made === null)
    throw new Refusal(`useradd could not make the user ${NAME}:\n${text.trimEnd()}`);
  return made;
}

async function findUser() {
  const line = (await readFile('/etc/passwd', 'utf8'))
    .split('\n')
    .find((row) => row.startsWith(`${NAME}:`));
  if (line === undefined) return null;
  const [name = '', , uid, gid] = line.split(':');
  return { name, uid: Number(uid), gid: Number(gid) };
}
