import { join } from 'node:path';
import ssh2, { type ParsedKey } from 'ssh2';
import type { Login } from '../../shared/boxes/login.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { listAgentKeys, selectAgent } from './agents.ts';
import { hasCertificateBeside, readIdentityFile, type LockedKey } from './identity-file.ts';
import type { Person } from './person.ts';
import { fileSigner, keyId, type Signer } from './signer.ts';

/** Ways to log in, in the order in which they are tried. */
export type Credentials = readonly [LoginMethod, ...LoginMethod[]];
export type LoginMethod =
  | { readonly kind: 'key'; readonly privateKey: string }
  | { readonly kind: 'agent'; readonly socket: string }
  | { readonly kind: 'signer'; readonly signer: Signer }
  /** A key file with a passphrase: the server is asked first whether it knows the key. */
  | { readonly kind: 'locked-key'; readonly key: LockedKey & { readonly publicKey: ParsedKey } }
  | { readonly kind: 'person'; readonly person: Person }
  /** Something that could not be used, for the list of what was tried. */
  | { readonly kind: 'note'; readonly text: string }
  /** A certificate that the person has and ssh2 cannot use. */
  | { readonly kind: 'certificate'; readonly file: string };

/** What OpenSSH tries by default, newest first. */
const USUAL_FILES = ['id_ed25519', 'id_ecdsa', 'id_rsa'];

export interface GatherOptions {
  readonly boxName: string;
  readonly login: Login;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** Null: nobody is there to ask. */
  readonly person: Person | null;
  readonly signal: AbortSignal;
}

/**
 * Named keys first, those that the agent holds before those in files; then the agent's other keys, or the usual files.
 * OpenSSH would offer the whole agent first, which on a server that allows few tries shuts out the key that was named.
 */
export async function gatherCredentials(
  options: GatherOptions,
): Promise<Result<Credentials, Problem>> {
  const { boxName, login, env, platform, person } = options;
  const named = login.identityFiles.length > 0;
  const files = named ? login.identityFiles : USUAL_FILES.map((name) => join('~/.ssh', name));
  const found = await readFiles(files, named, options);
  if (!found.ok) return found;

  const socket = selectAgent(env, platform);
  const agent = socket === null ? null : await listAgentKeys(socket);
  const inAgent = agent?.signers ?? [];
  const wanted = new Set(found.value.publicIds);
  const chosen = inAgent.filter(({ id }) => wanted.has(id));
  const others = login.isOnlyIdentities ? [] : inAgent.filter(({ id }) => !wanted.has(id));
  const asMethods = (signers: readonly Signer[]): LoginMethod[] =>
    signers.map((signer) => ({ kind: 'signer', signer }));

  const methods: LoginMethod[] = [
    ...asMethods(chosen),
    ...(named ? found.value.methods : []),
    ...asMethods(others),
    ...(named ? [] : found.value.methods),
    ...(await findCertificates(login, files)),
  ];
  const failure = agent?.failure ?? null;
  if (failure !== null) methods.push({ kind: 'note', text: failure });
  if (person !== null) methods.push({ kind: 'person', person });
  const [first, ...rest] = methods;
  const isUsable = methods.some(({ kind }) => kind !== 'note' && kind !== 'certificate');
  if (first !== undefined && isUsable) return ok([first, ...rest]);
  return err(
    problem('no-credentials', `There is no key to log in to ${boxName} with.`, {
      detail: 'no SSH agent, and no usable id_ed25519, id_ecdsa or id_rsa in ~/.ssh',
    }),
  );
}

interface FoundKeys {
  readonly methods: readonly LoginMethod[];
  /** All keys that the files stand for: the agent may hold their private halves. */
  readonly publicIds: readonly string[];
}

async function readFiles(
  files: readonly string[],
  isNamed: boolean,
  { person, signal }: GatherOptions,
): Promise<Result<FoundKeys, Problem>> {
  const methods: LoginMethod[] = [];
  const publicIds: string[] = [];
  const unusable: string[] = [];
  for (const file of files) {
    const identity = await readIdentityFile(file);
    switch (identity.kind) {
      case 'usable':
        methods.push({ kind: 'signer', signer: fileSigner(identity.key, identity.label) });
        publicIds.push(keyId(identity.key));
        break;
      case 'public':
        publicIds.push(keyId(identity.key));
        break;
      case 'locked': {
        const { publicKey } = identity.key;
        if (publicKey !== null) {
          methods.push({ kind: 'locked-key', key: { ...identity.key, publicKey } });
          publicIds.push(keyId(publicKey));
        } else if (isNamed && person !== null) {
          // Nothing tells its public half, so the person comes first, and no connection waits meanwhile.
          const recalled = await person.recall(identity.key, signal);
          const opened =
            recalled === null ? await person.unlock(identity.key, signal) : ok(recalled);
          if (!opened.ok) return opened;
          methods.push({ kind: 'signer', signer: fileSigner(opened.value, identity.key.label) });
        } else {
          unusable.push(`${file} is protected by a passphrase and has no .pub file beside it`);
        }
        break;
      }
      case 'unusable':
        // Of the usual files, most are simply not there.
        if (isNamed) unusable.push(`The key file ${file} ${identity.because}`);
        break;
    }
  }
  const [firstUnusable] = unusable;
  if (isNamed && publicIds.length === 0 && methods.length === 0 && firstUnusable !== undefined) {
    return err(problem('no-credentials', `${firstUnusable}.`));
  }
  methods.push(...unusable.map((text): LoginMethod => ({ kind: 'note', text })));
  return ok({ methods, publicIds });
}

/**
 * ssh2 1.17 has no way to present a certificate: its key parser refuses the type, its agent drops such keys, and it
 * would name the certificate's type in the signature, where OpenSSH's server wants the plain key's.
 */
async function findCertificates(
  { certificateFiles }: Login,
  files: readonly string[],
): Promise<readonly LoginMethod[]> {
  const found = [...certificateFiles];
  for (const file of files) {
    if (await hasCertificateBeside(file)) found.push(`${file}-cert.pub`);
  }
  return found.map((file) => ({ kind: 'certificate', file }));
}

/** A credential that needs no gathering, as the demo box's: one key in memory, or all keys of an agent. */
export async function signersOf(method: LoginMethod): Promise<readonly Signer[]> {
  switch (method.kind) {
    case 'key': {
      const key = ssh2.utils.parseKey(method.privateKey);
      return key instanceof Error ? [] : [fileSigner(key, 'the given key')];
    }
    case 'agent':
      return (await listAgentKeys(method.socket)).signers;
    case 'signer':
      return [method.signer];
    case 'locked-key':
    case 'person':
    case 'note':
    case 'certificate':
      return [];
  }
}
