import type { EventEmitter } from 'node:events';
import type { BrowserWindow, MenuItemConstructorOptions, Session, WebContents } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { IPC_DROPPED, IPC_TERMINAL_PORT } from '../../shared/ipc/names.ts';
import { silentLog } from '../demo/demo-box.fixture.ts';
import { serveApp } from './app-protocol.ts';
import { CRASH_URL, INDEX_URL } from './app-url.ts';
import { approveCommand, approveRehearsal, approveUpload } from './approve-command.ts';
import { dropDefaultMenu } from './default-menu.ts';
import { DroppedFiles } from './dropped-files.ts';
import { serveDrops } from './ipc.ts';
import { lockDownContents } from './lock-down.ts';
import { setAppMenu } from './menu.ts';
import { PAGE_PREFERENCES } from './page-preferences.ts';
import { openServiceWindow } from './service-window.ts';
import { handOverPort } from './terminal-port.ts';
import { createWindow } from './window.ts';

// What main hands to Electron where a page could not tell the difference today: another wall holds as well, Chromium's own choice is the
// same, or only a page that is none of ours would notice.

type Any = (...values: never[]) => unknown;

const given = vi.hoisted(() => ({
  windows: [] as { webPreferences: object }[],
  contents: [] as unknown[],
  questions: [] as { detail: string }[],
  menus: [] as unknown[],
  menusSet: [] as unknown[],
  ipc: new Map<string, unknown>(),
  app: new Map<string, unknown>(),
}));

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class FakeContents extends Emitter {
    setWindowOpenHandler = (): void => undefined;
    setWebRTCIPHandlingPolicy = (): void => undefined;
  }
  class FakeWindow extends Emitter {
    webContents = new FakeContents();
    constructor(options: { webPreferences: object }) {
      super();
      given.windows.push(options);
      given.contents.push(this.webContents);
      (given.app.get('web-contents-created') as Any | undefined)?.(
        {} as never,
        this.webContents as never,
      );
    }
    removeMenu = (): void => undefined;
    loadURL = (): Promise<void> => Promise.resolve();
  }
  const session = {
    setPermissionRequestHandler: () => undefined,
    setPermissionCheckHandler: () => undefined,
    setDevicePermissionHandler: () => undefined,
    setSpellCheckerLanguages: () => undefined,
    setSpellCheckerEnabled: () => undefined,
    setProxy: () => Promise.resolve(),
    webRequest: { onBeforeRequest: () => undefined },
    on: () => undefined,
  };
  return {
    app: { on: (event: string, listener: unknown) => given.app.set(event, listener) },
    BrowserWindow: FakeWindow,
    dialog: {
      showMessageBox: (...asked: { detail: string }[]) => {
        given.questions.push(...asked.slice(-1));
        return Promise.resolve({ response: 0 });
      },
    },
    ipcMain: { on: (name: string, listener: unknown) => given.ipc.set(name, listener) },
    Menu: {
      buildFromTemplate: (template: unknown) => given.menus.push(template),
      setApplicationMenu: (menu: unknown) => given.menusSet.push(menu),
    },
    MessageChannelMain: class {
      port1 = { start: () => undefined, on: () => undefined };
      port2 = 'the other end';
    },
    nativeTheme: { shouldUseDarkColors: false },
    protocol: {},
    screen: {
      getAllDisplays: () => [],
      getPrimaryDisplay: () => ({ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }),
    },
    session: { fromPartition: () => session },
    shell: {},
  };
});

beforeEach(() => {
  const { windows, contents, questions, menus, menusSet } = given;
  for (const list of [windows, contents, questions, menus, menusSet]) list.length = 0;
});

const openBoxPage = (origin: string): Promise<void> =>
  openServiceWindow({ origin, firstPath: '/', title: 'TensorBoard' }, silentLog);

describe('a window', () => {
  it('of ours has all of the preferences', () => {
    const state = { bounds: null, isMaximized: false, theme: 'system' } as const;
    createWindow({ state, onStateChange: () => undefined });
    expect(given.windows).toMatchObject([{ webPreferences: PAGE_PREFERENCES }]);
  });

  it('with a page of a box has them too, and nothing of ours', async () => {
    await openBoxPage('http://127.0.0.1:6006');
    expect(given.windows.map(({ webPreferences }) => webPreferences)).toEqual([
      { ...PAGE_PREFERENCES, partition: expect.stringMatching(/^service-/) as string },
    ]);
  });

  it('with a page of a box goes to its tunnel alone', async () => {
    lockDownContents(silentLog);
    await openBoxPage('http://127.0.0.1:6006');
    const goes = (url: string): boolean => {
      let isLet = true;
      const event = { preventDefault: () => (isLet = false) };
      (given.contents[0] as EventEmitter).emit('will-navigate', event, url);
      return isLet;
    };
    expect(goes('http://127.0.0.1:6006/#scalars')).toBe(true);
    expect(goes('http://127.0.0.1:6007/')).toBe(false);
    expect(goes(INDEX_URL)).toBe(false);
  });
});

describe('the port of a terminal', () => {
  function ask(windowId: number | null, clientId: number) {
    const posted: unknown[][] = [];
    const postMessage = (...message: unknown[]): void => void posted.push(message);
    const window =
      windowId === null
        ? null
        : ({ webContents: { id: windowId, postMessage } } as unknown as BrowserWindow);
    return { port: handOverPort(window, clientId, 'a terminal'), posted };
  }

  it('goes to the window that asked', () => {
    const { port, posted } = ask(7, 7);
    expect(port).not.toBeNull();
    expect(posted).toEqual([[IPC_TERMINAL_PORT, 'a terminal', ['the other end']]]);
  });

  it.each([
    ['another one that is there by now', 8],
    ['none', null],
  ])('goes to nobody where the window is %s', (_what, windowId) => {
    expect(ask(windowId, 7)).toEqual({ port: null, posted: [] });
  });
});

describe('what is dropped', () => {
  it.each([
    ['our own page', INDEX_URL, ['/home/me/data']],
    ['a page that is none of ours', 'https://example.invalid/', []],
  ])('is heard of %s', (_whose, url, paths) => {
    const drops = new DroppedFiles();
    const webContents = { id: 7 } as WebContents;
    serveDrops(drops, () => ({ webContents, isDestroyed: () => false }) as BrowserWindow);
    const frame = { url };
    const event = { sender: { id: 7, mainFrame: frame }, senderFrame: frame };
    (given.ipc.get(IPC_DROPPED) as Any)(event as never, ['/home/me/data'] as never);
    expect(drops.take()).toEqual(paths);
  });
});

describe('main’s own questions', () => {
  it.each([
    ['a command', (text: string) => approveCommand(null, text)],
    ['a rehearsal', (text: string) => approveRehearsal(null, text, '/home/me')],
    ['a file that is sent', (text: string) => approveUpload(null, [text], '/root')],
    ['a folder it is sent to', (text: string) => approveUpload(null, ['/home/me/data'], text)],
  ])('show what %s hides', async (_what, ask) => {
    await ask('nc %h\u202e %p');
    expect(given.questions.map(({ detail }) => detail)).not.toEqual([
      expect.stringContaining('\u202e'),
    ]);
    expect(given.questions).toMatchObject([{ detail: expect.stringContaining('nc %h') as string }]);
  });
});

describe('the menu', () => {
  const roles = (isDevelopment: boolean): readonly unknown[] => {
    const nothing = (): void => undefined;
    setAppMenu({ command: nothing, showLog: nothing, quit: nothing, isDevelopment });
    const menu = given.menus.flat() as MenuItemConstructorOptions[];
    return menu
      .flatMap(({ submenu }) => (submenu ?? []) as MenuItemConstructorOptions[])
      .map(({ role }) => role);
  };

  it('has no developer tools in what people get', () => {
    expect(roles(false)).not.toContain('toggleDevTools');
    expect(roles(true)).toContain('toggleDevTools');
  });

  it('is none until ours comes, not Electron’s own; on macOS it is, with which one can quit', () => {
    dropDefaultMenu('darwin');
    expect(given.menusSet).toEqual([]);
    dropDefaultMenu('linux');
    dropDefaultMenu('win32');
    expect(given.menusSet).toEqual([null, null]);
  });
});

describe('each answer of our protocol', () => {
  it('lets no other page share its process, embed it or learn where it was', () => {
    const answers: { headers?: object }[] = [];
    const registerBufferProtocol = (_scheme: string, answer: Any): void => {
      const take = (each: { headers?: object }): void => void answers.push(each);
      answer({ method: 'GET', url: CRASH_URL } as never, take as never);
    };
    const session = { protocol: { registerBufferProtocol } } as unknown as Session;
    void serveApp(session, '/nowhere', () => 'it crashed');
    expect(answers).toMatchObject([
      {
        headers: {
          'Cross-Origin-Opener-Policy': 'same-origin',
          'Cross-Origin-Resource-Policy': 'same-origin',
          'Referrer-Policy': 'no-referrer',
        },
      },
    ]);
  });
});
