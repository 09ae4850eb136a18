import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import type { Page } from '@playwright/test';
import { USUAL_WAY } from '../src/shared/boxes/usual-way.ts';
import { expect, test } from './fixtures/app.ts';

test.use({ hasDemo: false });

// Whatever is wrong with what Leasehold finds, the window opens, says so, and nothing is lost.

/** The notices as the person reads them. */
function notice(page: Page, words: RegExp) {
  return page.getByRole('status', { name: /notice/i }).getByText(words);
}

test('unreadable settings: defaults, a notice that names the kept file, the file kept', async ({
  apps,
}) => {
  const folder = apps.makeFolder();
  writeFileSync(join(folder, 'settings.json'), '{ "theme": "li');
  const { page } = await apps.start({ folder });
  await expect(notice(page, /settings could not be read/)).toBeVisible();
  const kept = readdirSync(folder).find((name) => name.startsWith('settings.unreadable-'));
  expect(readFileSync(join(folder, kept ?? ''), 'utf8')).toBe('{ "theme": "li');
});

test('a newer database: refused, untouched, the session goes on without it', async ({ apps }) => {
  const folder = apps.makeFolder();
  const file = join(folder, 'leasehold.db');
  const made = new Database(file);
  made.exec(
    `PRAGMA application_id = ${String(0x4c736831)}; PRAGMA user_version = 999; CREATE TABLE future (x)`,
  );
  made.close();
  const before = readFileSync(file);
  const { page } = await apps.start({ folder });
  await expect(notice(page, /newer/).first()).toBeVisible();
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('a damaged database: moved aside and named, a new one in use', async ({ apps }) => {
  const folder = apps.makeFolder();
  writeFileSync(join(folder, 'leasehold.db'), 'this is no database, '.repeat(1000));
  const { page } = await apps.start({ folder });
  await expect(notice(page, /leasehold\.corrupt-/)).toBeVisible();
  const kept = readdirSync(folder).find((name) => name.startsWith('leasehold.corrupt-'));
  expect(readFileSync(join(folder, kept ?? ''), 'utf8')).toContain('this is no database');
});

test('a data folder that may not be written: says what is not kept', async ({ apps }) => {
  test.skip(process.getuid?.() === 0, 'permissions do not bind root');
  const folder = apps.makeFolder();
  chmodSync(folder, 0o500);
  const { app, page } = await apps.start({ folder });
  await expect(notice(page, /Nothing is kept after this session/).first()).toBeVisible();
  await expect(notice(page, /log is not being written/)).toBeVisible();
  await app.close();
  chmodSync(folder, 0o700);
});

test('messages that main must refuse get an answer that says why', async ({ apps }) => {
  const { page, log } = await apps.start();
  const optionInjection = {
    name: 'x',
    connection: {
      address: { host: '-oProxyCommand=touch /tmp/x', port: 22, user: 'root' },
      ...USUAL_WAY,
    },
  };
  const codes = await page.evaluate(async (optionInjection) => {
    const call = window.leasehold.call as (
      channel: string,
      input: unknown,
    ) => Promise<{ ok: boolean; error?: { code: string } }>;
    const ask = async (channel: string, input: unknown): Promise<string | undefined> =>
      (await call(channel, input)).error?.code;
    return {
      unknownChannel: await ask('box:destroy-everything', {}),
      prototype: await ask('__proto__', {}),
      tooLarge: await ask('notice:dismiss', { id: 'x'.repeat(2_000_000) }),
      wrongShape: await ask('settings:change', { patch: { theme: 7 } }),
      optionInjection: await ask('box:add', optionInjection),
      noSuchBox: await ask('link:connect', { boxId: '3f0e64a8-1111-4222-8333-444455556666' }),
    };
  }, optionInjection);
  expect(codes).toEqual({
    unknownChannel: 'unknown-channel',
    prototype: 'unknown-channel',
    tooLarge: 'payload-too-large',
    wrongShape: 'bad-input',
    optionInjection: 'bad-input',
    noSuchBox: 'no-such-box',
  });
  await expect.poll(log).toContain('refused an unknown channel');
});
