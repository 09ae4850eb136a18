import { isoTime } from '../meter/ledger-csv.ts';
import type { Block, Inline } from '../recovery/page.ts';
import { providerWords } from './gate-words.ts';
import type { Gone } from './gate.ts';
import type { KeptLoss } from './inspection.ts';
import type { ProviderLine } from './provider-said.ts';
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
            ...witnesses(step.by),
            [`Its address was asked, and was silent: ${step.silence}`],
            ...chain,
          ],
        },
        ...(step.told.length === 0 ? [] : [toldTable(step.told)]),
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

function witnesses(by: Gone['by']): Items {
  switch (by.kind) {
    case 'provider':
      return [[`${by.said.provider} says so: ${saidWords(by.said)}`]];
    case 'person':
      return [
        [`The person said that it is done: ${isoTime(by.saidAtMs)}`],
        [
          by.said === null
            ? 'No provider was asked: this and its silent address are all that says so.'
            : `${by.said.provider} knows no such machine: ${saidWords(by.said)}`,
        ],
      ];
  }
}

const saidWords = ({ kind, says, atMs }: ProviderLine): string =>
  `${providerWords[kind]} (“${says}”, ${isoTime(atMs)})`;

const toldTable = (told: readonly ProviderLine[]): Block => ({
  kind: 'table',
  head: ['What the provider said', 'In its words', 'At'],
  rows: told.map(({ kind, says, atMs }) => [[providerWords[kind]], [says], [isoTime(atMs)]]),
});

const lossTable = (losses: readonly KeptLoss[]): Block => ({
  kind: 'table',
  head: ['Accepted loss', 'Because', 'At'],
  rows: losses.map(({ says, because, atMs }) => [[says], [because], [isoTime(atMs)]]),
});
