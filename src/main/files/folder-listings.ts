import { randomUUID } from 'node:crypto';
import { MAX_LISTED, type BoxFile, type FolderPart } from '../../shared/files/box-file.ts';
import { problem, type Problem } from '../../shared/problem.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import type { FileLease, FileSessions } from './file-sessions.ts';

/** The first part is there soon. Each following one is as long as all before it, up to what the window takes over within some frames. */
const [FIRST_PART, MOST_PART] = [400, 8000];
/** What comes slowly is shown meanwhile. */
const PART_MS = 1000;
/** SECURITY: of names, in one part and in all. A box may make up long ones, and each crosses to the window and is kept there. */
const [PART_CHARS, ALL_CHARS] = [4 * 1024 * 1024, 32 * 1024 * 1024];

interface Listing {
  readonly id: string;
  readonly folder: string;
  readonly pages: AsyncGenerator<Result<readonly BoxFile[], Problem>, void>;
  readonly lease: FileLease;
  count: number;
  chars: number;
  /** One part at a time, whoever asks. */
  isAsked: boolean;
}

/** Folders that are being listed, one for each box: its rest is asked for part by part, and left where another one is begun. */
export class FolderListings {
  readonly #sessions: Pick<FileSessions, 'lease'>;
  readonly #listings = new Map<string, Listing>();

  constructor(sessions: Pick<FileSessions, 'lease'>) {
    this.#sessions = sessions;
  }

  /** `folder`: a whole path; null: where a log-in begins. */
  async begin(boxId: string, wanted: string | null): Promise<Result<FolderPart, Problem>> {
    this.stop(boxId);
    const leased = await this.#sessions.lease(boxId);
    if (!leased.ok) return leased;
    const { files } = leased.value;
    const folder = wanted === null ? await files.realPath('.') : ok(wanted);
    if (!folder.ok) {
      leased.value.release();
      return folder;
    }
    this.stop(boxId);
    const listing: Listing = {
      id: randomUUID(),
      folder: folder.value,
      pages: files.list(folder.value),
      lease: leased.value,
      count: 0,
      chars: 0,
      isAsked: false,
    };
    this.#listings.set(boxId, listing);
    return this.#part(boxId, listing);
  }

  async more(boxId: string, rest: string): Promise<Result<FolderPart, Problem>> {
    const listing = this.#listings.get(boxId);
    if (listing?.id !== rest || listing.isAsked) {
      return err(problem('folder-not-listed', 'The folder is not being listed any more.'));
    }
    return this.#part(boxId, listing);
  }

  /** Nobody looks at it any more. */
  stop(boxId: string): void {
    const listing = this.#listings.get(boxId);
    if (listing === undefined) return;
    this.#listings.delete(boxId);
    // While a part is asked for, the generator takes the end after it.
    void listing.pages.return().finally(listing.lease.release);
  }

  close(): void {
    for (const boxId of [...this.#listings.keys()]) this.stop(boxId);
  }

  async #part(boxId: string, listing: Listing): Promise<Result<FolderPart, Problem>> {
    const files: BoxFile[] = [];
    const wanted = Math.min(Math.max(FIRST_PART, listing.count), MOST_PART);
    const untilMs = performance.now() + PART_MS;
    let [isOver, chars] = [false, 0];
    listing.isAsked = true;
    const hasRoom = (): boolean => files.length < wanted && chars < PART_CHARS;
    while (!isOver && hasRoom() && performance.now() < untilMs) {
      const page = await listing.pages.next();
      if (page.done === true) isOver = true;
      else if (page.value.ok) {
        const more = page.value.value.filter(isNoStep);
        files.push(...more);
        for (const { name } of more) chars += name.length;
      } else {
        if (this.#listings.get(boxId) === listing) this.stop(boxId);
        return page.value;
      }
      if (listing.count + files.length > MAX_LISTED) break;
    }
    listing.isAsked = false;
    const room = MAX_LISTED - listing.count;
    listing.count += files.length;
    listing.chars += chars;
    const isFull = !isOver && (listing.count > MAX_LISTED || listing.chars > ALL_CHARS);
    const isLeft = this.#listings.get(boxId) !== listing;
    if ((isOver || isFull) && !isLeft) this.stop(boxId);
    return ok({
      folder: listing.folder,
      files: files.slice(0, room),
      rest: isOver || isFull || isLeft ? null : listing.id,
      isCut: isFull,
      isPartly: false,
    });
  }
}

const isNoStep = ({ name }: BoxFile): boolean => name !== '.' && name !== '..';
