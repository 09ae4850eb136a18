import { plainLine } from '../../questions/hostile-text.ts';
import type { PlannedPush } from '../../transfer/planned-push.ts';
import type { TreeLook } from '../../transfer/tree-look.ts';
import { agoWords, ownTrap } from './checks/judged.ts';
import { spaceEntry } from './checks/place-checks.ts';
import { scriptOf } from './job-script.ts';
import type { KnownBox } from './known-box.ts';
import type { CheckAnswer, PreflightCheck } from './launch-plan.ts';
import type { Room, RunPreflight } from './run-preflight.ts';
import type { RunRequest } from './run-request.ts';

const GIB = 1024 ** 3;
const MAX_PATH_CHARS = 200;

/** What a push has found on both sides. */
export interface PushSides {
  readonly kept: { readonly shown: PlannedPush };
  readonly look: TreeLook;
  readonly withReturns: readonly string[];
  readonly inTheWay: readonly string[];
}

/** `anyway`: of a block that a person can launch over, what that means. */
type Says = readonly [answer: CheckAnswer, says: string, gotcha?: string, anyway?: string];

interface NeedsAround {
  readonly look: RunPreflight;
  readonly push: PushSides | null;
  /** How often the command is run. */
  readonly runs: number;
  readonly asked: readonly PreflightCheck[];
  readonly known: Pick<KnownBox, 'rehearsals' | 'nowMs' | 'traps'>;
}

/** What the request asks of the box beside the preflight's questions; and what a push makes true of what the box was asked before it. */
export function judgeNeeds(
  request: RunRequest,
  { look, push, runs, asked, known }: NeedsAround,
): readonly PreflightCheck[] {
  const own: readonly (readonly [id: string, title: string, judged: Says | null])[] = [
    ['need', 'Disk need', judgeNeed(request, { look, push, runs, known })],
    ['files-need', 'Files that it leaves', judgeFilesNeed(request, { look, push, runs, known })],
    ['rehearsal', 'Rehearsal on this computer', judgeRehearsal(request, push, known)],
    ...(push === null ? [] : judgePush(request, push, look, known)),
  ];
  const more = own.flatMap(([id, title, judged]) => {
    if (judged === null) return [];
    const [answer, says, gotcha = null, anyway = null] = judged;
    return [{ id, title, answer, says, gotcha, anyway }];
  });
  const ids = new Set(more.map(({ id }) => id));
  return [...asked.filter(({ id }) => !ids.has(id)), ...more];
}

type Rooms = Omit<NeedsAround, 'asked'>;

interface Part {
  readonly what: string;
  readonly bytes: number;
}

/** Against the disk on which each part of it will lie: results may have another one than the folder. */
function judgeNeed(request: RunRequest, around: Rooms): Says | null {
  const toSend = around.push?.kept.shown.send.bytes ?? 0;
  const { diskGib = 0, checkpoints: { gib = 0, kept = 1 } = {} } = request;
  const { runs } = around;
  const ofFolder: readonly Part[] = [
    ...(diskGib === 0
      ? []
      : [{ what: `the run needs ${String(diskGib)} GiB`, bytes: diskGib * GIB }]),
    ...(toSend === 0 ? [] : [{ what: `the code ${sizeOf(toSend)}`, bytes: toSend }]),
  ];
  const saved = gib * kept * runs * GIB;
  const times = [...(kept === 1 ? [] : [kept]), ...(runs === 1 ? [] : [runs])];
  const sum = times.length === 0 ? '' : ` (${[`${String(gib)} GiB`, ...times].join(' × ')})`;
  const ofResults: readonly Part[] =
    saved === 0 ? [] : [{ what: `checkpoints ${sizeOf(saved)}${sum}`, bytes: saved }];
  const ofCopy: readonly Part[] =
    saved === 0 || request.copy === undefined
      ? []
      : [
          {
            what: `${runs === 1 ? 'its copy' : 'their copies'} ${sizeOf(saved)}${sum}`,
            bytes: saved,
          },
        ];
  const disks = disksOf(request, around, { ofFolder, ofResults, ofCopy }).map(judgeDisk);
  const told = disks.filter((each) => each !== null);
  const says = told.map(([, words]) => words).join(' ');
  const worst = (['block', 'unknown', 'pass'] as const).find((answer) =>
    told.some(([each]) => each === answer),
  );
  if (worst === undefined) return null;
  return worst === 'block'
    ? ['block', says, spaceEntry(around.known), 'the run fails if the disk fills up.']
    : [worst, says];
}

/** One disk, with all that will lie on it. */
interface Disk {
  readonly mount: string | null;
  readonly room: Room | null;
  readonly where: string;
  readonly parts: readonly Part[];
}

/** What lies on one mount needs the sum of its parts. Results of which nobody can tell where they lie are with the folder. */
function disksOf(
  request: RunRequest,
  around: Rooms,
  parts: Readonly<Record<'ofFolder' | 'ofResults' | 'ofCopy', readonly Part[]>>,
): readonly Disk[] {
  const { folderDisk, copyDisk, copyRoom } = around.look;
  const mount = folderDisk?.mount ?? null;
  const { folder, results } = roomsOf(request, around);
  const isApart = results !== 'same';
  const own: Disk = {
    ...{ mount, room: folder, where: isApart ? ' on the disk of the folder' : '' },
    parts: isApart ? parts.ofFolder : [...parts.ofFolder, ...parts.ofResults],
  };
  const others: readonly Disk[] = [
    ...(isApart
      ? [
          {
            ...{ mount: around.look.resultsDisk?.mount ?? null, room: results },
            ...{ where: ' on that of the results', parts: parts.ofResults },
          },
        ]
      : []),
    {
      ...{ mount: copyDisk?.mount ?? null, room: copyRoom, parts: parts.ofCopy },
      where: ' where the results are copied to',
    },
  ];
  return others.reduce<readonly Disk[]>(
    (disks, disk) => {
      const at = disks.findIndex((each) => each.mount !== null && each.mount === disk.mount);
      return at < 0
        ? [...disks, disk]
        : disks.map((each, place) =>
            place === at ? { ...each, parts: [...each.parts, ...disk.parts] } : each,
          );
    },
    [own],
  );
}

function judgeDisk({
  parts,
  room,
  where,
}: Disk): readonly [answer: CheckAnswer, says: string] | null {
  if (parts.length === 0) return null;
  const needs = capital(parts.map(({ what }) => what).join(', '));
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (room === null) return ['unknown', `${needs}; the free space${where} is not known.`];
  const all = parts.length === 1 ? '' : `, ${sizeOf(bytes)} in all`;
  return [
    bytes > room.freeBytes ? 'block' : 'pass',
    `${needs}${all}; ${sizeOf(room.freeBytes)} are free${where}.`,
  ];
}

/** "same": they lie on the disk of the folder, or nobody can tell. */
function roomsOf(
  { results }: RunRequest,
  { look, push }: Rooms,
): { readonly folder: Room | null; readonly results: Room | null | 'same' } {
  const { folderDisk, resultsDisk, resultsRoom, room } = look;
  const isOther =
    results !== null &&
    folderDisk !== null &&
    resultsDisk !== null &&
    folderDisk.mount !== resultsDisk.mount;
  return { folder: push?.look.room ?? room, results: isOther ? resultsRoom : 'same' };
}

/** A mistake that shows itself on any machine should not cost time on a rented one (GEN5). */
function judgeRehearsal(
  { rehearsal }: RunRequest,
  push: PushSides | null,
  { rehearsals, nowMs }: NeedsAround['known'],
): Says | null {
  if (rehearsal === undefined) return null;
  const told = `“${plainLine(rehearsal, MAX_PATH_CHARS)}”`;
  if (push === null) {
    return [
      'unknown',
      `The request pushes no code, so nobody can tell whether ${told} has passed with what runs.`,
      'GEN5',
    ];
  }
  const passed = rehearsals.find(
    ({ tree, command }) => tree === push.kept.shown.tree && command === rehearsal,
  );
  return passed === undefined
    ? [
        'block',
        `${told} has not passed on this computer with this code.`,
        'GEN5',
        'a mistake that shows itself on any machine is found on the box.',
      ]
    : [
        'pass',
        `${told} passed on this computer with this very code, ${agoWords(passed.atMs, nowMs)}.`,
        'GEN5',
      ];
}

function judgeFilesNeed(request: RunRequest, around: Rooms): Says | null {
  if (request.files === undefined) return null;
  const { runs } = around;
  const files = request.files * runs;
  const times = runs === 1 ? '' : ` (${String(request.files)} × ${String(runs)})`;
  const needs = `The run leaves ${String(files)} files${times}`;
  const rooms = roomsOf(request, around);
  const room = rooms.results === 'same' ? rooms.folder : rooms.results;
  if (room === null) return ['unknown', `${needs}; how many inodes are free is not known.`];
  if (room.inodes === 0) return ['pass', `${needs}; this disk does not count inodes.`];
  const told = `${needs}; ${String(room.freeInodes)} inodes are free.`;
  return files > room.freeInodes
    ? ['block', told, 'U7', 'the run fails once no file can be created.']
    : ['pass', told];
}

function judgePush(
  request: RunRequest,
  push: PushSides,
  { atWork }: RunPreflight,
  known: NeedsAround['known'],
): readonly (readonly [id: string, title: string, judged: Says | null])[] {
  return [
    ['folder', 'Working folder', judgeFolder(push.look)],
    ['line-ends', 'Line endings', judgeLineEnds(request, push)],
    ['at-work', 'Scripts that run there', judgeAtWork(push, atWork)],
    ['push-tools', 'Tools for the push', judgeTools(push.look)],
    ['in-the-way', 'Names in the folder', judgeWay(push.inTheWay)],
    ['large-files', 'Large files', judgeLarge(push.kept.shown)],
    ['readers', 'Who can read the code', judgeReaders(known)],
  ];
}

function judgeFolder({ folder, kind, near }: TreeLook): Says | null {
  const told = plainLine(folder, MAX_PATH_CHARS);
  if (kind === 'missing') {
    return near === 'open'
      ? ['pass', `${told} does not exist; the push creates it.`]
      : ['block', `${told} does not exist, and can't be created by you.`];
  }
  // What else may be wrong with it the preflight says.
  return kind === 'unwritable'
    ? ['block', `${told} can't be written, so no code can be put there.`]
    : null;
}

function judgeLineEnds(request: RunRequest, { withReturns, kept }: PushSides): Says | null {
  const [first, ...others] = withReturns;
  if (first !== undefined) {
    const more = others.length === 0 ? '' : ` and ${String(others.length)} more`;
    return [
      'block',
      `${plainLine(first, MAX_PATH_CHARS)}${more} ${others.length === 0 ? 'has' : 'have'} Windows line endings (CRLF), which no shell can run. Convert them (dos2unix), or let the push change them.`,
      'U26',
    ];
  }
  // The preflight has looked at what the box had before the push.
  if (scriptOf(request.command) === null || /\r/.test(request.command)) return null;
  const fixed = kept.shown.fixed.count;
  return [
    'pass',
    fixed === 0
      ? 'The scripts that are pushed have Unix line endings.'
      : `Windows line endings are changed in ${String(fixed)} ${fixed === 1 ? 'script' : 'scripts'} on the way.`,
  ];
}

/** A file that is replaced while something runs from it changes that, too (U2). */
function judgeAtWork({ kept: { shown } }: PushSides, atWork: RunPreflight['atWork']): Says | null {
  const changes = shown.replaced.count + (shown.isDeleting ? shown.gone.count : 0);
  if (changes === 0) return null;
  const told = `The push changes ${String(changes)} ${changes === 1 ? 'file' : 'files'} of the folder`;
  if (atWork === null)
    return ['unknown', `${told}; whether something runs from there is not known.`, 'U2'];
  const [first] = atWork;
  if (first === undefined) return ['pass', `${told}, and no script runs from there.`, 'U2'];
  const more = atWork.length === 1 ? '' : ` and ${String(atWork.length - 1)} more`;
  return [
    'block',
    `${told}, in which ${plainLine(first.script, MAX_PATH_CHARS)} runs (pid ${String(first.pid)}${more}). Push into another folder, or wait for its end.`,
    'U2',
    'what runs there reads the changed files from then on.',
  ];
}

function judgeTools({ hasTar, hasHasher }: TreeLook): Says {
  const lacking = [
    ...(hasTar ? [] : ['tar']),
    ...(hasHasher ? [] : ['a tool that computes SHA-256 (openssl, sha256sum, shasum or Python)']),
  ];
  return lacking.length === 0
    ? ['pass', 'The box can unpack the code and compute its hashes.']
    : ['block', `The box lacks ${lacking.join(' and ')}: install it first.`];
}

function judgeWay(paths: readonly string[]): Says | null {
  const [first, ...others] = paths;
  if (first === undefined) return null;
  const more = others.length === 0 ? '' : ` and ${String(others.length)} more`;
  return [
    'block',
    `The box has a folder where a file is to go: ${plainLine(first, MAX_PATH_CHARS)}${more}. Move it away first.`,
  ];
}

/** Weights and data come to the box by a step of the request, into a folder that the step makes (U13). */
function judgeLarge({ large }: PlannedPush): Says | null {
  const [first] = large.first;
  if (first === undefined) return null;
  const isOne = large.count === 1;
  const it = isOne ? 'it' : 'them';
  const more = isOne ? '' : ` and ${String(large.count - 1)} more`;
  return [
    'warn',
    `${plainLine(first, MAX_PATH_CHARS)}${more} ${isOne ? 'is' : 'are'} over 100 MiB and would go through this computer. Leave ${it} out (push.ignore), and fetch ${it} on the box with a step of the request.`,
    'U13',
  ];
}

/** Of a platform whose free plan shows everybody what lies in a notebook. */
function judgeReaders(known: NeedsAround['known']): Says | null {
  const entry = ownTrap(known, 'PS7');
  return entry === null
    ? null
    : [
        'unknown',
        'Whether this is a notebook of the free plan is not known. What is pushed there anyone can read.',
        entry,
      ];
}

function sizeOf(bytes: number): string {
  if (bytes >= GIB) return `${(bytes / GIB).toFixed(1)} GiB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
