import { z } from 'zod';
import { uploads } from '../files/file-transfer.ts';
import { planRef } from '../plan/plan-schema.ts';
import { boxId } from './box-id.ts';

/** As Linux bounds one; what else is wrong with it, main says by name. */
const boxPath = z.string().min(1).max(4096).startsWith('/');
const chosenPaths = z.array(boxPath).min(1).max(1000);
/** SECURITY: by the last part of its path each is named on this computer, so that part is a name. */
const broughtPaths = z
  .array(boxPath.regex(/\/(?!\.\.?$)[^/]+$/))
  .min(1)
  .max(1000);
const newName = z.string().min(1).max(255);

/** The files of a box. */
export const fileInputs = {
  /** Read-only: begins to list a folder; null: the one in which a log-in begins. What was being listed of the box is left. */
  'files:list': z.strictObject({ boxId, folder: boxPath.nullable() }),
  /** Read-only: the next part of it. */
  'files:more': z.strictObject({ boxId, rest: z.uuid() }),
  'files:stop-listing': z.strictObject({ boxId }),
  /** Read-only: which folders are in a folder, whatever is being listed. */
  'files:folders': z.strictObject({ boxId, folder: boxPath }),
  /** Read-only: begins to look for names in a folder and all that it holds. What was being searched on the box is left. */
  'files:find': z.strictObject({ boxId, folder: boxPath, wanted: newName }),
  /** Read-only: the next part of it, as soon as there is one. */
  'files:find-more': z.strictObject({ boxId, rest: z.uuid() }),
  'files:stop-finding': z.strictObject({ boxId }),
  /** Read-only: where these links lead. */
  'files:follow': z.strictObject({ boxId, paths: z.array(boxPath).min(1).max(100) }),
  /** Read-only: the beginning of a text, or a picture. */
  'files:preview': z.strictObject({ boxId, path: boxPath }),
  'files:make-folder': z.strictObject({ boxId, folder: boxPath, name: newName }),
  /** Within its folder; replaces nothing. */
  'files:rename': z.strictObject({ boxId, path: boxPath, name: newName }),
  /** Looks at all that deleting these would take away. Changes nothing. */
  'files:plan-delete': z.strictObject({ boxId, paths: chosenPaths }),
  /** Deletes what the plan has shown, and nothing that a run has left and that is not proven to be here. */
  'files:delete': z.strictObject({ boxId, plan: planRef }),
  /** Asks where to, then brings these there; replaces nothing. */
  'files:download': z.strictObject({ boxId, paths: broughtPaths }),
  /** Brings these into a folder of the app’s own, for the system to take from there. */
  'files:fetch-for-drag': z.strictObject({ boxId, paths: broughtPaths }),
  /** Hands to the system what was brought for it, while the mouse button is held. */
  'files:drag': z.strictObject({ boxId, paths: broughtPaths }),
  /** Asks which files or which folder, or whether what was dropped, then sends that into the folder; replaces nothing. */
  'files:upload': z.strictObject({ boxId, folder: boxPath, what: z.enum(uploads) }),
  'files:stop-transfer': z.strictObject({ boxId }),
};
