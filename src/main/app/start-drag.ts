import { nativeImage, type BrowserWindow } from 'electron';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/** As large as a file manager draws what is dragged. */
const ICON_PX = 32;

/** Hands files to the system as what the person drags, over the border of the window too. It ends where they let go. */
export function startDrag(
  window: BrowserWindow | null,
  files: readonly string[],
  iconFile: string,
): Result<null, Problem> {
  const [file] = files;
  if (window === null || file === undefined) {
    return err(problem('file-failed', 'There is no window to drag files out of.'));
  }
  const icon = nativeImage.createFromPath(iconFile).resize({ width: ICON_PX });
  window.webContents.startDrag({ file, files: [...files], icon });
  return ok(null);
}
