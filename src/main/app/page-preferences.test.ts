import { expect, it } from 'vitest';
import { CONTENT_SECURITY_POLICY } from './content-security-policy.ts';
import { PAGE_PREFERENCES } from './page-preferences.ts';

// Some of these make no difference that a page could tell, as long as another one holds: a sandboxed page has no Node in its workers
// either. Each is one more wall, and none goes without a word. What Electron makes of them is read in e2e/security-page.spec.ts.

it('gives a page none of Node, and takes no protection of Chromium away', () => {
  expect(PAGE_PREFERENCES).toEqual({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    safeDialogs: true,
    spellcheck: false,
  });
});

it('lets our page load its own files and nothing else', () => {
  expect(CONTENT_SECURITY_POLICY.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'none'",
    "object-src 'none'",
    "frame-src 'none'",
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
});
