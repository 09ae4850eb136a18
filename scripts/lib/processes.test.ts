import { constants } from 'node:os';
import { describe, expect, it } from 'vitest';
import { run } from './processes.mjs';

const node = (script: string): ReturnType<typeof run> => run(process.execPath, ['-e', script]);

describe('running a command', () => {
  it('answers exit code, stdout, and both streams together', async () => {
    expect(await node('console.log(1); console.error(2); process.exitCode = 3')).toEqual({
      code: 3,
      stdout: '1\n',
      text: expect.stringMatching(/^(1\n2|2\n1)\n$/),
    });
  });

  it.skipIf(process.platform === 'win32')(
    'answers 128 and the number of a signal that ended it',
    async () => {
      expect((await node('process.kill(process.pid, "SIGKILL")')).code).toBe(137);
    },
  );

  it('leaves the processor to others where it is told to', async () => {
    const priority = 'process.stdout.write(String(os.getPriority()))';
    const { stdout } = await run(process.execPath, ['-e', priority], {
      niceness: constants.priority.PRIORITY_LOW,
    });
    expect(Number(stdout)).toBe(constants.priority.PRIORITY_LOW);
  });

  it('answers 127 for what could not be started', async () => {
    const { code, text } = await run('no-such-command-anywhere', []);
    expect(code).toBe(127);
    expect(text).toContain('no-such-command-anywhere');
  });
});
