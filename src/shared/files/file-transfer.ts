import { byBox } from '../streams/meter-stream.ts';
import type { LeftFile } from './delete-plan.ts';

/** What a person sends: files or a folder that they choose, or what they dropped on the window. */
export const uploads = ['files', 'folder', 'dropped'] as const;
export type UploadWhat = (typeof uploads)[number];

/** How far files are that a person brings here or sends there, or copies here that are read again before anything is deleted there. */
export interface FileTransfer {
  readonly way: 'download' | 'upload' | 'check';
  readonly doneFiles: number;
  readonly files: number;
  readonly doneBytes: number;
  readonly bytes: number;
}

/** What came of it. */
export interface TransferReport {
  readonly way: 'download' | 'upload';
  /** The folder on this computer, or the one on the box. */
  readonly to: string;
  readonly files: number;
  readonly bytes: number;
  /** What was not copied, and why. */
  readonly left: readonly LeftFile[];
}

/** A box that is not in it sends and gets no files. */
export const fileTransfersStream = byBox<FileTransfer>();
