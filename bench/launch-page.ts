// What a person does in the window to launch a run, and how long the window takes to show it.
import type { Page } from '@playwright/test';

/** From the click to the first painting of a text in the log, as the window sees both. */
export async function clickToText(page: Page, label: string, text: string): Promise<number> {
  return page.evaluate(
    async ([words, wanted]) => {
      const scope = document.querySelector('dialog, [role=dialog]') ?? document;
      const button = [...scope.querySelectorAll('button')].find(
        (each) => each.textContent.trim() === words,
      );
      if (button === undefined) throw new Error(`there is no button “${words}”`);
      const beganMs = performance.now();
      const seen = new Promise<void>((resolve) => {
        const look = (): void => {
          const log = document.querySelector(
            'section[aria-label^="Log of"], [role=region][aria-label^="Log of"]',
          );
          if (log?.textContent.includes(wanted) !== true) return;
          observer.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        };
        const observer = new MutationObserver(look);
        observer.observe(document.body, {
          subtree: true,
          childList: true,
          characterData: true,
        });
      });
      button.click();
      await seen;
      return performance.now() - beganMs;
    },
    [label, text] as const,
  );
}

/** Fills the form of a run and has its plan made; answers how long that took. */
export async function planRun(page: Page, name: string, command: string): Promise<number> {
  await page.getByRole('button', { name: 'Launch…' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill(name);
  await dialog.getByLabel('Folder on the box').fill('~');
  await dialog.getByLabel('Command', { exact: true }).fill(command);
  const beganMs = performance.now();
  await page.keyboard.press('Control+Enter');
  await dialog.getByRole('heading', { name: 'What runs' }).waitFor();
  return performance.now() - beganMs;
}
