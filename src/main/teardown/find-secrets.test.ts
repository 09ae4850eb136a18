import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRemoved, readSecrets, type SecretPlace } from '../../shared/teardown/read-secrets.ts';
import { secretLines } from '../../shared/teardown/secret-kinds.ts';
import {
  BOX_SHELLS,
  onboxScripts,
  ORDINARY_USER,
  type BoxShell,
} from '../onbox/onbox-scripts.fixture.ts';
import type { OnboxScript } from '../onbox/onbox-scripts.ts';

/** What no list may ever show. */
const CONTENT = 'hf_aSecretThatNobodyReads';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'leasehold-home-'));
  chmodSync(home, 0o755);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const at = (...path: readonly string[]): string => join(home, ...path);

function keep(...path: readonly string[]): string {
  const file = at(...path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, CONTENT);
  return file;
}

async function runIn(
  shell: BoxShell,
  script: OnboxScript,
  input: string,
  env: Readonly<Record<string, string>> = {},
  as: typeof ORDINARY_USER = {},
): Promise<string> {
  const [program, ...words] = [...shell, '-c', await onboxScripts.textOf(script)];
  const { stdout } = spawnSync(program ?? '', words, {
    ...{ encoding: 'utf8', input, ...as },
    env: { PATH: process.env['PATH'], HOME: home, LEASEHOLD_MARK: 'M', ...env },
  });
  return stdout;
}

async function find(
  shell: BoxShell,
  lines: readonly string[],
  env: Readonly<Record<string, string>> = {},
  as: typeof ORDINARY_USER = {},
) {
  const stdout = await runIn(
    shell,
    'secrets-find.sh',
    `${lines.join('\n')}\n`,
    {
      ...{ LEASEHOLD_MOST: '100000', LEASEHOLD_LIMIT_S: '60', LEASEHOLD_PASSWD: '/dev/null' },
      ...env,
    },
    as,
  );
  expect(stdout).not.toContain(Buffer.from(CONTENT).toString('hex'));
  const read = readSecrets(stdout, 'M');
  if (read === null) throw new Error(`it was not whole: ${stdout}`);
  return read;
}

const ALL = [...secretLines(), 'look ~'];

describe.each(BOX_SHELLS)('secrets on a box, in $name', ({ shell, isInstalled }) => {
  const told = async (...args: Parameters<typeof find> extends [unknown, ...infer R] ? R : never) =>
    (await find(shell, ...args)).found.map(({ kind, path }) => [kind, path.replace(home, '~')]);

  it.skipIf(!isInstalled)('are found by their names, and nothing else is (U34)', async () => {
    for (const path of [
      ...['.netrc', '.ssh/id_ed25519', '.aws/credentials', '.cache/huggingface/token'],
      ...['.bash_history', '.config/rclone/rclone.conf', '.kaggle/kaggle.json', 'repo/.env'],
      ...['.local/share/jupyter/runtime/jpserver-7.json', 'repo/keys/deploy.pem', 'wandb_token'],
      'repo/keys/ca-key.pem',
    ]) {
      keep(path);
    }
    for (const path of [
      ...['.ssh/id_ed25519.pub', '.ssh/authorized_keys', 'repo/.env.example', 'repo/cacert.pem'],
      ...['env/lib/site-packages/x/.env', 'repo/tokenizer.json', 'repo/train.py', 'repo/.git/.env'],
    ]) {
      keep(path);
    }
    const found = await find(shell, ALL);
    expect(found).toMatchObject({ isCut: false, unread: null });
    expect(
      found.found.map(({ kind, path }) => `${kind} ${path.replace(home, '~')}`).sort(),
    ).toEqual([
      'cloud ~/.aws/credentials',
      'env-file ~/repo/.env',
      'history ~/.bash_history',
      'hugging-face ~/.cache/huggingface/token',
      'jupyter ~/.local/share/jupyter/runtime/jpserver-7.json',
      'kaggle ~/.kaggle/kaggle.json',
      'netrc ~/.netrc',
      'rclone ~/.config/rclone/rclone.conf',
      'ssh-key ~/.ssh/id_ed25519',
      'ssh-key ~/repo/keys/ca-key.pem',
      'ssh-key ~/repo/keys/deploy.pem',
      'token-file ~/wandb_token',
    ]);
    const sure = found.found.filter(({ isSure }) => isSure).map(({ kind }) => kind);
    expect(sure).toContain('netrc');
    expect(sure).not.toContain('env-file');
  });

  it.skipIf(!isInstalled)('have any name, and lie where a link leads, once', async () => {
    const hostile = `a\nM whole\n'"$(touch ${home}/pwned) [*]\\`;
    keep(hostile, '.env');
    keep('elsewhere/.netrc');
    symlinkSync('elsewhere/.netrc', at('.netrc'));
    keep('real/credentials');
    symlinkSync('real', at('.aws'));
    symlinkSync('/none', at('.pypirc'));
    keep('work/settings-prod');
    symlinkSync('settings-prod', at('work/.env'));
    linkSync(keep('.pgpass'), at('pgpass.bak'));
    const bytes = Buffer.concat([
      Buffer.from(`${home}/`),
      Buffer.from([0xff, 0x20]),
      Buffer.from('.env'),
    ]);
    writeFileSync(bytes, CONTENT);
    const { found } = await find(shell, [...ALL, 'name *.env']);
    const paths = found.map(({ path }) => path.replace(home, '~')).sort();
    expect(paths).toEqual(
      [
        `~/${hostile}/.env`,
        '~/work/settings-prod',
        '~/elsewhere/.netrc',
        '~/real/credentials',
        '~/.pgpass',
        '~/\\xff .env',
      ].sort(),
    );
    expect(found.find(({ path }) => path.endsWith('.pgpass'))?.links).toBe(2);
    expect(existsSync(at('pwned'))).toBe(false);
    await removeFrom(shell, found);
    expect(paths.map((path) => existsSync(path.replace('~', home)))).not.toContain(true);
    expect(existsSync(bytes)).toBe(false);
    expect(existsSync(at('pgpass.bak'))).toBe(true);
  });

  it.skipIf(!isInstalled)('are found in other home folders, where those are open', async () => {
    keep('homes/ann/.netrc');
    keep('homes/bob/.netrc');
    chmodSync(at('homes/bob'), 0);
    writeFileSync(
      at('passwd'),
      [
        'ann:x:1001:1001::HOME/ann:/bin/sh',
        'bob:x:1002:1002::HOME/bob:/bin/sh',
        'bin:x:2:2::HOME/sys:/bin/sh',
      ]
        .join('\n')
        .replaceAll('HOME', at('homes')),
    );
    keep('homes/sys/.netrc');
    const found = await find(
      shell,
      secretLines(),
      { LEASEHOLD_PASSWD: at('passwd') },
      ORDINARY_USER,
    );
    expect(found.found.map(({ path }) => path)).toEqual([at('homes/ann/.netrc')]);
    expect(found.unread).toMatch(/1 home folder/);
    expect(found.found[0]).toMatchObject({ mayGo: ORDINARY_USER.uid === undefined });
    const many = Array.from(
      { length: 101 },
      (_, no) => `u${String(no)}:x:2000:2000::/u${String(no)}:`,
    );
    writeFileSync(at('passwd'), many.join('\n'));
    const cut = await find(shell, secretLines(), { LEASEHOLD_PASSWD: at('passwd') });
    expect(cut.unread).toMatch(/more home folders than one check reads/);
    chmodSync(at('homes/bob'), 0o700);
  });

  it.skipIf(!isInstalled)(
    'are told up to a bound, and it is said that there are more',
    async () => {
      for (let no = 0; no < 40; no += 1) keep(`p${String(no)}`, '.env');
      const cut = await find(shell, ALL, { LEASEHOLD_MOST: '1000' });
      expect(cut).toMatchObject({ isCut: true });
      expect(cut.found.length).toBeGreaterThan(3);
      expect(await told(['sent sent ~/.config/leasehold/X'])).toEqual([]);
      keep('.config/leasehold/X');
      expect(await told(['sent sent ~/.config/leasehold/X'])).toEqual([
        ['sent', '~/.config/leasehold/X'],
      ]);
    },
  );

  it.skipIf(!isInstalled)('are removed only where they are what was shown', async () => {
    const files = ['a/.env', 'b/.env', 'c/.env', 'd/.env', 'e/.env'].map((path) => keep(path));
    const { found } = await find(shell, ALL);
    // Written to since; another file in its place; a link in its place; its folder is a link now; away.
    writeFileSync(at('a/.env'), `${CONTENT}!`);
    rmSync(at('b/.env'));
    keep('b/other');
    renameSync(at('b/other'), at('b/.env'));
    renameSync(at('c/.env'), at('c/kept'));
    symlinkSync('kept', at('c/.env'));
    renameSync(at('d'), at('moved'));
    symlinkSync('moved', at('d'));
    rmSync(at('e/.env'));
    const inOrder = files.flatMap((path) => found.filter((each) => each.path === path));
    expect(await removeFrom(shell, inOrder)).toEqual([
      ...['changed', 'changed', 'changed', 'changed', 'gone'],
    ]);
    for (const path of ['a/.env', 'b/.env', 'c/kept', 'moved/.env']) {
      expect(readFileSync(at(path), 'utf8'), path).toContain(CONTENT);
    }
  });
});

async function removeFrom(shell: BoxShell, found: readonly SecretPlace[], remove = 'yes') {
  const input = found.map(({ line }) => `${line}\n`).join('');
  const stdout = await runIn(shell, 'secrets-remove.sh', input, { LEASEHOLD_REMOVE: remove });
  return readRemoved(stdout, 'M', found.length);
}
