import type { Result } from '../../shared/result.ts';
import type { SweepRef } from '../../shared/runs/sweep/sweep-roster.ts';
import type { SweepFile } from '../../shared/runs/sweep/sweep-schema.ts';
import type { Loaded } from '../../shared/verify/loaded.ts';
import type { ListedNumber, NumberKey } from '../../shared/verify/numbers/number-key.ts';
import type { SetFound } from '../../shared/verify/sets.ts';
import type { ManifestChanges } from '../../shared/manifest/manifest.ts';
import type { Joined } from '../manifest/join-manifest.ts';
import type { FoundNumber } from '../verify/numbers/number-collector.ts';
import type { LikelySet } from '../verify/sets/sets.ts';

/** What is too heavy for main: each kind of job with what it is given and what it answers, both as structured clones. */
export interface Jobs {
  /** The SHA-256 of a file, and whether it can be loaded as what `name` says; null: the hash alone. */
  'prove-file': {
    readonly input: { readonly path: string; readonly name: string | null };
    readonly output: {
      readonly sha256: string;
      readonly sizeBytes: number;
      /** When it was written, in nanoseconds since 1970, and not since it was read. */
      readonly writtenNs: string;
      /** Null: nobody asked. */
      readonly loaded: Loaded | null;
    };
  };
  /**
   * The same of a file that is still being brought home: it is read behind whatever writes at its end, until it has so many bytes. It takes as
   * long as they take to come, and is stopped by whoever knows that no more will.
   */
  'prove-growing': {
    readonly input: { readonly path: string; readonly name: string; readonly bytes: number };
    readonly output: Jobs['prove-file']['output'];
  };
  /** Whether copies below one folder of this computer are what was proven. */
  'check-copies': {
    readonly input: {
      readonly to: string;
      readonly files: readonly { readonly path: string; readonly sha256: string | null }[];
    };
    readonly output: {
      /** Of each, in their order: a clause about what is wrong with it; null: it stands. */
      readonly because: readonly (string | null)[];
      /** That were read. */
      readonly bytes: number;
    };
  };
  /** Numbers of a file, and what else is known of the very bytes in which they stood. */
  'read-numbers': {
    readonly input: {
      readonly path: string;
      readonly name: string;
      /** Null: which there are. */
      readonly keys: readonly NumberKey[] | null;
    };
    readonly output: ReadNumbers;
  };
  /** Many files that came in one tar stream, perhaps compressed, each proven and given its name; null: all of them are here already. */
  'settle-files': {
    readonly input: {
      readonly stream: string | null;
      /** Of the stream, as it is without compressing. */
      readonly mostBytes: number;
      readonly to: string;
      readonly files: readonly {
        readonly path: string;
        readonly bytes: number;
        readonly sha256: string;
      }[];
    };
    /** Of each, in their order. */
    readonly output: readonly SettledEnd[];
  };
  /** Whether files are whole together; null: they are no such set after all. */
  'prove-set': {
    readonly input: { readonly root: string; readonly set: LikelySet };
    readonly output: SetFound | null;
  };
  /** `folder`: where a manifest is made. */
  'join-manifest': {
    readonly input: {
      readonly folder: string;
      /** Its hashes stand where a file is the same version; null: there is none. */
      readonly earlier: { readonly file: string; readonly digest: string } | null;
      /** What the box could not read before it is asked for again. */
      readonly isRetrying: boolean;
    };
    readonly output: Joined;
  };
  'fold-told': {
    readonly input: {
      readonly folder: string;
      /** It was told to its end: what is missing in it could not be read. */
      readonly isWhole: boolean;
    };
    readonly output: null;
  };
  'compare-manifests': {
    readonly input: { readonly earlier: string; readonly later: string };
    readonly output: ManifestChanges;
  };
  /** What a box says of a sweep; or why nothing of it is believed. */
  'check-sweep': {
    readonly input: { readonly text: string; readonly ref: SweepRef };
    readonly output: Result<SweepFile, string>;
  };
}

export interface ReadNumbers {
  readonly sha256: string;
  /** Without a number nothing was read again; a clause about the file. */
  readonly because: string | null;
  /** One for each key, in their order. */
  readonly found: readonly FoundNumber[];
  /** Where all were asked for. */
  readonly listed: readonly ListedNumber[];
  /** There are more than these. */
  readonly isCut: boolean;
}

/** What became of a file that came with others. */
export type SettledEnd =
  | { readonly kind: 'proven'; readonly loaded: Loaded | null; readonly writtenNs: string }
  /** Another file stands here under its name. */
  | { readonly kind: 'in-the-way' }
  /** It did not come so, or came as something else: by itself it comes, or says why not. */
  | { readonly kind: 'not-settled' };

export type JobKind = keyof Jobs;

/** To a worker: one job at a time. */
export type JobRequest = {
  [K in JobKind]: { readonly kind: K; readonly input: Jobs[K]['input'] };
}[JobKind];

/** From a worker. */
export type JobAnswer =
  | { readonly kind: 'progress'; readonly doneBytes: number }
  | { readonly kind: 'done'; readonly output: Jobs[JobKind]['output'] }
  /** What an adapter makes of it is for whoever asked. */
  | { readonly kind: 'failed'; readonly code: string | null; readonly message: string };
