import { RuleTester } from 'eslint';
import { parser } from 'typescript-eslint';
import { describe, it } from 'vitest';
import { rawIpc } from './raw-ipc.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const raw = [{ messageId: 'raw' }];

new RuleTester({ languageOptions: { parser } }).run('raw-ipc', rawIpc, {
  valid: [
    `import { app, BrowserWindow } from 'electron';`,
    `import { ipcMain } from './ipc-main.ts';`,
    `window.on('close', hide); tray.once('click', show);`,
    {
      code: `import { ipcMain } from 'electron'; ipcMain.handle('x', f);`,
      options: [{ allow: ['ipcMain'] }],
    },
    { code: `contents.ipc.handle('x', f);`, options: [{ allow: ['ipcMain'] }] },
    { code: `import { ipcRenderer } from 'electron';`, options: [{ allow: ['ipcRenderer'] }] },
  ],
  invalid: [
    { code: `import { ipcMain } from 'electron';`, errors: raw },
    { code: `import { ipcMain as bus } from 'electron';`, errors: raw },
    { code: `import * as electron from 'electron'; electron.ipcMain.handle('x', f);`, errors: raw },
    { code: `electron['ipcRenderer'].send('x');`, errors: raw },
    { code: `const { ipcMain } = electron;`, errors: raw },
    { code: `contents.ipc.handle('x', f);`, errors: raw },
    { code: `frame.ipc.on('x', f);`, errors: raw },
    {
      code: `import { ipcMain } from 'electron';`,
      options: [{ allow: ['ipcRenderer'] }],
      errors: raw,
    },
  ],
});
