import { expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { err } from '../../shared/result.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { FileSessions } from './file-sessions.ts';

it('asks again after a try that threw, as it does after a refusal', async () => {
  const refusal = err(problem('sftp-refused', 'The box has no file channel.'));
  const tries = [
    () => Promise.reject(new Error('a part of the app could not be loaded')),
    () => Promise.resolve(refusal),
    () => Promise.resolve(refusal),
  ];
  const connection = { openFiles: () => tries.shift()?.() } as unknown as SshConnection;
  const sessions = new FileSessions({ connectionOf: () => connection });
  await expect(sessions.lease('box')).rejects.toThrow('could not be loaded');
  expect(await sessions.lease('box')).toEqual(refusal);
  expect(await sessions.lease('box')).toEqual(refusal);
  expect(tries).toEqual([]);
  sessions.close();
});
