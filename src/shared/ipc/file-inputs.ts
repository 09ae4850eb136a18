import { z } from 'zod';
import { boxId } from './box-id.ts';

/** As Linux bounds one; what else is wrong with it, main says by name. */
const boxPath = z.string().min(1).max(4096).startsWith('/');
const newName = z.string().min(1).max(255);

/** The files of a box. */
export const fileInputs = {
  /** Read-only: begins to list a folder; null: the one in which a log-in begins. What was being listed of the box is left. */
  'files:list': z.strictObject({ boxId, folder: boxPath.nullable() }),
  /** Read-only: the next part of it. */
  'files:more': z.strictObject({ boxId, rest: z.uuid() }),
  'files:stop-listing': z.strictObject({ boxId }),
  /** Read-only: where these links lead. */
  'files:follow': z.strictObject({ boxId, paths: z.array(boxPath).min(1).max(100) }),
  /** Read-only: the beginning of a text, or a picture. */
  'files:preview': z.strictObject({ boxId, path: boxPath }),
  'files:make-folder': z.strictObject({ boxId, folder: boxPath, name: newName }),
  /** Within its folder; replaces nothing. */
  'files:rename': z.strictObject({ boxId, path: boxPath, name: newName }),
};
