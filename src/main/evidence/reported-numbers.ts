import { basename, join } from 'node:path';
import type {
  FileNumbers,
  KeptReread,
  NumberNow,
  ReportedNumber,
  RereadNow,
  RereadNumber,
} from '../../shared/evidence/reread.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { PulledFile, RunProof } from '../../shared/transfer/pull.ts';
import { compareFigures } from '../../shared/verify/numbers/compare-figures.ts';
import type { EvidenceTable } from '../storage/evidence-table.ts';
import type { ReadNumbers } from '../workers/jobs.ts';
import type { Workers } from '../workers/workers.ts';
import { keepReread, readReread } from './read-reread.ts';

export interface ReportedNumbersOptions {
  readonly evidence: Pick<EvidenceTable, 'append' | 'newest'>;
  readonly workers: Pick<Workers, 'run'>;
  /** What was proven of a run's results when they last came home; null: they never did. */
  readonly proof: (boxId: string, runId: string) => Promise<Result<RunProof | null, Problem>>;
}

/** Reads the numbers that a person reports again: from the copy on this computer, whose hash is still the one that was proven. */
export class ReportedNumbers {
  readonly #options: ReportedNumbersOptions;

  constructor(options: ReportedNumbersOptions) {
    this.#options = options;
  }

  /** SECURITY: only of files that came home, by the evidence, so that no page can have another one read. */
  async list(boxId: string, runId: string, path: string): Promise<Result<FileNumbers, Problem>> {
    const proven = await this.#proven(boxId, runId);
    if (!proven.ok) return proven;
    const { report } = proven.value;
    const file = report.files.find((each) => each.path === path);
    const read = await this.#read(report.to, file, null);
    if (typeof read === 'string') return err(problem('numbers-not-read', read));
    return ok({ numbers: read.listed, isCut: read.isCut });
  }

  /** Keeps what it found as evidence, also where that falls short. */
  async reread(
    boxId: string,
    runId: string,
    wanted: readonly ReportedNumber[],
  ): Promise<Result<KeptReread, Problem>> {
    const proven = await this.#proven(boxId, runId);
    if (!proven.ok) return proven;
    const { seq, hash, report } = proven.value;
    const files = new Map(report.files.map((file) => [file.path, file]));
    const numbers = await eachByFile(wanted, async (path, ofFile) => {
      const read = await this.#read(report.to, files.get(path), ofFile);
      return ofFile.map((number, at) => rereadOf(number, read, at));
    });
    return keepReread(this.#options.evidence, boxId, {
      ...{ runId, runName: report.runName, folder: report.to },
      ...{ proof: { seq, hash }, numbers },
    });
  }

  /** The numbers that were kept last, each with what stands there now; null: none ever were. Changes nothing. */
  async look(boxId: string, runId: string): Promise<Result<RereadNow | null, Problem>> {
    const newest = this.#options.evidence.newest({ kind: 'reread', boxId, about: runId });
    if (!newest.ok) return newest;
    const [entry] = newest.value.rows;
    const [unreadable] = newest.value.unreadable;
    if (entry === undefined) return unreadable === undefined ? ok(null) : err(unreadable);
    const kept = readReread(entry);
    if (!kept.ok) return kept;
    const { folder, numbers } = kept.value.report;
    const now = await eachByFile(numbers, async (path, ofFile) => {
      const read = await this.#readPlace(folder, path, ofFile);
      return ofFile.map((number, at) => nowOf(number, read, at));
    });
    return ok({ kept: kept.value, lookedAtMs: Date.now(), now });
  }

  async #proven(boxId: string, runId: string): Promise<Result<RunProof, Problem>> {
    const proof = await this.#options.proof(boxId, runId);
    if (!proof.ok) return proof;
    if (proof.value !== null) return ok(proof.value);
    return err(problem('numbers-not-read', 'The results of this run have not been brought home.'));
  }

  /** A sentence: why nothing of it was read. Bytes that were not proven are no results. */
  async #read(
    folder: string,
    file: PulledFile | undefined,
    wanted: readonly ReportedNumber[] | null,
  ): Promise<ReadNumbers | string> {
    if (file?.mark !== 'equal' || file.level !== 'loaded') {
      return 'It is no file that came home and was loaded.';
    }
    const read = await this.#readPlace(folder, file.path, wanted);
    if (typeof read === 'string' || read.sha256 === file.sha256) return read;
    return 'The file on this computer is not the one that came home: its hash is another one.';
  }

  async #readPlace(
    folder: string,
    path: string,
    wanted: readonly ReportedNumber[] | null,
  ): Promise<ReadNumbers | string> {
    const read = await this.#options.workers.run('read-numbers', {
      path: join(folder, ...path.split('/')),
      name: basename(path),
      keys: wanted?.map(({ key }) => key) ?? null,
    });
    if (!read.ok) return `It could not be read: ${read.error.detail ?? read.error.message}`;
    const { because } = read.value;
    return because === null ? read.value : `No number of it was read: ${because}.`;
  }
}

/** Each file is read once, however many numbers of it are asked for; the answers come in the order of the questions. */
async function eachByFile<T extends ReportedNumber, R>(
  numbers: readonly T[],
  read: (path: string, ofFile: readonly T[]) => Promise<readonly R[]>,
): Promise<readonly R[]> {
  const answers = new Map<T, R>();
  for (const path of new Set(numbers.map((number) => number.path))) {
    const ofFile = numbers.filter((number) => number.path === path);
    const found = await read(path, ofFile);
    ofFile.forEach((number, at) => {
      const answer = found[at];
      if (answer !== undefined) answers.set(number, answer);
    });
  }
  return numbers.flatMap((number) => answers.get(number) ?? []);
}

/** The literal, or why there is none, as a sentence. */
function literalAt(
  read: ReadNumbers | string,
  at: number,
): { readonly literal: string | null; readonly says: string | null } {
  if (typeof read === 'string') return { literal: null, says: read };
  const found = read.found[at];
  if (found?.kind === 'found') return { literal: found.literal, says: null };
  return { literal: null, says: `In the file, ${found?.because ?? 'nothing was found'}.` };
}

function rereadOf(
  { path, key, name, figure }: ReportedNumber,
  read: ReadNumbers | string,
  at: number,
): RereadNumber {
  const { literal, says } = literalAt(read, at);
  const verdict = literal === null || figure === null ? null : compareFigures(figure, literal);
  const sha256 = literal === null || typeof read === 'string' ? null : read.sha256;
  return { path, key, name, figure, literal, sha256, verdict, says };
}

function nowOf(kept: RereadNumber, read: ReadNumbers | string, at: number): NumberNow {
  const { literal, says } = literalAt(read, at);
  if (literal === null || typeof read === 'string') return { state: 'not-read', literal, says };
  if (literal !== kept.literal) {
    const was = kept.literal === null ? 'It could not be read' : `It was ${kept.literal}`;
    return { state: 'changed', literal, says: `${was} when it was kept.` };
  }
  if (read.sha256 === kept.sha256) return { state: 'same', literal, says: null };
  const moved = 'The file was changed since; this number in it is the same.';
  return { state: 'moved', literal, says: moved };
}
