import { isoTime } from '../meter/ledger-csv.ts';
import type { Block, Inline } from '../recovery/page.ts';
import type { KeptLoss } from './inspection.ts';
import type { ApprovedEnd, TeardownStep } from './teardown-record.ts';

export const stepWords: Readonly<Record<TeardownStep['step'], string>> = {
  approved: 'end of the box approved',
  gone: 'the box is gone',
  'called-off': 'end of the box called off',
  again: 'a machine is at the address again',
};

type Items = readonly (readonly Inline[])[];

/** One step of a teardown, as the receipt and the export show it. */
export function stepBlocks(step: TeardownStep, chain: Items): readonly Block[] {
  switch (step.step) {
    case 'approved':
      return approvedBlocks(step, chain);
    case 'gone':
      return [
        {
          kind: 'list',
          items: [
            [`Approved in no. ${String(step.approval)}.`],
            [`The person said that it is done: ${isoTime(step.saidAtMs)}`],
            [`Its address was asked, and was silent: ${step.silence}`],
            ['No provider was asked: these two together are all that says so.'],
            ...chain,
          ],
        },
      ];
    case 'called-off':
    case 'again':
      return [{ kind: 'list', items: [[`Of no. ${String(step.approval)}.`], ...chain] }];
  }
}

/** Losses that were accepted, each with its reason. */
export function lossBlocks(losses: readonly KeptLoss[], chain: Items): readonly Block[] {
  return [{ kind: 'list', items: chain }, ...(losses.length === 0 ? [] : [lossTable(losses)])];
}

function approvedBlocks(
  { boxName, verb, typed, approvedAtMs, copiesReadAtMs, runs, left, losses }: ApprovedEnd,
  chain: Items,
): readonly Block[] {
  const copies =
    copiesReadAtMs === null
      ? 'No copy was needed.'
      : `The copies on this computer were read again: ${isoTime(copiesReadAtMs)}`;
  return [
    {
      kind: 'list',
      items: [
        [`Box: ${boxName}`],
        [`What was approved: ${verb}`],
        [`By typing “${typed}” in the window: ${isoTime(approvedAtMs)}`],
        [copies],
        ...chain,
      ],
    },
    {
      kind: 'table',
      head: ['Results of', 'On the box', 'Here', 'Files', 'Proven here', 'Bytes', 'Proof'],
      rows: runs.map((run) => [
        [run.runName],
        [{ code: run.path }],
        run.to === null ? ['-'] : [{ code: run.to }],
        [String(run.files)],
        [String(run.homeFiles)],
        [String(run.bytes)],
        [run.evidence === null ? 'none' : `no. ${String(run.evidence)}`],
      ]),
    },
    ...(left.length === 0
      ? []
      : ([
          {
            kind: 'table',
            head: ['Left on the box', 'Results of', 'Files', 'Bytes', 'Because'],
            rows: left.map((each) => [
              [{ code: each.path }],
              [each.runName],
              [String(each.files)],
              [String(each.bytes)],
              [each.because],
            ]),
          },
        ] satisfies Block[])),
    ...(losses.length === 0 ? [] : [lossTable(losses)]),
  ];
}

const lossTable = (losses: readonly KeptLoss[]): Block => ({
  kind: 'table',
  head: ['Accepted loss', 'Because', 'At'],
  rows: losses.map(({ says, because, atMs }) => [[says], [because], [isoTime(atMs)]]),
});
