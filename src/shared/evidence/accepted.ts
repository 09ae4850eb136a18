import type { PulledFile, RunProof } from '../transfer/pull.ts';

/** A file that came as it is on the box, is damaged there too, and that a person takes so, in writing. */
export interface AcceptedFile {
  /** Of results that came home, from their folder on. */
  readonly path: string;
  /** These bytes alone: another version of it is another file. */
  readonly sha256: string;
  /** What its reader found. */
  readonly damage: string;
  /** Why it is taken, in their words. */
  readonly because: string;
  readonly atMs: number;
}

/** Every file of a run that was accepted until then; kept as evidence each time one is. */
export interface AcceptReport {
  readonly runId: string;
  readonly runName: string;
  /** The entry that proved the file that was accepted last, by its place and hash. */
  readonly proof: { readonly seq: number; readonly hash: string };
  readonly accepted: readonly AcceptedFile[];
}

export interface KeptAccept {
  readonly atMs: number;
  readonly seq: number;
  readonly hash: string;
  readonly report: AcceptReport;
}

/** A file to be accepted, as the person has seen it. */
export type ToAccept = Pick<AcceptedFile, 'path' | 'sha256' | 'because'>;

/** What was proven, beside what of it was accepted: the entry itself stays as it is. */
export function withAccepted(proof: RunProof, accepted: readonly AcceptedFile[]): RunProof {
  if (accepted.length === 0) return proof;
  const known = new Map(accepted.map((each) => [each.path, each]));
  const files = proof.report.files.map((file): PulledFile => {
    const found = known.get(file.path);
    if (found === undefined || found.sha256 !== file.sha256) return file;
    return { ...file, accepted: found.because };
  });
  return { ...proof, report: { ...proof.report, files } };
}
