import { plainLine } from '../../../questions/hostile-text.ts';
import { copyFolder } from '../copy-plan.ts';
import type { KnownBox } from '../known-box.ts';
import type { RunPreflight } from '../run-preflight.ts';
import { DURABLE, type RunRequest } from '../run-request.ts';
import { bar, block, GIB, MAX_SHOWN_CHARS, pass, unknown, warn, type Judged } from './judged.ts';

/** Whether the results can be copied to where the request wants them. */
export function judgeCopy(
  { copy, results }: RunRequest,
  look: RunPreflight,
  { profile }: KnownBox,
): Judged | null {
  if (copy === undefined) return null;
  if (results === null) return bar('Name the results folder: it is what is copied.');
  const folder = copyFolder(copy, profile);
  if (folder === null) {
    return bar(
      profile === null
        ? 'Which storage of this box survives is not known. Write a path for the copy.'
        : `The facts of ${profile.name} name no storage that survives a stop. Write a path for the copy.`,
    );
  }
  const told = plainLine(look.copyDisk?.path ?? folder, MAX_SHOWN_CHARS);
  const { copy: kind, copyDisk, copyRoom, resultsDisk } = look;
  if (kind === null) return unknown(`The box did not answer for ${told}.`, 'U33');
  if (kind === 'late') {
    return block(
      `${told} did not answer within 2 s, as where it lies on a server that went away.`,
      'U33',
      'the run may hang after its command, when it copies the results.',
    );
  }
  if (kind !== 'open') {
    return block(
      `${told} can't be written or created by you, so the results can't be copied there.`,
      'U33',
      'the run fails after its command, when it copies the results.',
    );
  }
  if (copyDisk !== null && resultsDisk !== null && isBelow(copyDisk.path, resultsDisk.path)) {
    return bar(`${told} is a part of the results folder. Copy to another place.`);
  }
  if (copy.to === DURABLE && copyDisk?.mount === '/' && folder.startsWith('/')) {
    return block(
      `${told} is not mounted on this machine: what is written there lies on its own disk.`,
      'U33',
      'the copy may be gone with the box.',
    );
  }
  if (copyRoom?.freeBytes === 0) {
    return block(`The disk of ${told} is full.`, 'U7', 'the run fails when it copies the results.');
  }
  const room = copyRoom === null ? '' : ` ${(copyRoom.freeBytes / GIB).toFixed(1)} GiB are free.`;
  const says = `The results are copied to ${told} and read back before the run is done.${room}`;
  const mount = copyDisk?.mount ?? null;
  return mount !== null && mount === resultsDisk?.mount
    ? warn(`${says} The results lie on the same storage.`, 'U33')
    : pass(says, 'U33');
}

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);
