import { isAbsolute } from 'node:path';

/** More is no drop of a person who still knows what is in it. */
const MAX_DROPPED = 1000;
const MAX_PATH_CHARS = 32_768;

/** Where the files lie that a person dropped on the window last, until they are taken. */
export class DroppedFiles {
  #paths: readonly string[] = [];

  /** As preload tells it. */
  dropped(paths: unknown): void {
    const isUsable = Array.isArray(paths) && paths.length <= MAX_DROPPED && paths.every(isPath);
    this.#paths = isUsable ? paths : [];
  }

  /** Once. */
  take(): readonly string[] {
    const paths = this.#paths;
    this.#paths = [];
    return paths;
  }
}

const isPath = (path: unknown): path is string =>
  typeof path === 'string' && path.length <= MAX_PATH_CHARS && isAbsolute(path);
