import type { FleetColumn } from '../../shared/settings/fleet-view.ts';

interface ColumnInfo {
  readonly label: string;
  /** What the number is where a box has several cards, and what the shape of the line is. */
  readonly hint: string;
  readonly isNumber: boolean;
  /** What a first press on the heading should bring to the top. */
  readonly isDescendingFirst: boolean;
}

const number = { isNumber: true, isDescendingFirst: true };
const words = { isNumber: false, isDescendingFirst: false };

export const COLUMNS: Readonly<Record<FleetColumn, ColumnInfo>> = {
  state: {
    label: 'State',
    hint: 'How the box stands now. Sorted: what needs action first.',
    ...words,
  },
  box: { label: 'Box', hint: 'Its name, platform, GPUs and your tags. Sorted by name.', ...words },
  left: {
    label: 'Danger clock',
    hint: 'The nearest thing that happens to the box by itself, and how long until then; below it, the results there that are not on this computer. Sorted: the nearest first.',
    ...words,
  },
  sm: {
    label: 'SM',
    hint: 'Share of time in which some kernel ran: the mean over the GPUs of the box. Says nothing of how well they ran.',
    ...number,
  },
  hour: {
    label: 'Last hour',
    hint: 'SM load of the last hour, 0 to 100 %: the mean over the GPUs for each minute. Where the line is missing, nothing was read. Sorted by its mean.',
    ...words,
    isDescendingFirst: true,
  },
  clock: {
    label: 'Clock MHz',
    hint: 'SM clock of the slowest GPU of the box: a job waits for its slowest card.',
    ...number,
    isDescendingFirst: false,
  },
  power: { label: 'Power', hint: 'Summed over the GPUs of the box, of their limit.', ...number },
  vram: {
    label: 'VRAM GiB',
    hint: 'Memory in use, summed over the GPUs of the box, of all they have.',
    ...number,
  },
  temperature: { label: '°C', hint: 'The hottest GPU of the box.', ...number },
  finding: {
    label: 'Worst finding',
    hint: 'What the checks found, the worst first. An empty place: nothing was found.',
    ...words,
  },
  cost: {
    label: 'Cost/h',
    hint: 'What the box costs an hour as it is now, and today so far. Sorted by the hour, each currency by itself.',
    ...number,
  },
  seen: { label: 'Seen', hint: 'How long ago the newest reading came.', ...number },
};
