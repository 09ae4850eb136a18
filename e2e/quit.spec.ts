import { expect, readLog, startElectron, test } from './fixtures/app.ts';

test('whoever quits before the first page is there leaves no process and no error in the log', async ({
  apps,
}) => {
  const folder = apps.makeFolder();
  const app = await startElectron(folder);
  const main = app.process();
  const closed = app.waitForEvent('close');
  await app.evaluate(({ app: electron, BrowserWindow }) => {
    const quit = (): void => void setImmediate(() => electron.quit());
    if (BrowserWindow.getAllWindows().length > 0) quit();
    else electron.on('browser-window-created', quit);
  });
  await closed;
  expect(main.exitCode).toBe(0);
  const log = readLog(folder);
  expect(log).toContain('stopped');
  expect(log).not.toMatch(/ (?:WARN|ERROR|FATAL) /);
});
