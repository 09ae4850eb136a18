import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from '@playwright/test';
import { build } from 'vite';
import { libsqlWithoutSearch } from '../scripts/packaging/libsql-binding.mjs';
import type { Workers } from '../src/main/workers/workers.ts';
import { PATIENT, startElectron } from './fixtures/app.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** What no bundle can hold: libsql's native part, with which a worker asks SQLite for its words. */
const NATIVE = ['electron', /^@libsql\//];

let folder: string;
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-workers-'));
  writeFileSync(
    join(folder, 'package.json'),
    '{"name":"workers","version":"1.0.0","main":"main.cjs"}',
  );
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await build({
    configFile: false,
    logLevel: 'error',
    plugins: [libsqlWithoutSearch()],
    build: {
      ssr: true,
      outDir: folder,
      target: 'node18',
      rollupOptions: {
        input: {
          main: join(ROOT, 'e2e/fixtures/workers-main.ts'),
          worker: join(ROOT, 'src/main/workers/worker.ts'),
        },
        external: NATIVE,
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
    ssr: { noExternal: true, external: ['electron'] },
  });
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a worker is a process: its death costs its own job, and it does not outlive main', async () => {
  test.skip(process.platform !== 'linux', 'reads /proc');
  const bytes = Buffer.alloc(3_000_000, 'leasehold');
  writeFileSync(join(folder, 'file'), bytes);
  const app = await startElectron(folder, { app: folder });
  // Playwright may be attached before the script has run.
  await expect.poll(() => app.evaluate(() => 'workers' in globalThis)).toBe(true);
  const run = (path: string) =>
    app.evaluate(async (_electron, file) => {
      const { workers } = globalThis as unknown as { workers: Workers };
      const result = await workers.run('prove-file', { path: file, name: null });
      return result.ok ? result.value.sha256 : result.error.code;
    }, path);
  const workerPids = () =>
    app.evaluate(({ app: { getAppMetrics } }) =>
      getAppMetrics()
        .filter(({ name }) => name === 'Leasehold worker')
        .map(({ pid }) => pid),
    );
  /** Whether that worker has come to the job which has no end. */
  const reads = (pid = 0): boolean => {
    const files = `/proc/${String(pid)}/fd`;
    return readdirSync(files).some((fd) => linkOf(join(files, fd)) === '/dev/zero');
  };
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  expect(await run(join(folder, 'file'))).toBe(sha256);

  // SQLite is asked for the words of a database by its native part, in the worker's own process.
  const database = join(ROOT, 'src/main/verify/specimens/sqlite/trackio-0.43.0--demo.db');
  const proven = await app.evaluate(async (_electron, path) => {
    const { workers } = globalThis as unknown as { workers: Workers };
    return workers.run('prove-file', { path, name: 'trackio.db' });
  }, database);
  expect(proven).toMatchObject({ ok: true, value: { loaded: { kind: 'loaded' } } });

  const [dying] = await workerPids();
  const lost = run('/dev/zero');
  await expect.poll(() => reads(dying)).toBe(true);
  process.kill(dying ?? 0, 'SIGKILL');
  expect(await lost).toBe('worker-ended');
  expect(await run(join(folder, 'file'))).toBe(sha256);

  const left = await workerPids();
  expect(left).toHaveLength(1);
  void run('/dev/zero').catch(() => undefined); // its owner is about to be killed
  await expect.poll(() => reads(left[0])).toBe(true);
  const closed = app.waitForEvent('close', PATIENT);
  app.process().kill('SIGKILL');
  await closed;
  await expect
    .poll(() => left.filter((pid) => existsSync(`/proc/${String(pid)}/stat`)))
    .toEqual([]);
});

function linkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return ''; // closed meanwhile
  }
}
