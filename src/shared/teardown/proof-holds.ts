/** How long the copies on this computer count as proven, in minutes: whatever else runs here may have changed them since. */
export const PROOF_HOLDS_MIN = { min: 5, max: 24 * 60, usual: 60 } as const;

/** How far a copy has to be proven before a box may be ended. `loaded`: also read as what its name says, wherever there is a reader for it. */
export const proofNeeds = ['hashed', 'loaded'] as const;
export type ProofNeed = (typeof proofNeeds)[number];
