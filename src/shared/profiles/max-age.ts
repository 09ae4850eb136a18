/** Months after which a fact is marked as old, until the person chooses otherwise. By itself: settings are read before the first picture. */
export const MAX_AGE_MONTHS = 6;
