import { basename, join } from 'node:path';
import { joinPath, nameOf, parentOf } from '../../shared/files/box-path.ts';
import type { LeftFile } from '../../shared/files/delete-plan.ts';
import {
  fileTransfersStream,
  type FileTransfer,
  type TransferReport,
  type UploadWhat,
} from '../../shared/files/file-transfer.ts';
import type { DoomedResult } from '../../shared/files/judge-delete.ts';
import { newNameFault } from '../../shared/files/new-name.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { BoxChange, ByBox } from '../../shared/streams/meter-stream.ts';
import { namedTwice, usualNames, whyNotHere } from '../../shared/transfer/local-name.ts';
import type { BoxFiles } from '../ssh/box-files.ts';
import type { StreamHub, Topic } from '../streams/stream-hub.ts';
import type { HomeCheckOptions } from '../transfer/home-check.ts';
import { makeFolders } from '../transfer/make-folders.ts';
import { downloadFile } from './download-file.ts';
import type { FileSessions } from './file-sessions.ts';
import { TransferCount } from './transfer-count.ts';
import { uploadFile } from './upload-file.ts';
import { makeUploadFolders, readUploadTree } from './upload-tree.ts';
import { walkTree, type Walked } from './walk-tree.ts';

export interface FileTransfersOptions {
  readonly hub: StreamHub;
  readonly sessions: FileSessions;
  readonly desktop: {
    /** The system's own dialogs; null: cancelled. */
    readonly chooseFolder: () => Promise<string | null>;
    readonly chooseFiles: () => Promise<readonly string[] | null>;
    /** What a person dropped on the window last, once. */
    readonly takeDropped: () => readonly string[];
    readonly approveUpload: ApproveUpload;
  };
}

/** Asks in the system's dialog whether these go into that folder of the box. */
export type ApproveUpload = (paths: readonly string[], to: string) => Promise<boolean>;

/** An entry of the box, and its name from the folder on into which it is brought. */
export interface Found {
  readonly from: Walked;
  readonly name: string;
}

/** What of the entries that were found is to be brought, or why nothing is. */
export type ChooseFound = (found: readonly Found[]) => Promise<Result<readonly Found[], Problem>>;

/** One file on its way, and how it is done. */
interface Job {
  readonly path: string;
  readonly bytes: number;
  readonly copy: (onBytes: (bytes: number) => void) => Promise<Result<null, Problem>>;
}

interface Jobs {
  readonly jobs: readonly Job[];
  /** What is not even tried. */
  readonly left: readonly LeftFile[];
}

/** Without the box or without room, no other file fares better. */
const ENDS_ALL: ReadonlySet<string> = new Set([
  ...['link-lost', 'command-timeout', 'not-connected', 'disk-full', 'aborted'],
]);

/** Files that a person brings here or sends there, one transfer for each box (stream `file-transfers`). */
export class FileTransfers {
  readonly #options: FileTransfersOptions;
  readonly #topic: Topic<ByBox<FileTransfer>, BoxChange<FileTransfer>>;
  readonly #underWay = new Map<string, AbortController>();

  constructor(options: FileTransfersOptions) {
    this.#options = options;
    this.#topic = options.hub.addTopic('file-transfers', '', {
      kind: fileTransfersStream,
      initial: { boxes: {} },
    });
  }

  /** SECURITY: where to is asked here, in the system's own dialog, so that no page can name a folder. Null: cancelled. */
  async download(
    boxId: string,
    paths: readonly string[],
  ): Promise<Result<TransferReport | null, Problem>> {
    const to = await this.#options.desktop.chooseFolder();
    if (to === null) return ok(null);
    return this.bring(boxId, paths, to, (found) => Promise.resolve(ok(found)));
  }

  /** Into a folder of this computer that no page has named. */
  bring(
    boxId: string,
    paths: readonly string[],
    to: string,
    choose: ChooseFound,
  ): Promise<Result<TransferReport, Problem>> {
    return this.#carryOut(boxId, 'download', to, async (files, signal) => {
      const found = await findAll(files, paths, signal);
      const chosen = found.ok ? await choose(found.value) : found;
      return chosen.ok ? ok(await downloadJobs({ files, to, signal }, chosen.value)) : chosen;
    });
  }

  /** SECURITY: which files, too; and what was dropped on the window is only sent once a person has seen in a dialog what it is. */
  async upload(
    boxId: string,
    folder: string,
    what: UploadWhat,
  ): Promise<Result<TransferReport | null, Problem>> {
    const chosen = await this.#choose(what, folder);
    if (chosen === null) return ok(null);
    if (chosen.length === 0) {
      return err(
        problem('file-failed', 'What was dropped does not lie on this computer as a file.'),
      );
    }
    return this.#carryOut(boxId, 'upload', folder, async (files, signal) =>
      ok(await uploadJobs({ files, folder, signal }, chosen)),
    );
  }

  /** Null: they left it. */
  async #choose(what: UploadWhat, to: string): Promise<readonly string[] | null> {
    const { chooseFiles, chooseFolder, takeDropped, approveUpload } = this.#options.desktop;
    if (what === 'files') return chooseFiles();
    if (what === 'folder') {
      const folder = await chooseFolder();
      return folder === null ? null : [folder];
    }
    const dropped = takeDropped();
    return dropped.length === 0 || (await approveUpload(dropped, to)) ? dropped : null;
  }

  stop(boxId: string): void {
    this.#underWay.get(boxId)?.abort();
  }

  /** For quitting. */
  close(): void {
    for (const stopper of this.#underWay.values()) stopper.abort();
    this.#options.hub.removeTopic('file-transfers', '');
  }

  /** Counts copies here as they are read, with nothing else of this box under way. */
  readCopies<T>(
    boxId: string,
    copies: readonly DoomedResult[],
    read: (reading: HomeCheckOptions) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    return this.#alone(boxId, (signal) => {
      const count = this.#count(
        boxId,
        'check',
        copies.map(({ file }) => file),
      );
      return read({
        signal,
        onBytes: (bytes) => count.add(bytes),
        onFile: () => count.end(true),
      });
    });
  }

  #carryOut(
    boxId: string,
    way: TransferReport['way'],
    to: string,
    gather: (files: BoxFiles, signal: AbortSignal) => Promise<Result<Jobs, Problem>>,
  ): Promise<Result<TransferReport, Problem>> {
    return this.#alone(boxId, (signal) =>
      this.#options.sessions.use(boxId, async (files) => {
        const gathered = await gather(files, signal);
        if (!gathered.ok) return gathered;
        const { jobs, left } = gathered.value;
        const count = this.#count(boxId, way, jobs);
        const failed = await runAll(jobs, count, signal);
        const { doneFiles: done, doneBytes: bytes } = count;
        return ok({ way, to, files: done, bytes, left: [...left, ...failed] });
      }),
    );
  }

  #count(
    boxId: string,
    way: FileTransfer['way'],
    jobs: readonly { readonly bytes: number }[],
  ): TransferCount {
    return new TransferCount(way, jobs, (value) => this.#topic.publish({ boxId, value }));
  }

  async #alone<T>(
    boxId: string,
    act: (signal: AbortSignal) => Promise<Result<T, Problem>>,
  ): Promise<Result<T, Problem>> {
    if (this.#underWay.has(boxId)) {
      return err(problem('file-failed', 'Files of this box are on their way already.'));
    }
    const stopper = new AbortController();
    this.#underWay.set(boxId, stopper);
    try {
      return await act(stopper.signal);
    } finally {
      this.#underWay.delete(boxId);
      this.#topic.publish({ boxId, value: null });
    }
  }
}

const stopped = (): Problem => problem('aborted', 'Copying was stopped.');

/** One after the other: over one session several would only share its rate. */
async function runAll(
  jobs: readonly Job[],
  count: TransferCount,
  signal: AbortSignal,
): Promise<readonly LeftFile[]> {
  const left: LeftFile[] = [];
  let over: Problem | null = null;
  for (const { path, copy } of jobs) {
    if (signal.aborted) over ??= stopped();
    const done: Result<null, Problem> =
      over === null ? await copy((bytes) => count.add(bytes)) : err(over);
    count.end(done.ok);
    if (done.ok) continue;
    left.push({ path, problem: done.error });
    if (ENDS_ALL.has(done.error.code)) over ??= done.error;
  }
  return left;
}

/** What was chosen is found, also where it is a link; links inside of it are not followed. */
async function findAll(
  files: BoxFiles,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Result<readonly Found[], Problem>> {
  const found: Found[] = [];
  for (const path of paths) {
    const real = await files.realPath(path);
    if (!real.ok) return real;
    const walked = await walkTree(files, real.value, signal);
    if (!walked.ok) return walked;
    for (const from of walked.value) {
      found.push({ from, name: `${nameOf(path)}${from.path.slice(real.value.length)}` });
    }
  }
  return ok(found);
}

interface DownloadWith {
  readonly files: BoxFiles;
  readonly to: string;
  readonly signal: AbortSignal;
}

/** SECURITY: each path was judged before anything of it is made here (`whyNotHere`). */
async function downloadJobs(
  { files, to, signal }: DownloadWith,
  found: readonly Found[],
): Promise<Jobs> {
  const twice = namedTwice(
    found.map(({ name }) => name),
    usualNames(process.platform),
  );
  const jobs: Job[] = [];
  const left: LeftFile[] = [];
  for (const { from, name } of found) {
    const because = whyNotBrought(from, name, twice);
    if (because !== null) {
      left.push({ path: from.path, problem: problem('file-failed', because) });
    } else if (from.file.kind === 'folder') {
      // Also one that holds nothing.
      const made = signal.aborted ? err(stopped()) : await makeFolders(to, `${name}/`);
      if (!made.ok) left.push({ path: from.path, problem: made.error });
    } else {
      const copy: Job['copy'] = async (onBytes) => {
        const made = await makeFolders(to, name);
        const place = join(to, ...name.split('/'));
        return made.ok ? downloadFile({ files, from, place, signal, onBytes }) : made;
      };
      jobs.push({ path: from.path, bytes: from.file.sizeBytes ?? 0, copy });
    }
  }
  return { jobs, left };
}

/** Null: it is brought, or made, where it is a folder. */
function whyNotBrought(
  { file: { kind, hasUsableName } }: Walked,
  name: string,
  twice: ReadonlySet<string>,
): string | null {
  if (!hasUsableName) return 'Its name is not UTF-8.';
  if (kind !== 'file' && kind !== 'folder')
    return kind === 'link' ? 'It is a link.' : 'It is no plain file.';
  // Folders whose names are one here become one.
  if (kind === 'file' && twice.has(name))
    return 'This computer’s disk cannot tell its name from another one.';
  return whyNotHere(name, usualNames(process.platform));
}

interface UploadWith {
  readonly files: BoxFiles;
  readonly folder: string;
  readonly signal: AbortSignal;
}

async function uploadJobs(
  { files, folder, signal }: UploadWith,
  chosen: readonly string[],
): Promise<Jobs> {
  const jobs: Job[] = [];
  const left: LeftFile[] = [];
  for (const from of chosen) {
    const name = basename(from);
    const fault = newNameFault(name);
    const tree =
      fault === null
        ? await readUploadTree(from, joinPath(folder, name))
        : err(problem('file-name-unusable', fault));
    if (!tree.ok) {
      left.push({ path: from, problem: tree.error });
      continue;
    }
    left.push(...tree.value.left);
    const failed = await makeUploadFolders(files, tree.value.folders, signal);
    for (const [path, because] of failed) left.push({ path, problem: because });
    for (const { from: path, place, bytes } of tree.value.files) {
      const above = failed.get(parentOf(place) ?? '/');
      const copy: Job['copy'] = (onBytes) =>
        above === undefined
          ? uploadFile({ files, from: path, place, signal, onBytes })
          : Promise.resolve(err(above));
      jobs.push({ path, bytes, copy });
    }
  }
  return { jobs, left };
}
