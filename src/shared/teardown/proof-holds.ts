/** How long the copies on this computer count as proven, in minutes: whatever else runs here may have changed them since. */
export const PROOF_HOLDS_MIN = { min: 5, max: 24 * 60, usual: 60 } as const;
