import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseListeningPorts } from '../../shared/probes/listening-ports.ts';
import { BOX_SHELLS, runOnboxScript } from '../onbox/onbox-scripts.fixture.ts';

const V6 = '0'.repeat(32);
const line = (address: string, port: string, inode: number, state = '0A'): string =>
  `   0: ${address}:${port} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000 0 0 ${String(inode)} 1`;

describe.each(BOX_SHELLS)('listening-ports.sh under $name', ({ shell, isInstalled }) => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'leasehold-onbox-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const list = async (proc = root) =>
    parseListeningPorts(
      await runOnboxScript(shell, 'listening-ports.sh', {
        PATH: process.env['PATH'] ?? '',
        LEASEHOLD_PROC_ROOT: proc,
      }),
    );

  it.skipIf(!isInstalled)('names each port once, with its program where that shows', async () => {
    for (const folder of ['net', '41/fd', '5/fd']) {
      mkdirSync(join(root, folder), { recursive: true });
    }
    symlinkSync('socket:[4711]', join(root, '41/fd/7'));
    symlinkSync('/dev/null', join(root, '5/fd/0'));
    writeFileSync(join(root, '41/comm'), 'tensor\nL 1 00000000 x\n');
    const tcp = [
      line('0100007F', '1776', 4711),
      line('00000000', '0016', 9),
      line('0100007F', '1F90', 10, '01'),
    ];
    writeFileSync(join(root, 'net/tcp'), `sl local\n${tcp.join('\n')}\n`);
    const tcp6 = [line(V6, '0016', 8), line(`${V6.slice(0, 24)}01000000`, '22B8', 11)];
    writeFileSync(join(root, 'net/tcp6'), `sl local\n${tcp6.join('\n')}\n`);
    expect(await list()).toEqual({
      ports: [
        { port: 22, program: null, host: '127.0.0.1' },
        { port: 6006, program: 'tensor?L 1 00000000 x', host: '127.0.0.1' },
        { port: 8888, program: null, host: '::1' },
      ],
      isCut: false,
      unreadable: 0,
    });
  });

  it.skipIf(!isInstalled)('says that there are more than it tells', async () => {
    mkdirSync(join(root, 'net'));
    const rows = (count: number): string =>
      Array.from({ length: count }, (_, i) =>
        line('0100007F', (4096 + i).toString(16).toUpperCase(), 5000 + i),
      ).join('\n');
    for (const [count, isCut] of [
      [200, false],
      [201, true],
    ] as const) {
      writeFileSync(join(root, 'net/tcp'), `sl local\n${rows(count)}\n`);
      const told = await list();
      expect([told.ports?.length, told.isCut]).toEqual([200, isCut]);
    }
  });

  it.skipIf(!isInstalled)(
    'says that nothing is known without the table, and none is none',
    async () => {
      expect((await list()).ports).toBeNull();
      mkdirSync(join(root, 'net'));
      writeFileSync(join(root, 'net/tcp'), 'sl local\n');
      expect((await list()).ports).toEqual([]);
    },
  );

  it.skipIf(!isInstalled || process.platform !== 'linux')('finds a real port of ours', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const found = (await list('/proc')).ports?.find((each) => each.port === port);
    await new Promise((resolve) => server.close(resolve));
    expect(found).toMatchObject({ host: '127.0.0.1', program: expect.stringMatching(/./) });
  });
});
