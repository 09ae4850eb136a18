import type { Gotcha } from '../gotchas/gotcha.ts';
import { type Failure } from './failures.ts';
/** What the end of a log shows: a known failure, that it ended well, or nothing that proves either. */
export type Triage = {
    readonly kind: 'found';
    readonly failure: Failure;
    /** The line it rests on, as it was written; hostile, whoever shows it escapes it. */
    readonly line: string;
    /** What could make it something else; null: nothing. */
    readonly caveat: string | null;
} | {
    readonly kind: 'clear';
    readonly line: string;
} | {
    readonly kind: 'unknown';
    readonly because: string;
};
/** Classifies the end of a log into a fixed answer. Never guesses: a log that just stops proves nothing (U3). */
export declare function triage(log: string, byId: ReadonlyMap<string, Pick<Gotcha, 'signs'>>): Triage;
