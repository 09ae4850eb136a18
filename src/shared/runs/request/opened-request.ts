import type { FileFault } from '../../yaml/file-fault.ts';
import type { WantedRun } from './wanted-run.ts';

/** What came of choosing a request file. */
export type OpenedRequest =
  | { readonly kind: 'cancelled' }
  | ({ readonly kind: 'read'; readonly file: string } & WantedRun)
  | { readonly kind: 'faults'; readonly file: string; readonly faults: readonly FileFault[] };

export type SavedRequest =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'saved'; readonly file: string };
