import { createRedactor } from '../log/redact.ts';
import { becomeOrdinaryUser, tell } from '../storage/disk.fixture.ts';
import { openSecrets, type Keeping, type Vault } from './secrets.ts';

/** A stand-in for the system's keyring: not secure, but not the plain text either, and it refuses what is not its own. */
export function fakeVault(mark = 'v', available: Keeping = { isKept: true }): Vault {
  const turn = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ 0xa5));
  return {
    isAvailable: () => available,
    encrypt: (text) => Buffer.concat([Buffer.from(mark), turn(Buffer.from(text, 'utf8'))]),
    decrypt: (encrypted) => {
      if (encrypted.subarray(0, mark.length).toString() !== mark) throw new Error('not mine');
      return turn(encrypted.subarray(mark.length)).toString('utf8');
    },
  };
}

// `write <folder>`: saves one secret after the other and tells each name once it is saved, until it is killed.
// `try <folder>`: as an ordinary user, gets one, sets one, and prints what came of it as JSON.

const [, , task, folder = ''] = process.argv;

async function open(): ReturnType<typeof openSecrets> {
  return openSecrets({ folder, vault: fakeVault(), redactor: createRedactor() });
}

if (task === 'write') {
  const { secrets } = await open();
  for (let n = 1; ; n += 1) {
    const saved = await secrets.set(`name-${n}`, `value of ${n}`);
    if (!saved.ok) throw new Error(saved.error.message);
    tell(n);
  }
} else if (task === 'try') {
  becomeOrdinaryUser();
  const { secrets, problems } = await open();
  const got = secrets.get('kept');
  const value = got.ok ? (got.value?.reveal() ?? null) : null;
  const set = await secrets.set('other', 'new value');
  const forgotten = await secrets.forget('kept');
  tell(JSON.stringify({ problems, value, set, forgotten, names: secrets.names() }));
}
