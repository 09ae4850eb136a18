import { z } from 'zod';
import { draftInput, incidentInput } from '../gotchas/entry-input.ts';
import { planRef } from '../plan/plan-schema.ts';
import { GOTCHA_ID, MAX_ID_CHARS } from '../gotchas/ids.ts';
import { MAX_NOTE_CHARS } from '../notes/note.ts';
import type { IpcOutputs } from './contract.ts';
import { boxId } from './box-id.ts';

const gotchaId = z.string().max(MAX_ID_CHARS).regex(GOTCHA_ID);
const digest = z.string().max(100);
/** An entry of the person's own as it was when they began to change it. */
const editing = z.strictObject({ id: gotchaId, digest });

/** What is known of traps, and what the person wrote about a box. */
export const handbookInputs = {
  /** The catalog, with the person's own entries; read anew each time. */
  'gotchas:list': z.strictObject({}),
  /** The recovery handbook of a box, from what is known at this moment; the box is not asked. */
  'recovery:read': z.strictObject({ boxId }),
  /** The person agrees that a copy is kept on the box, or takes that back, which removes it. */
  'recovery:set-copy': z.strictObject({ boxId, isWanted: z.boolean() }),
  /** An entry from what was seen, without secrets, for the person to complete. Nothing is written. */
  'gotchas:draft': incidentInput,
  /** What keeping it would write, or what it lacks. Nothing is written. */
  'gotchas:preview': z.strictObject({ draft: draftInput, editing: editing.nullable() }),
  /** Writes the very text that was previewed into the person's own folder; any other is refused. */
  'gotchas:keep': z.strictObject({ plan: planRef }),
  /** Removes an entry that Leasehold wrote, if its file still is what the person saw. */
  'gotchas:remove': editing,
  /** An entry as Markdown and as YAML, without secrets. */
  'gotchas:export': z.strictObject({ id: gotchaId }),
  /** Shows the folder for the person's own entries in the system's file manager; makes it where there is none. */
  'gotchas:open-folder': z.strictObject({}),
  /** What the person wrote about a box, or (null) about their project. */
  'note:read': z.strictObject({ boxId: boxId.nullable() }),
  /** Keeps the note, or says which of its lines look like a secret and keeps nothing. */
  'note:keep': z.strictObject({
    boxId: boxId.nullable(),
    text: z.string().max(MAX_NOTE_CHARS * 4),
  }),
} satisfies Partial<Record<keyof IpcOutputs, z.ZodType>>;
