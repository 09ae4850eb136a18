import { execFileSync, spawnSync, type SpawnSyncOptions } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forAnyShell } from '../../shared/boxes/any-shell.ts';
import { INSTALL_COMMAND } from './authorized-keys.ts';

/** Login shells hand the command to sh; each of these must leave it as it is. */
const SHELLS = ['sh', 'dash', 'bash', 'busybox sh', 'zsh', 'fish', 'tcsh'].filter(
  (shell) => run(shell, 'true').status === 0,
);
const LINE = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB me@laptop';
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB';

let home: string;
const file = (): string => join(home, '.ssh', 'authorized_keys');

beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'leasehold-home-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

function install(shell = 'sh', input = `${LINE}\n${KEY}\n`) {
  const env = { PATH: process.env['PATH'], HOME: home };
  const { status, stdout } = run(shell, forAnyShell(INSTALL_COMMAND), { env, input, cwd: '/' });
  return { status, stdout };
}

function run(shell: string, command: string, options: SpawnSyncOptions = {}) {
  const [program = 'sh', ...args] = shell.split(' ');
  return spawnSync(program, [...args, '-c', command], { ...options, encoding: 'utf8' });
}

describe('the command that installs a key', () => {
  it.each(SHELLS)('adds it once under %s, with the modes that sshd wants', (shell) => {
    expect(install(shell)).toEqual({ status: 0, stdout: 'leasehold:added\n' });
    expect(install(shell)).toEqual({ status: 0, stdout: 'leasehold:present\n' });
    expect(readFileSync(file(), 'utf8')).toBe(`${LINE}\n`);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, '.ssh')).mode & 0o777).toBe(0o700);
  });

  it('keeps what is there, also where the last line has no end', () => {
    mkdirSync(join(home, '.ssh'), { mode: 0o755 });
    writeFileSync(file(), '# mine\nssh-rsa AAAAB3 other', { mode: 0o644 });
    expect(install().stdout).toBe('leasehold:added\n');
    expect(readFileSync(file(), 'utf8')).toBe(`# mine\nssh-rsa AAAAB3 other\n${LINE}\n`);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('finds the key behind options and another comment, but not in a comment', () => {
    mkdirSync(join(home, '.ssh'));
    writeFileSync(file(), `no-pty ${KEY} old name\n`);
    expect(install().stdout).toBe('leasehold:present\n');
    writeFileSync(file(), `  # ${LINE}\n`);
    expect(install().stdout).toBe('leasehold:added\n');
  });

  it('takes what stands in the key as text, whatever it is', () => {
    const line = `${KEY} $(touch ${home}/owned) \`id\` "; touch ${home}/owned`;
    expect(install('sh', `${line}\n${KEY}\n`).stdout).toBe('leasehold:added\n');
    expect(readFileSync(file(), 'utf8')).toBe(`${line}\n`);
    expect(existsSync(join(home, 'owned'))).toBe(false);
  });

  it('tells apart what went wrong, and changes nothing without a key', () => {
    expect(install('sh', '').status).toBe(21);
    expect(existsSync(join(home, '.ssh'))).toBe(false);
    writeFileSync(join(home, '.ssh'), 'a file where the folder should be');
    expect(install().status).toBe(22);
    rmSync(join(home, '.ssh'));
    mkdirSync(file(), { recursive: true });
    expect(install().status).toBe(24);
    rmSync(home, { recursive: true });
    expect(install().status).toBe(20);
  });

  it.skipIf(process.getuid?.() !== 0)('says so when the disk of the box is full', () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k', 'tmpfs', home]);
    try {
      mkdirSync(join(home, '.ssh'));
      writeFileSync(file(), 'ssh-rsa AAAAB3 other\n');
      spawnSync('sh', ['-c', `cat /dev/zero > ${home}/full`]);
      const line = `${KEY} ${'x'.repeat(5000)}`;
      expect(install('sh', `${line}\n${KEY}\n`).status).toBe(24);
    } finally {
      execFileSync('umount', [home]);
    }
  });
});
