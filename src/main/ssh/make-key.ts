import { execFile } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { findProgram } from '../cli/find-program.ts';
import { errnoOf, fileProblem } from '../storage/file-problem.ts';
import { readIdentityFile } from './identity-file.ts';
import { renderOpenSshKey } from './openssh-key.ts';
import { field } from './wire-fields.ts';

const COMMENT = 'leasehold';
const KEYGEN_TIMEOUT_MS = 20_000;
/** ssh2 refuses some keys that are in order: about 7 of 3,000 that Node made. A second one is as good. */
const MAX_TRIES = 5;

const run = promisify(execFile);

/** Makes an ed25519 key pair without a passphrase at `file` and `file.pub`. Never writes over anything. */
export async function makeKeyPair(
  file: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<null, Problem>> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const keygen = await findProgram('ssh-keygen', env, process.platform);
    for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
      if (keygen.kind === 'found') await makeWithKeygen(keygen.path, file);
      else await makeWithNode(file);
      const made = await readIdentityFile(file);
      if (made.kind === 'usable') return ok(null);
      await Promise.all([rm(file), rm(`${file}.pub`)]);
    }
  } catch (cause) {
    if (errnoOf(cause) === null) return err(notMade(String(cause)));
    return err(
      fileProblem(cause, { failed: 'No key was made', file, otherwise: 'folder-read-only' }),
    );
  }
  return err(notMade('what was made could not be read back'));
}

async function makeWithKeygen(program: string, file: string): Promise<void> {
  const args = ['-q', '-t', 'ed25519', '-N', '', '-C', COMMENT, '-f', file];
  const child = run(program, args, { timeout: KEYGEN_TIMEOUT_MS, killSignal: 'SIGKILL' });
  // Where the file is there already it asks; "no" is the answer.
  child.child.stdin?.end();
  await child;
}

/** For systems without OpenSSH. */
export async function makeWithNode(file: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { d = '', x = '' } = privateKey.export({ format: 'jwk' });
  const pair = { seed: Buffer.from(d, 'base64url'), publicKey: Buffer.from(x, 'base64url') };
  const blob = publicBlob(pair.publicKey);
  await writeFile(file, renderPrivateKey(pair.seed, pair.publicKey), { mode: 0o600, flag: 'wx' });
  await writeFile(`${file}.pub`, `ssh-ed25519 ${blob.toString('base64')} ${COMMENT}\n`, {
    mode: 0o644,
    flag: 'wx',
  });
}

function publicBlob(publicKey: Buffer): Buffer {
  return Buffer.concat([field('ssh-ed25519'), field(publicKey)]);
}

function renderPrivateKey(seed: Buffer, publicKey: Buffer): string {
  const check = randomBytes(4);
  const inner = Buffer.concat([
    check,
    check,
    publicBlob(publicKey),
    field(Buffer.concat([seed, publicKey])),
    field(COMMENT),
  ]);
  return renderOpenSshKey(publicBlob(publicKey), inner);
}

function notMade(detail: string): Problem {
  return problem('key-not-installed', 'No key was made. Nothing was changed on the box.', {
    nextStep: 'Make one with “ssh-keygen -t ed25519” in a terminal, then choose it here.',
    detail: detail.slice(0, 300),
  });
}
