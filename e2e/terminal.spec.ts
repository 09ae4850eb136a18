import { expectAccessible } from './fixtures/accessibility.ts';
import { expect, startForFile, test, type RunningApp } from './fixtures/app.ts';
import {
  addShell,
  openShell,
  openTerminalTab,
  runLine,
  screenText,
  terminalHasFocus,
  terminalTab,
} from './fixtures/terminal.ts';

const started = startForFile();

test.beforeEach(() => {
  test.skip(process.platform === 'win32', 'the demo box has no shell there');
});

/** Puts text on the system's clipboard and pastes it the way a person does. */
async function pasteText({ app, page }: RunningApp, text: string): Promise<void> {
  await app.evaluate(({ clipboard }, value) => clipboard.writeText(value), text);
  // A dialog that has just closed gives the focus back a moment later.
  await terminalHasFocus(page);
  await page.keyboard.press('Control+Shift+V');
}

test('types into a shell, shows true colour and its size, and breaks no policy', async () => {
  const running = await started();
  const { page, app } = running;
  await openShell(page);
  await runLine(page, String.raw`printf '\033[38;2;10;200;30mtrue%s\033[0m\n' colour; stty size`);
  await expect(screenText(page)).toContainText('truecolour');
  const colours = await page
    .locator('.xterm-rows span', { hasText: /^truecolour$/ })
    .evaluateAll((spans) => spans.map((span) => getComputedStyle(span).color));
  expect(colours.length).toBeGreaterThan(0);
  // xterm moves it towards the text colour where the contrast would be too low; green it stays.
  expect(colours[0]).toMatch(/^rgb\(\d{1,2}, \d+, \d{1,2}\)$/);

  const sizeOf = async (): Promise<string> => {
    await runLine(page, 'clear; echo "<$(stty size)>"');
    await expect(screenText(page)).toContainText(/<\d+ \d+>/);
    return /<\d+ \d+>/.exec((await screenText(page).textContent()) ?? '')?.[0] ?? '';
  };
  const usual = await app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getSize() ?? [],
  );
  const setSize = (size: readonly number[]) =>
    app.evaluate(
      ({ BrowserWindow }, [width = 0, height = 0]) =>
        BrowserWindow.getAllWindows()[0]?.setSize(width, height),
      size,
    );
  const before = await sizeOf();
  await setSize([1024, 700]);
  await expect.poll(sizeOf).not.toBe(before);
  await setSize(usual);

  for (let count = 2; count <= 8; count += 1) {
    await addShell(page);
    await expect(terminalTab(page, `Shell ${String(count)}, live`)).toBeVisible();
  }
  // All but a fraction of a pixel, by which a list can be scrolled.
  await expect(terminalTab(page, /Shell 8/)).toBeInViewport({ ratio: 0.99 });
  await expect(terminalTab(page, /Shell 1/)).not.toBeInViewport({ ratio: 0.99 });
  await terminalTab(page, /Shell 8/).press('ArrowRight');
  // The first tab is the one that the page opened by itself.
  const first = page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab').first();
  await expect(first).toBeFocused();
  await expect(first).toBeInViewport({ ratio: 1 });
  expect(running.consoleErrors).toEqual([]);
});

test('asks before several lines are pasted and shows what cannot be seen', async () => {
  const running = await started();
  const { page } = running;
  await openShell(page);
  await pasteText(running, 'echo one-$((5+5))');
  await page.keyboard.press('Enter');
  await expect(screenText(page)).toContainText('one-10');

  await pasteText(running, 'echo a-$((6+6))\necho b\x1b[201~-$((7+7))\n');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Paste 2 lines?');
  await expect(dialog).toContainText('echo b<ESC>[201~-$((7+7))');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page, 'paste');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(screenText(page)).not.toContainText('a-12');

  await pasteText(running, 'echo a-$((6+6))\necho b-$((7+7))\n');
  await dialog.getByRole('button', { name: 'Paste 2 lines' }).click();
  // The shell asked for brackets, so it shows both lines and waits for Enter.
  await expect(screenText(page)).toContainText('echo b-$((7+7))');
  await page.keyboard.press('Enter');
  await expect(screenText(page)).toContainText('a-12');
});

test('keeps a box away from the clipboard, the title and odd links', async () => {
  const { app, page, consoleErrors } = await started();
  await app.evaluate(({ clipboard }) => clipboard.writeText('mine'));
  await openShell(page);
  await runLine(
    page,
    String.raw`printf '\033]52;c;ZXZpbA==\a\033]8;;javascript:x\aodd\033]8;;\a\n'`,
  );
  await expect(page.getByText(/tried to write to your clipboard/)).toBeVisible();
  await expect(page.getByText(/did not lead to a web address/)).toBeVisible();
  expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('mine');
  await runLine(page, String.raw`printf '\033]0;%s\a' my-title; printf '\033[c%.0s' $(seq 500)`);
  await expect(terminalTab(page, /Shell 1/)).toContainText('my-title');
  await expect(page.getByText(/left unanswered/)).toBeVisible();
  expect(await page.title()).toBe('Leasehold');
  expect(consoleErrors).toEqual([]);
});

test('opens a link only after main has asked, with the whole address', async () => {
  const { app, page } = await started();
  await app.evaluate(({ dialog, shell }) => {
    const seen = globalThis as unknown as {
      asked: unknown[];
      opened: string[];
      yes: number;
      takeBack: () => void;
    };
    const [asks, opens] = [dialog.showMessageBox, shell.openExternal];
    seen.takeBack = () => {
      Object.assign(dialog, { showMessageBox: asks });
      Object.assign(shell, { openExternal: opens });
    };
    seen.asked = [];
    seen.opened = [];
    seen.yes = 0;
    const showMessageBox = (_window: unknown, options: unknown) => {
      seen.asked.push(options);
      return Promise.resolve({ response: seen.yes, checkboxChecked: false });
    };
    Object.assign(dialog, { showMessageBox });
    Object.assign(shell, {
      openExternal: (url: string) => {
        seen.opened.push(url);
        return Promise.resolve();
      },
    });
  });
  const seen = () =>
    app.evaluate(() => {
      const { asked, opened } = globalThis as unknown as {
        asked: { detail: string }[];
        opened: string[];
      };
      return { details: asked.map(({ detail }) => detail), opened };
    });
  await openShell(page);
  await runLine(
    page,
    String.raw`clear; printf '\033]8;;http://xn--pple-43d.com/a\ahttps://apple.com\033]8;;\a\n'`,
  );
  const link = page.locator('.xterm-rows span', { hasText: 'https://apple.com' }).first();
  await expect(link).toBeVisible();
  // xterm.js may draw the row anew between finding the link, pointing at it and telling of it; then a person points again.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await link.hover({ force: true, timeout: 1000 });
    await expect(page.getByText('http://xn--pple-43d.com/a')).toBeVisible({ timeout: 1000 });
  }).toPass();
  // By place, not by element: xterm.js draws the row anew under the pointer.
  const place = await link.boundingBox();
  if (place === null) throw new Error('the link is nowhere');
  const at = [place.x + place.width / 2, place.y + place.height / 2] as const;
  const clickWithControl = async (): Promise<void> => {
    await page.keyboard.down('Control');
    await page.mouse.click(...at);
    await page.keyboard.up('Control');
  };
  await page.mouse.click(...at);
  expect((await seen()).details).toEqual([]);
  await clickWithControl();
  await expect.poll(async () => (await seen()).details.length).toBe(1);
  expect((await seen()).details[0]).toMatch(/^http:\/\/xn--pple-43d\.com\/a[^]*plain letters/);
  expect((await seen()).opened).toEqual([]);
  await app.evaluate(() => void Object.assign(globalThis, { yes: 1 }));
  await clickWithControl();
  await expect.poll(async () => (await seen()).opened).toEqual(['http://xn--pple-43d.com/a']);
  const refused = await page.evaluate(() =>
    window.leasehold.call('app:open-box-link', { url: 'file:///etc/passwd' }),
  );
  expect(refused).toMatchObject({ ok: false, error: { code: 'box-link-refused' } });
  await app.evaluate(() => (globalThis as unknown as { takeBack: () => void }).takeBack());
});

test('leaves the shell its keys, and has its own', async () => {
  const { page } = await started();
  await openShell(page);
  // Ctrl+K cuts the rest of the line in a shell; the palette must not come.
  await page.keyboard.type('echo kept dropped');
  for (let i = 0; i < ' dropped'.length; i += 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Control+K');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Control+Shift+F');
  await page.getByRole('textbox', { name: 'Find in this terminal' }).fill('kept');
  await expect(page.getByText(/^\d+ of \d+$/)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Shift+L');
  await expect(terminalTab(page, /Shell 1/)).toBeFocused();
  await terminalTab(page, /Shell 1/).click();
  await page.locator('.xterm-screen').click();
  await page.keyboard.press('Control+Shift+K');
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible();
});

test('takes the size of its text and the lines it keeps from the settings, also while it is open', async () => {
  const { page } = await started();
  await openShell(page);
  const change = async (terminal: { fontSizePx?: number; scrollbackLines?: number }) => {
    const changed = await page.evaluate(
      (wanted) => window.leasehold.call('settings:change', { patch: { terminal: wanted } }),
      terminal,
    );
    expect(changed.ok).toBe(true);
  };
  const find = async (text: string, found: RegExp | string): Promise<void> => {
    await page.keyboard.press('Control+Shift+F');
    await page.getByRole('textbox', { name: 'Find in this terminal' }).fill(text);
    await expect(page.getByText(found)).toBeVisible();
    await page.keyboard.press('Escape');
  };
  // Written so that the line itself, which the shell echoes, does not hold the word.
  await runLine(page, "clear; printf 'far%s\\n' above; seq 200; printf 'the %s\\n' end");
  await expect(screenText(page)).toContainText('the end');
  await find('farabove', '1 of 1');
  const size = page.locator('.xterm-rows').first();
  const before = await size.evaluate((rows) => rows.childElementCount);
  // At once, and the letters show that it has come: nobody looks a second time for what was found.
  await change({ fontSizePx: 24, scrollbackLines: 0 });
  await expect.poll(() => size.evaluate((rows) => rows.childElementCount)).toBeLessThan(before);
  await find('farabove', 'Not found');
  await change({ fontSizePx: 13, scrollbackLines: 5000 });
});

test('can be typed into during a flood, and stops it', async () => {
  const { page, consoleErrors } = await started();
  await openShell(page);
  await runLine(page, 'yes abcdefghijklmnopqrstuvwxyz0123456789');
  await expect(screenText(page)).toContainText('abcdefghijklmnopqrstuvwxyz0123456789');
  // The window answers while it floods: another tab and back.
  await page.getByRole('tab', { name: 'Facts' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('127.0.0.1');
  await page.getByRole('tab', { name: 'Terminal', exact: true }).click();
  await page.locator('.xterm-screen').click();
  await page.keyboard.press('Control+C');
  await runLine(page, 'echo calm-$((8+8))');
  await expect(screenText(page)).toContainText('calm-16');
  expect(consoleErrors).toEqual([]);
});

for (const [what, printed] of [
  ['hyperlinks', String.raw`\033]8;;http://a.example/%s\aLINK\033]8;;\a\r`],
  ['hyperlinks that are never closed', String.raw`\033]8;;http://a.example/%s\aLINK\n`],
  ['titles', String.raw`\033]0;title %s\a`],
] as const) {
  test(`answers while a box floods it with ${what}`, async () => {
    const { page, consoleErrors } = await started();
    await openShell(page);
    await runLine(page, `clear; while :; do printf '${printed}' $(seq 2000); done`);
    if (what === 'titles') await expect(terminalTab(page, /Shell 1/)).toContainText(/title \d+/);
    else await expect(screenText(page)).toContainText('LINK');
    await page.getByRole('tab', { name: 'Facts' }).click();
    await expect(page.getByRole('tabpanel')).toContainText('127.0.0.1');
    await page.getByRole('tab', { name: 'Terminal', exact: true }).click();
    await page.locator('.xterm-screen').click();
    await page.keyboard.press('Control+C');
    await runLine(page, String.raw`printf '\033]8;;\a\n'; echo calm-$((8+8))`);
    await expect(screenText(page)).toContainText('calm-16');
    expect(await page.title()).toBe('Leasehold');
    expect(consoleErrors).toEqual([]);
  });
}

test('mirrors the screen as text for a screen reader, as soon as the setting says so', async () => {
  const { page } = await started();
  await openShell(page);
  const mirror = page.locator('.xterm-accessibility');
  await expect(mirror).toHaveCount(0);
  const change = async (isForScreenReader: boolean): Promise<void> => {
    const changed = await page.evaluate(
      (terminal) => window.leasehold.call('settings:change', { patch: { terminal } }),
      { isForScreenReader },
    );
    expect(changed.ok).toBe(true);
  };
  await change(true);
  await runLine(page, 'echo heard-$((7+7))');
  await expect(mirror.getByRole('listitem').filter({ hasText: /^heard-14/ })).toHaveCount(1);
  await expectAccessible(page, 'a terminal for a screen reader');
  await change(false);
});

test('holds more terminals than WebGL has contexts', async () => {
  test.slow(); // each draws once without a card
  const { page, consoleErrors } = await started();
  // WebGL in software, as if it were fast: what a card would do, under the same policy.
  await page.evaluate(() => {
    const original = HTMLCanvasElement.prototype.getContext as unknown as (
      this: HTMLCanvasElement,
      kind: string,
      options?: object,
    ) => unknown;
    Object.assign(HTMLCanvasElement.prototype, {
      getContext(this: HTMLCanvasElement, kind: string, options?: object) {
        return original.call(this, kind, { ...options, failIfMajorPerformanceCaveat: false });
      },
    });
  });
  await openTerminalTab(page);
  for (let i = 1; i <= 18; i += 1) {
    await addShell(page);
    await expect(terminalTab(page, new RegExp(`Shell ${String(i)}, live`))).toBeVisible();
    await expect(page.locator('.xterm-screen canvas').first()).toBeAttached();
  }
  await terminalTab(page, 'Shell 1, live').click();
  await expect(page.locator('.xterm-screen canvas').first()).toBeAttached();
  // The card takes the context away: the text stays, drawn without it.
  await page.evaluate(() => {
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.xterm-screen canvas')) {
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
    }
  });
  await runLine(page, 'echo drawn-$((9+9))');
  await expect(screenText(page)).toContainText('drawn-18');
  expect(consoleErrors).toEqual([]);
});
