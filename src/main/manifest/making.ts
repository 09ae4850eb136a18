import { join } from 'node:path';

// What lies in the folder in which a manifest is made.

/** As the box told it, in its own order. */
export const LISTED = 'listed';
/** All that was listed, in order, with each hash that is known. */
export const NEXT = 'next';
/** Hashes that are known besides: what was hashed for it, with which one that was cut off goes on. */
export const PART = 'part';

/** How the box is asked for hashes: openssl tells all files of one call at its end, and a name with a line break in it looks like two. */
export const waysToHash = ['many', 'alone', 'odd'] as const;
export type WayToHash = (typeof waysToHash)[number];

export const toHashIn = (folder: string, way: WayToHash): string => join(folder, `ask-${way}`);
export const toldIn = (folder: string): string => join(folder, 'told');

/** In a folder of manifests: each lies there under its digest. */
export const manifestIn = (folder: string, digest: string): string =>
  join(folder, `${digest}.manifest`);
