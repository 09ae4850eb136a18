import type { IDisposable, Terminal } from '@xterm/xterm';

/** Whether this machine draws WebGL on a card. In software it is slower than the page's own text. */
let isFast: boolean | null = null;

function hasFastWebgl(): boolean {
  if (isFast !== null) return isFast;
  const context = document
    .createElement('canvas')
    .getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  isFast = context !== null;
  // Given back at once: a page gets sixteen of them.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return isFast;
}

/**
 * Draws the terminal with WebGL while it is on the screen, which keeps the number of contexts at one however many terminals
 * are open. Null: the DOM renderer stays, as it also does when the context is lost later.
 */
export async function drawWithWebgl(terminal: Terminal): Promise<IDisposable | null> {
  if (!hasFastWebgl()) return null;
  const { WebglAddon } = await import('@xterm/addon-webgl');
  try {
    const addon = new WebglAddon();
    addon.onContextLoss(() => addon.dispose());
    terminal.loadAddon(addon);
    return addon;
  } catch {
    // A driver that promised more than it holds: not asked again. Nothing is lost, text is drawn either way.
    isFast = false;
    return null;
  }
}
