import { dialog, shell, type BrowserWindow } from 'electron';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { Log } from '../log/log.ts';
import { judgeBoxLink } from './judge-box-link.ts';

/** One question at a time: a page that went wild must not bury the screen. */
let isAsking = false;

/**
 * Opens an address that a box printed, after a yes for this very one. SECURITY: the question is main's own and not the
 * window's, so that not even a window that was taken over opens anything by itself. An allow-list of hosts, as for the
 * app's own links, cannot exist here: the person's tools print whatever addresses they print.
 */
export async function openBoxLink(
  text: string,
  window: BrowserWindow | null,
  log: Log,
): Promise<Result<null, Problem>> {
  const link = judgeBoxLink(text);
  if (link === null) {
    log.warn('refused to open an address of a box', { length: text.length });
    return err(
      problem('box-link-refused', 'Only plain http and https addresses can be opened from here.'),
    );
  }
  if (isAsking || window === null) return ok(null);
  isAsking = true;
  try {
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      title: 'Open an address that the box printed?',
      message: 'Open this address in your browser?',
      detail: [link.href, ...link.oddities.map((each) => `• ${each}`)].join('\n\n'),
      buttons: ['Cancel', 'Open in browser'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (response === 1) await shell.openExternal(link.href);
    return ok(null);
  } finally {
    isAsking = false;
  }
}
