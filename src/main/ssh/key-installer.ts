import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ParsedKey } from 'ssh2';
import type { Box } from '../../shared/boxes/box.ts';
import type { InstalledKey, PublicKeyChoice } from '../../shared/login/public-key.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { plainLine } from '../../shared/questions/hostile-text.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { listAgentKeys, selectAgent } from './agents.ts';
import { addAuthorizedKey } from './authorized-keys.ts';
import type { LoginMethod } from './credentials.ts';
import { expandHome } from './expand-home.ts';
import { fingerprintOf } from './host-key.ts';
import { readIdentityFile } from './identity-file.ts';
import type { Link } from './link.ts';
import { makeKeyPair } from './make-key.ts';
import type { Person } from './person.ts';
import { fileSigner, keyId, parsePublicKey } from './signer.ts';

/** More than these nobody chooses from. */
const MAX_CHOICES = 30;
/** The one that Leasehold makes for itself: the same for each box, so that a second try does not make a second. */
const OWN_KEY = '~/.ssh/leasehold_ed25519';

export interface InstallRequest {
  readonly box: Box;
  readonly link: Link;
  readonly person: Person;
  readonly env: NodeJS.ProcessEnv;
  /** One of the `.pub` files that were listed; null: Leasehold's own, made now if it is not there. */
  readonly publicKeyFile: string | null;
  readonly signal: AbortSignal;
}

/** The person's public keys in ~/.ssh. */
export async function listPublicKeys(): Promise<readonly PublicKeyChoice[]> {
  const folder = expandHome('~/.ssh');
  const names = existsSync(folder) ? await readdir(folder) : [];
  const choices: PublicKeyChoice[] = [];
  for (const name of names.filter((each) => each.endsWith('.pub')).sort()) {
    const file = join(folder, name);
    if (file === ownPublicKey()) continue;
    const key = await readPublicKey(file);
    if (key === null || choices.length >= MAX_CHOICES) continue;
    const { type } = key;
    const comment = plainLine(key.comment, 80);
    choices.push({ file, type, comment, fingerprint: fingerprint(key), line: lineOf(key) });
  }
  return choices;
}

/** Puts a key on the box over its link, and says so only after a new log-in with that very key. */
export async function installKey(request: InstallRequest): Promise<Result<InstalledKey, Problem>> {
  const { box, link, publicKeyFile, env } = request;
  if (link.connection === null) {
    return err(problem('not-connected', `${box.name} is not connected, so no key was installed.`));
  }
  const file = publicKeyFile ?? ownPublicKey();
  if (publicKeyFile === null && !existsSync(file)) {
    const made = await makeKeyPair(withoutPub(file), env);
    if (!made.ok) return made;
  }
  const key = await readPublicKey(file);
  if (key === null) return err(problem('bad-input', `${file} is not a public key any more.`));

  const typeAndKey = `${key.type} ${keyId(key)}`;
  const added = await addAuthorizedKey(link.connection, { line: lineOf(key), typeAndKey });
  if (!added.ok) return added;

  const proven = await prove(request, file, key);
  if (!proven.ok) return err(notProven(box, file, added.value, proven.error));
  return ok({
    keyFile: withoutPub(file),
    fingerprint: fingerprint(key),
    outcome: added.value,
  });
}

function lineOf(key: ParsedKey): string {
  return `${key.type} ${keyId(key)} ${plainLine(key.comment, 80)}`.trim();
}

/** Only a server that lets the key in says that it is installed: a forced command, a ban or a moved file all look well. */
async function prove(
  { link, person, env, signal }: InstallRequest,
  file: string,
  publicKey: ParsedKey,
): Promise<Result<null, Problem>> {
  const method = await privateHalf(file, publicKey, env);
  if (method === null) {
    return err(
      problem(
        'no-credentials',
        `Its private half is neither at ${withoutPub(file)} nor in the agent.`,
      ),
    );
  }
  const opened = await link.openBeside(
    [method, { kind: 'person', person: onlyForKeys(person) }],
    signal,
  );
  if (!opened.ok) return opened;
  opened.value.close();
  return ok(null);
}

async function privateHalf(
  file: string,
  publicKey: ParsedKey,
  env: NodeJS.ProcessEnv,
): Promise<LoginMethod | null> {
  const identity = await readIdentityFile(withoutPub(file));
  if (identity.kind === 'usable') {
    return { kind: 'signer', signer: fileSigner(identity.key, identity.label) };
  }
  const socket = selectAgent(env, process.platform);
  const inAgent = socket === null ? [] : (await listAgentKeys(socket)).signers;
  const signer = inAgent.find(({ id }) => id === keyId(publicKey));
  if (signer !== undefined) return { kind: 'signer', signer };
  if (identity.kind !== 'locked') return null;
  return { kind: 'locked-key', key: { ...identity.key, publicKey } };
}

/** A password would get in as well, and prove nothing about the key. */
function onlyForKeys(person: Person): Person {
  const refuse = () => ({
    answered: Promise.resolve(err(problem('auth-refused', 'The box did not accept the key.'))),
    loginLost: () => undefined,
  });
  return {
    meets: (hostKey) => person.meets(hostKey),
    recall: (key, signal) => person.recall(key, signal),
    unlock: (key, signal) => person.unlock(key, signal),
    password: refuse,
    prompts: refuse,
    loggedIn: () => undefined,
  };
}

async function readPublicKey(file: string): Promise<ParsedKey | null> {
  try {
    return parsePublicKey(await readFile(file, 'utf8'));
  } catch {
    return null; // gone or unreadable: nothing to choose
  }
}

function ownPublicKey(): string {
  return `${expandHome(OWN_KEY)}.pub`;
}

function withoutPub(file: string): string {
  return file.replace(/\.pub$/, '');
}

function fingerprint(key: ParsedKey): string {
  return fingerprintOf(key.getPublicSSH());
}

function notProven(
  { name }: Box,
  file: string,
  outcome: InstalledKey['outcome'],
  { message, nextStep, detail }: Problem,
): Problem {
  const what = outcome === 'added' ? 'was added to' : 'was already in';
  return problem(
    'key-not-installed',
    `${basename(file)} ${what} ~/.ssh/authorized_keys on ${name} and read back, but a new log-in with it failed: ${message} The connection that is up and your password are not affected.`,
    { nextStep, ...(detail !== undefined && { detail }) },
  );
}
