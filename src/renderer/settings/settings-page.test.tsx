import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppInfo } from '../../shared/ipc/contract.ts';
import type { StoredSecret } from '../../shared/login/public-key.ts';
import { problem } from '../../shared/problem.ts';
import { err, ok } from '../../shared/result.ts';
import { sampleEntry } from '../fleet/fleet-entry.fixture.ts';
import type { FakeBridge } from '../state/fake-bridge.fixture.ts';
import { openFeeds } from '../state/feeds.ts';
import { createStreamClient } from '../state/stream-client.ts';
import { settingsChosen } from '../state/view.ts';
import { openTestWindow, SAMPLE_SETTINGS } from '../test-window.fixture.ts';
import { SETTING_PARTS, type SettingsPart } from './setting-parts.ts';
import { SettingsPage } from './settings-page.tsx';

const INFO: AppInfo = {
  version: '1.2.3',
  electron: '45.0.0',
  chrome: '150.0',
  node: '24.0',
  platform: 'Linux x64',
  isFallbackRuntime: false,
  dataFolder: '/home/me/data',
  logFile: '/home/me/data/main.log',
  keyring: { isKept: true },
};

async function openSettings(
  info: Partial<AppInfo> = {},
  secrets: readonly StoredSecret[] = [],
): Promise<FakeBridge> {
  const bridge = openTestWindow([sampleEntry()]);
  bridge.answer('app:info', ok({ ...INFO, ...info }));
  bridge.answer('secret:list', ok(secrets));
  const close = openFeeds(createStreamClient(bridge));
  closers.push(close);
  render(<SettingsPage />);
  await screen.findByRole('region', { name: 'About' });
  return bridge;
}

const closers: (() => void)[] = [];
afterEach(() => {
  cleanup();
  for (const close of closers.splice(0)) close();
});

describe('SettingsPage', () => {
  it('sends each change at once and shows what main has stored, not what was clicked', async () => {
    const bridge = await openSettings();
    const user = userEvent.setup();
    const light = screen.getByRole<HTMLInputElement>('radio', { name: 'Light' });
    await user.click(light);
    expect(bridge.callsTo('settings:change')).toEqual([{ patch: { theme: 'light' } }]);
    expect(light.checked).toBe(false);
    act(() => bridge.publish('settings', [{ ...SAMPLE_SETTINGS, theme: 'light' }]));
    expect(light.checked).toBe(true);
  });

  it('changes the demo box', async () => {
    const bridge = await openSettings();
    const user = userEvent.setup();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Simulated GPU' }), 'H200');
    await user.click(screen.getByRole('radio', { name: '8' }));
    await user.click(screen.getByRole('switch', { name: 'Demo box' }));
    expect(bridge.callsTo('settings:change')).toEqual([
      { patch: { demo: { gpuModel: 'H200' } } },
      { patch: { demo: { gpuCount: 8 } } },
      { patch: { demo: { isOn: false } } },
    ]);
  });

  it('lets a person ask for more of a copy than its hash before a box is ended', async () => {
    const bridge = await openSettings();
    const asked = screen.getByRole('combobox', { name: 'A copy has to be' });
    await userEvent.setup().selectOptions(asked, 'hashed, and loaded');
    expect(bridge.callsTo('settings:change')).toEqual([{ patch: { proofNeeds: 'loaded' } }]);
  });

  it('says how long secrets are kept, and forgets them only after asking', async () => {
    const bridge = await openSettings({ keyring: { isKept: false, because: 'no keyring runs' } });
    const secrets = screen.getByRole('region', { name: 'Secrets' });
    expect(secrets.textContent).toContain('Kept only until you quit: no keyring runs.');
    const user = userEvent.setup();
    const ask = { name: 'Forget all stored secrets…' };
    await user.click(screen.getByRole('button', ask));
    const dialog = screen.getByRole('alertdialog', { name: 'Forget all stored secrets?' });
    expect(document.activeElement?.textContent).toBe('Cancel');
    expect(bridge.callsTo('secret:forget-all')).toEqual([]);
    bridge.answer('secret:forget-all', err(problem('folder-read-only', 'The folder is locked.')));
    await user.click(within(dialog).getByRole('button', { name: 'Forget all' }));
    expect((await within(dialog).findByRole('alert')).textContent).toContain('locked');
    bridge.answer('secret:forget-all', ok(null));
    await user.click(within(dialog).getByRole('button', { name: 'Forget all' }));
    await waitFor(() => expect(secrets.textContent).toContain('All stored secrets are forgotten'));
    await waitFor(() => expect(document.activeElement?.textContent).toBe(ask.name));
  });

  it('lists what is kept in words, never what it is, and forgets one', async () => {
    const name = 'password:11111111-1111-4111-8111-111111111111';
    const key = 'passphrase:id_ed25519:00aa11bb22cc33dd';
    const bridge = await openSettings({}, [
      { name, isKept: true },
      { name: key, isKept: false },
    ]);
    const list = await screen.findByRole('list', { name: 'Stored secrets' });
    expect(list.textContent).toBe(
      'Password of train-aForgetPassphrase of the key id_ed25519 · until you quitForget',
    );
    bridge.answer('secret:list', ok([{ name: key, isKept: false }]));
    await userEvent
      .setup()
      .click(within(list).getByRole('button', { name: 'Forget: Password of train-a' }));
    expect(bridge.callsTo('secret:forget')).toEqual([{ name }]);
    await waitFor(() => expect(list.textContent).not.toContain('train-a'));
    bridge.answer('secret:forget', err(problem('disk-full', 'The disk is full.')));
    await userEvent.setup().click(within(list).getByRole('button', { name: /id_ed25519/ }));
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.');
  });

  it('warns about a stand-in runtime only where there is one', async () => {
    await openSettings();
    expect(screen.queryByText(/old replacement/)).toBeNull();
    cleanup();
    await openSettings({ isFallbackRuntime: true });
    expect(screen.getByText(/old replacement for Electron’s official runtime/)).toBeDefined();
  });
});

describe('a part that the palette leads to', () => {
  const focused = (): string => document.activeElement?.closest('section')?.textContent ?? '';
  const parts = (Object.keys(SETTING_PARTS) as SettingsPart[]).filter((part) => part !== 'about');

  it('has the focus on its control, each of them on another one', async () => {
    await openSettings();
    const controls = parts.map((part) => {
      act(() => settingsChosen(part));
      expect(focused(), part).toContain(SETTING_PARTS[part]);
      return document.activeElement;
    });
    expect(new Set(controls).size).toBe(parts.length);
    act(() => settingsChosen('webhook'));
    expect(document.activeElement?.textContent).toBe('Set a webhook…');
    act(() => settingsChosen('tray'));
    expect(document.activeElement).toBe(
      screen.getByRole('switch', { name: 'Keep running in the tray' }),
    );
  });

  it('has it once more for who asks for it once more', async () => {
    await openSettings();
    act(() => settingsChosen('tray'));
    const tray = document.activeElement;
    screen.getByRole('radio', { name: 'Light' }).focus();
    act(() => settingsChosen('tray'));
    expect(document.activeElement).toBe(tray);
  });
});
