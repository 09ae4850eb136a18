/** `1 h to 3 h`; one of them where both are said alike. */
export const rangeWords = (from: string, to: string): string =>
  from === to ? from : `${from} to ${to}`;
