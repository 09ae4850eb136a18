/** The columns of `dmon -s pucvmet`, layout (c) of facts/nvidia.md 1.1, with a second of a recorded H100 under full load. */
const COLUMNS = [
  ['pwr', 'W', 634],
  ['gtemp', 'C', 64],
  ['mtemp', 'C', 58],
  ['sm', '%', 100],
  ['mem', '%', 10],
  ['enc', '%', 0],
  ['dec', '%', 0],
  ['jpg', '%', 0],
  ['ofa', '%', 0],
  ['mclk', 'MHz', 2619],
  ['pclk', 'MHz', 1980],
  ['pviol', '%', 0],
  ['tviol', 'bool', 0],
  ['fb', 'MB', 19_818],
  ['bar1', 'MB', 19_817],
  ['ccpm', 'MB', 0],
  ['sbecc', 'errs', 0],
  ['dbecc', 'errs', 0],
  ['pci', 'errs', 0],
  ['rxpci', 'MB/s', 12],
  ['txpci', 'MB/s', 3],
] as const;
type Column = (typeof COLUMNS)[number][0];

/** What a row says other than the recorded one. "-": the card does not tell. */
export type DmonCells = Partial<Record<Column, number | '-'>>;

export function dmonHeader(): string {
  const names = COLUMNS.map(([name]) => name.padStart(7)).join('');
  const units = COLUMNS.map(([, unit]) => unit.padStart(7)).join('');
  return `# gpu${names} \n# Idx${units} \n`;
}

export function dmonRow(index: number, cells: DmonCells): string {
  const values = COLUMNS.map(([name, , recorded]) => {
    const value = cells[name] ?? recorded;
    return String(value === '-' ? value : Math.round(value)).padStart(7);
  });
  return `${String(index).padStart(5)}${values.join('')} \n`;
}
