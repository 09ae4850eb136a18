/** `1 tensor`, `3 tensors`: for what a file holds, which goes to the window, the record and the terminal alike. */
export const plural = (count: number, noun: string): string =>
  `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
