import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestBox } from './demo-box.fixture.ts';
import type { DemoBox } from './demo-box.ts';
import { findProgram } from './find-program.ts';

const ssh = await findProgram('ssh');

let box: DemoBox;
let folder: string;
beforeAll(async () => {
  box = await startTestBox();
  folder = await mkdtemp(join(tmpdir(), 'leasehold-openssh-'));
  await writeFile(join(folder, 'key'), box.clientKey);
  await chmod(join(folder, 'key'), 0o600);
  const { host, port } = box.address;
  const known = `[${host}]:${port} ${box.hostKey.type} ${box.hostKey.publicKey}\n`;
  await writeFile(join(folder, 'known_hosts'), known);
});
afterAll(async () => {
  await box.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The real client with strict host key checking: what any user of the box could type. */
async function runSsh(
  options: readonly string[],
  command: string,
  input: Buffer | string = '',
): Promise<{ stdout: Buffer; stderr: string; code: number | null }> {
  const { host, port, user } = box.address;
  const args = [
    ...['-F', 'none', '-p', String(port), '-i', join(folder, 'key')],
    ...['-o', 'IdentitiesOnly=yes', '-o', 'StrictHostKeyChecking=yes', '-o', 'BatchMode=yes'],
    ...['-o', `UserKnownHostsFile=${join(folder, 'known_hosts')}`],
    ...options,
    `${user}@${host}`,
    command,
  ];
  const client = spawn(ssh ?? 'ssh', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const stdout: Buffer[] = [];
  let stderr = '';
  client.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  client.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  client.stdin.end(input);
  const [code] = (await once(client, 'close')) as [number | null];
  return { stdout: Buffer.concat(stdout), stderr, code };
}

describe('OpenSSH’s client', () => {
  beforeEach(({ skip }) => skip(ssh === null, 'the OpenSSH client is not installed'));

  it('runs a command with separate streams and its exit code', async () => {
    const { stdout, stderr, code } = await runSsh([], 'echo out; echo err >&2; exit 3');
    expect([stdout.toString(), stderr, code]).toEqual(['out\n', 'err\n', 3]);
  });

  it('carries 10 MB there and back without a changed byte', async () => {
    const bytes = randomBytes(10 * 1024 * 1024);
    const { stdout, code } = await runSsh([], 'cat', bytes);
    expect(code).toBe(0);
    expect(hash(stdout)).toBe(hash(bytes));
  });

  it('says 255 when a signal ended the command', async () => {
    expect(await runSsh([], 'kill -TERM $$')).toMatchObject({ code: 255 });
  });

  it('gets a terminal', async () => {
    const { stdout, code } = await runSsh(['-tt'], 'test -t 0 && test -t 1 && tty; exit 6');
    expect(stdout.toString()).toMatch(/^\/dev\//);
    expect(code).toBe(6);
  });

  it('reads the cards', async () => {
    const { stdout } = await runSsh([], 'nvidia-smi -L');
    expect(stdout.toString().trim().split('\n')).toHaveLength(2);
  });

  it('is refused as another user', async () => {
    const { code, stderr } = await runSsh(['-l', 'root'], 'true');
    expect(code).toBe(255);
    expect(stderr).toContain('Permission denied (publickey)');
  });

  it('is refused remote forwarding', async () => {
    const { code } = await runSsh(
      ['-R', '0:localhost:1', '-o', 'ExitOnForwardFailure=yes'],
      'true',
    );
    expect(code).toBe(255);
  });
});

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
