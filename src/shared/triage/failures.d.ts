/** The classes of failures, the one that explains the others first. */
export declare const failureIds: readonly ["hardware", "disk-full", "host-memory", "gpu-memory", "environment", "time-limit", "hang-up", "code-or-config", "numbers", "collective-timeout", "network", "transport"];
export type FailureId = (typeof failureIds)[number];
/** Whether the same run may be started again. Leasehold never does so by itself. */
export type Retry = 'no' | 'after the fix' | 'a few times';
/** A fixed answer (facts/principles.md §4): the same failure gets the same advice every time. */
export interface Failure {
    readonly id: FailureId;
    /** "This looks like: …" */
    readonly title: string;
    readonly answer: string;
    readonly retry: Retry;
    /** The first of them tells more; the signs of all of them are what is looked for. */
    readonly entries: readonly string[];
    /** What no entry of the catalog has for a sign. */
    readonly signs: readonly string[];
}
export declare const failures: readonly Failure[];
