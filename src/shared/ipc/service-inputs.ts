import { z } from 'zod';
import { terminalSize, terminalTarget, tmuxSessionKey } from '../terminal/terminal.ts';
import { linkFolderInput, startTensorboardInput } from '../tunnels/tensorboard-input.ts';
import { tunnelDraft } from '../tunnels/tunnel.ts';
import type { IpcOutputs } from './contract.ts';
import { boxId } from './box-id.ts';

const tunnelOfBox = z.strictObject({ boxId, tunnelId: z.uuid() });

/** What is opened on a box: terminals, tunnels, TensorBoard, Jupyter. */
export const serviceInputs = {
  /** Opens a terminal; before the answer its port arrives in the page as a message of its own (decision 13). */
  'terminal:open': z.strictObject({
    terminalId: z.uuid(),
    boxId,
    target: terminalTarget,
    size: terminalSize,
  }),
  'tmux:list': z.strictObject({ boxId }),
  /** Ends the session and every program in it; main kills only the very one that was listed. */
  'tmux:kill': z.strictObject({ boxId, session: tmuxSessionKey }),
  /** Keeps a tunnel and opens it as soon as the box is connected. */
  'tunnel:add': z.strictObject({ boxId, draft: tunnelDraft }),
  /** Cuts its connections and opens it anew with these values. */
  'tunnel:change': tunnelOfBox.extend({ draft: tunnelDraft }),
  'tunnel:remove': tunnelOfBox,
  'tunnel:start': tunnelOfBox,
  /** Frees its port at once; it stays stopped until it is started again. */
  'tunnel:stop': tunnelOfBox,
  /** Sends one small request through it now; the answer appears in its row. */
  'tunnel:check': tunnelOfBox,
  /**
   * Opens our own end of it, http://127.0.0.1 and its port, in a window of its own that knows nothing of Leasehold or in the
   * system browser; a Jupyter as `jupyter:open` does.
   */
  'tunnel:open': tunnelOfBox.extend({ where: z.enum(['window', 'browser']) }),
  /** Read-only: the ports on which something listens on the box, and whose they are. */
  'tunnel:listening': z.strictObject({ boxId }),
  /** Read-only: what of TensorBoard runs on the box, what it shows, and why it may show nothing. */
  'tensorboard:look': z.strictObject({ boxId }),
  /** Makes a tunnel to the TensorBoard that answers and opens it there. */
  'tensorboard:open': z.strictObject({ boxId, where: z.enum(['window', 'browser']) }),
  /** Starts one on the box that outlives the link. Only on a person's click. */
  'tensorboard:start': startTensorboardInput.extend({ boxId }),
  /** Ends one that Leasehold started; the box refuses for every other process. */
  'tensorboard:stop': z.strictObject({ boxId, pid: z.int().min(1) }),
  /** Makes one symlink inside its log folder; replaces and removes nothing. */
  'tensorboard:link': linkFolderInput.extend({ boxId }),
  /** The Jupyter servers of the box, without their tokens. */
  'jupyter:list': z.strictObject({ boxId }),
  /**
   * Opens one in a window of its own, logged in, or in the system browser with its token in the clipboard. Main fetches the
   * token and tells the window nothing of it.
   */
  'jupyter:open': z.strictObject({
    boxId,
    port: z.int().min(1).max(65535),
    where: z.enum(['window', 'browser']),
  }),
} satisfies Partial<Record<keyof IpcOutputs, z.ZodType>>;
