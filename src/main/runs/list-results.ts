import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { ResultList } from '../../shared/runs/launch/launched-run.ts';
import { readLinks } from '../../shared/runs/launch/read-links.ts';
import { readRunResults } from '../../shared/runs/launch/read-run-results.ts';
import type { ResultPlace } from '../../shared/transfer/result-root.ts';
import { newMark, noInput, type OnboxScripts } from '../onbox/onbox-scripts.ts';
import { bytesWithin } from '../onbox/text-of.ts';
import type { SshConnection } from '../ssh/ssh-connection.ts';
import { doInTurns } from '../streams/in-turns.ts';
import { textOfList, textsOfList } from './list-text.ts';

/** How much one look tells. */
export interface ListBounds {
  readonly files: number;
  readonly bytes: number;
  /** The box stops looking then, and says so. */
  readonly seconds: number;
}

export interface ListOptions {
  readonly bounds?: ListBounds;
  readonly signal?: AbortSignal;
  /** Byte for byte what the list was made of, a NUL behind each file. */
  readonly onListed?: (records: Buffer) => void;
  /** How many files the box has told of, as it does. */
  readonly onFiles?: (files: number) => void;
  /** Of each link the box is asked as well where it leads. */
  readonly tellsLinks?: boolean;
}

/** What a person looks through. */
const SHORT_LIST: ListBounds = { files: 2000, bytes: 400_000, seconds: 15 };
/** What is brought home: of a million files nobody sees a table, and each stands in the evidence. */
export const LONG_LIST: ListBounds = { files: 200_000, bytes: 64 * 1024 * 1024, seconds: 300 };

/** Between the last name and the answer: a slow link. */
const SLACK_MS = 60_000;

/** Why a box that answered has told no list. What only came in part is `results-not-whole`: nothing follows from it. */
const REFUSALS: Readonly<Record<string, string>> = {
  'no-folder': 'The results folder does not exist on the box.',
  'not-a-folder': 'The results folder is a file, not a folder.',
  'not-enterable': "The results folder can't be entered: you have no permission.",
  'not-readable': "The results folder can't be read: you have no permission.",
  partly: 'The box could not read all of the results folder, so what else is in it is not known.',
  'no-place':
    'The box does not tell where this run works, or it works in the folder that holds everything, so what it left is not known.',
  'no-start':
    'This run names no results folder, and its run folder does not tell when it began, so what it left is not known.',
  'no-clock':
    'This run names no results folder. It was launched on another machine that shares this folder, or the clock of the box was set back since, so what it left is not known. Ask the machine that launched it, or name the folder that it saves into.',
  'no-times':
    'The box has no program that tells when a file was written: neither GNU find nor stat.',
};

/** Which files lie where the results of a run were to be. */
export async function listResults(
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  place: ResultPlace,
  {
    bounds = SHORT_LIST,
    signal,
    onListed = () => undefined,
    onFiles,
    tellsLinks = false,
  }: ListOptions = {},
): Promise<Result<ResultList, Problem>> {
  const mark = newMark();
  const askedAtMs = Date.now();
  const ran = await scripts.stream<Buffer>(
    connection,
    'run-results.sh',
    {
      LEASEHOLD_MARK: mark,
      ...placeValues(place),
      LEASEHOLD_MOST: String(bounds.bytes),
      LEASEHOLD_LIMIT_S: String(bounds.seconds),
    },
    noInput(),
    {
      read: (stdout) =>
        bytesWithin(stdout, bounds.bytes + MAX_HEAD_BYTES, onFiles && countFiles(onFiles)),
      timeoutMs: bounds.seconds * 1000 + SLACK_MS,
      ...(signal === undefined ? {} : { signal }),
    },
  );
  if (!ran.ok) return ran;
  const bytes = ran.value.value;
  const list = await doInTurns(
    readRunResults(bytes, mark, {
      ...{ atMs: askedAtMs, maxFiles: bounds.files },
      textsOf: (from, to) => textsOfList(bytes.subarray(from, to)),
    }),
  );
  if (list === null || typeof list === 'string') return err(listRefused(list));
  const head = bytes.indexOf(`${mark} folder `);
  onListed(bytes.subarray(bytes.indexOf('\n', head) + 1, bytes.lastIndexOf(`\n${mark} whole`)));
  const hasLinks = tellsLinks && list.others.some(({ kind }) => kind === 'link');
  return hasLinks ? withLeads(list, connection, scripts, signal) : ok(list);
}

/** Of more links than fit in these nobody knows where they lead. */
const LINK_BYTES = 2 * 1024 * 1024;
const LINKS_WITHIN_S = 60;

async function withLeads(
  list: ResultList,
  connection: Pick<SshConnection, 'runBytes'>,
  scripts: OnboxScripts,
  signal: AbortSignal | undefined,
): Promise<Result<ResultList, Problem>> {
  const mark = newMark();
  const ran = await scripts.stream<Buffer>(
    connection,
    'link-targets.sh',
    {
      LEASEHOLD_MARK: mark,
      LEASEHOLD_FOLDER: list.folder,
      LEASEHOLD_MOST: String(LINK_BYTES),
      LEASEHOLD_LIMIT_S: String(LINKS_WITHIN_S),
    },
    noInput(),
    {
      read: (stdout) => bytesWithin(stdout, LINK_BYTES + MAX_HEAD_BYTES),
      timeoutMs: LINKS_WITHIN_S * 1000 + SLACK_MS,
      ...(signal === undefined ? {} : { signal }),
    },
  );
  if (!ran.ok) return ran;
  const leads = readLinks(await doInTurns(textOfList(ran.value.value)), mark, list.folder);
  const others = list.others.map((each) =>
    each.kind === 'link' ? { ...each, leads: leads.get(each.path) ?? null } : each,
  );
  return ok({ ...list, others });
}

/** A place, as run-results.sh is told of it. */
export function placeValues({
  folder,
  results,
  began = '',
}: ResultPlace): Readonly<Record<string, string>> {
  return { LEASEHOLD_FOLDER: folder, LEASEHOLD_RESULTS: results, LEASEHOLD_BEGAN: began };
}

/** Behind each file is a NUL. */
export function countFiles(tell: (files: number) => void): (piece: Buffer) => void {
  let files = 0;
  return (piece) => {
    for (let at = piece.indexOf(0); at !== -1; at = piece.indexOf(0, at + 1)) files += 1;
    tell(files);
  };
}

/** `why`: in the word of run-results.sh; null: its answer was not whole. */
export function listRefused(why: string | null): Problem {
  const because = REFUSALS[why ?? ''];
  if (because === undefined) {
    return problem('results-not-whole', 'The box did not list the results as a whole.');
  }
  return problem(why === 'no-folder' ? 'results-not-there' : 'results-not-read', because);
}

/** What start-up files may print, and the lines around the list. */
const MAX_HEAD_BYTES = 100_000;
