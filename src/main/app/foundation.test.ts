import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_SETTINGS } from '../../shared/settings/settings.ts';
import { createLog, type RootLog } from '../log/log.ts';
import { addBoxes } from '../storage/boxes.fixture.ts';
import { openDatabase } from '../storage/database.ts';
import { SETTINGS_FILE } from '../storage/settings.ts';
import { foundationHandlers } from './foundation-handlers.ts';
import { openFoundation, type Foundation } from './foundation.ts';

const CLIENT = 1;

let folder: string;
let foundation: Foundation;

const logIn = (data: string): RootLog =>
  createLog({
    folder: join(data, 'logs'),
    level: 'info',
    onWriteFailure: ({ message }) => {
      throw new Error(message);
    },
  });

const open = async (): Promise<Foundation> => {
  foundation = await openFoundation(folder, logIn(folder));
  foundation.hub.addClient(CLIENT, () => undefined);
  return foundation;
};
const handlersOf = (opened: Foundation, servicesLoaded: Promise<unknown>) =>
  foundationHandlers(
    opened,
    { showLog: vi.fn(), onWindowShown: vi.fn(), quit: vi.fn() },
    logIn(folder),
    servicesLoaded,
  );

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'leasehold-foundation-'));
});
afterEach(async () => {
  await foundation.close();
  rmSync(folder, { recursive: true });
});

describe('the foundation', () => {
  it('shows the stored boxes and the settings before anything that acts is loaded', async () => {
    const { database } = openDatabase({ folder });
    const ids = addBoxes(database, 0, 3);
    database.close();
    const handlers = handlersOf(await open(), new Promise(() => undefined));
    const fleet = await handlers['stream:open']({ stream: 'fleet', key: '' }, CLIENT);
    expect(fleet).toMatchObject({
      ok: true,
      value: { state: { entries: ids.map((id) => ({ box: { id }, link: { kind: 'idle' } })) } },
    });
    const settings = await handlers['stream:open']({ stream: 'settings', key: '' }, CLIENT);
    expect(settings).toMatchObject({ ok: true, value: { state: DEFAULT_SETTINGS } });
  });

  it('answers for any other stream when what acts is there', async () => {
    const opened = await open();
    let onLoaded = (): void => undefined;
    const handlers = handlersOf(opened, new Promise<void>((resolve) => (onLoaded = resolve)));
    const answer = handlers['stream:open']({ stream: 'demo', key: '' }, CLIENT);
    opened.hub.addTopic('demo', '', {
      kind: { apply: (_old: string, next: string) => next },
      initial: 'there',
    });
    onLoaded();
    expect(await answer).toMatchObject({ ok: true, value: { state: 'there' } });
  });

  it('refuses a stream that is not there even then', async () => {
    const handlers = handlersOf(await open(), Promise.resolve());
    expect(
      await handlers['stream:open']({ stream: 'readings', key: 'gone' }, CLIENT),
    ).toMatchObject({ ok: false, error: { code: 'no-such-box' } });
  });

  it('tells at once what is wrong with the settings', async () => {
    writeFileSync(join(folder, SETTINGS_FILE), 'not JSON');
    const handlers = handlersOf(await open(), Promise.resolve());
    const notices = await handlers['stream:open']({ stream: 'notices', key: '' }, CLIENT);
    if (!notices.ok) throw new Error(notices.error.message);
    expect(notices.value.state).toHaveLength(1);
  });
});
