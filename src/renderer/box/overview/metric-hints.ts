/** What each figure of a card is, in words that need no others. */
export const METRIC_HINTS = {
  sm: 'Share of time in which some kernel ran. Says nothing of how well it ran.',
  mem: 'Share of time in which the card’s memory was read or written.',
  clock: 'How fast the cores of the card run. Heat and power limits bring it down.',
  power: 'What the card draws, of its limit.',
  core: 'Temperature of the chip.',
  hbm: 'Temperature of the card’s memory. Not every card reports it.',
  vram: 'The card’s memory in use, of all that it has.',
  rx: 'What the card receives from the computer.',
  tx: 'What the card sends to the computer.',
} as const;
