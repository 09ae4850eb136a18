import { byBox } from '../streams/meter-stream.ts';
import type { GateState } from './gate.ts';
import type { ProviderLine } from './provider-said.ts';
import type { SecretsView } from './secrets-found.ts';

/** How the teardown of a box stands, as the window shows it. */
export interface TeardownView {
  readonly gate: GateState;
  /** The entry of the evidence that says that the box is gone; null: none does. */
  readonly receipt: number | null;
  /** Who rents the box out and can be asked; null: nobody is linked. */
  readonly provider: string | null;
  /** What they said since the yes, each time that they said something else. */
  readonly told: readonly ProviderLine[];
  /** What keys and tokens are on it. */
  readonly secrets: SecretsView;
  /** What is being done right now; null: nothing. */
  readonly doing: TeardownDoing | null;
}

/** What a look is at, in the order in which it goes through them. */
export type LookPart =
  | 'runs'
  | 'results'
  | 'queues'
  | 'sweeps'
  | 'elsewhere'
  | 'processes'
  | 'judging';

/** How far a look at the box has come. */
export interface LookProgress {
  readonly part: LookPart;
  /** That the box told of; null: it has not answered yet. */
  readonly runs: number | null;
  /** Among the results, listed so far. */
  readonly files: number;
  /** Besides them, walked past so far. */
  readonly elsewhere: number;
}

export const LOOK_BEGINS: LookProgress = { part: 'runs', runs: null, files: 0, elsewhere: 0 };

export type TeardownDoing = TeardownWork & {
  /** Nobody asked for it, and it gives way to whatever a person asks for. */
  readonly isByItself?: true;
};

/** Whether a person has to wait until it is done. */
export const holdsUp = (doing: TeardownDoing | null): boolean =>
  doing !== null && doing.isByItself !== true;

type TeardownWork =
  | ({ readonly kind: 'inspecting' } & LookProgress)
  | {
      readonly kind: 'reading-copies';
      readonly doneFiles: number;
      readonly files: number;
      readonly doneBytes: number;
      readonly bytes: number;
    }
  | { readonly kind: 'looking-for-secrets' }
  | { readonly kind: 'deleting' }
  /** Work on it is being ended, whatever else goes on. */
  | { readonly kind: 'ending-work' }
  | { readonly kind: 'confirming' };

/** Whether “Stop” ends it: of the others none takes more than seconds. */
export const isStoppable = (kind: TeardownDoing['kind']): boolean =>
  kind === 'inspecting' || kind === 'reading-copies' || kind === 'deleting';

/** What is being done, within a sentence. */
export const DOING_WORDS: Readonly<Record<TeardownDoing['kind'], string>> = {
  inspecting: 'it is being checked',
  'reading-copies': 'the copies of its results are being read again',
  'looking-for-secrets': 'secrets are being looked for',
  deleting: 'something on it is being deleted',
  'ending-work': 'work on it is being ended',
  confirming: 'Leasehold is asking whether it is gone',
};

export const teardownsStream = byBox<TeardownView>();
