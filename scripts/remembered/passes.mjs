import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readJsonOrNull } from '../lib/files.mjs';

/**
 * Remembers in a file what has passed, by the digest of everything that it depends on: what is asked again with the same
 * digest would only say the same. Nothing that failed is ever remembered, so it is run until it passes.
 */
export class Passes {
  #path;
  /** @type {Map<string, string>} What passed → the digest it passed with. */
  #digests;

  /**
   * @param {string} path
   * @param {Map<string, string>} digests
   */
  constructor(path, digests) {
    this.#path = path;
    this.#digests = digests;
  }

  /** Of these, the ones that have not passed as they are now. */
  missing(/** @type {ReadonlyMap<string, string>} */ wanted) {
    return [...wanted]
      .filter(([name, digest]) => this.#digests.get(name) !== digest)
      .map(([name]) => name);
  }

  /**
   * Keeps what passed, and forgets what is not there any more.
   * @param {ReadonlyMap<string, string>} wanted Everything there is, with the digests from before it was run.
   * @param {Iterable<string>} passed
   * @param {Iterable<string>} failed
   */
  async keep(wanted, passed, failed) {
    for (const name of this.#digests.keys()) if (!wanted.has(name)) this.#digests.delete(name);
    for (const name of failed) this.#digests.delete(name);
    for (const name of passed) this.#digests.set(name, wanted.get(name) ?? '');
    await mkdir(dirname(this.#path), { recursive: true });
    // In one step: a run that is broken off leaves the old memory, not half of the new one.
    const draft = `${this.#path}.${String(process.pid)}`;
    await writeFile(draft, JSON.stringify(Object.fromEntries(this.#digests)));
    await rename(draft, this.#path);
  }
}

/** What is remembered in a file; nothing where it is missing or is none of ours. */
export async function openPasses(/** @type {string} */ path) {
  const read = await readJsonOrNull(path);
  const entries = typeof read === 'object' && read !== null ? Object.entries(read) : [];
  return new Passes(path, new Map(entries.filter(([, digest]) => typeof digest === 'string')));
}
