/** What a terminal looks like until somebody chooses. Apart from the schema, which the window does not load. */
export const TERMINAL_DEFAULTS = {
  fontSizePx: 13,
  scrollbackLines: 5000,
  isForScreenReader: false,
} as const;
export const FONT_SIZE_PX = { min: 8, max: 32 } as const;
