import { isoTime } from '../meter/ledger-csv.ts';
import { moneyWords } from '../meter/money-words.ts';
import type { Block, Inline } from '../recovery/page.ts';
import { providerWords } from './gate-words.ts';
import type { FoundMachine } from './found-on-box.ts';
import type { Gone } from './gate.ts';
import type { InspectedRun, KeptLoss } from './inspection.ts';
import type { ProviderLine } from './provider-said.ts';
import { secretWords } from './secret-kinds.ts';
import type { RemovedSecret, SecretsKept } from './secrets-found.ts';
import type { ApprovedEnd, EndedBox, TeardownStep } from './teardown-record.ts';

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
            [silenceWords(step)],
            ...costItems(step.cost),
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

/** Secrets that were removed from the box, read back. */
export function removedBlocks(removed: readonly RemovedSecret[], chain: Items): readonly Block[] {
  return [{ kind: 'list', items: chain }, ...(removed.length === 0 ? [] : [removedTable(removed)])];
}

function approvedBlocks(approved: ApprovedEnd, chain: Items): readonly Block[] {
  const { boxName, machine, verb, typed, who, approvedAtMs, copiesReadAtMs } = approved;
  const { runs, left, losses, secrets } = approved;
  const copies =
    copiesReadAtMs === null
      ? 'No copy was needed.'
      : `The copies on this computer were read again: ${isoTime(copiesReadAtMs)}`;
  return [
    {
      kind: 'list',
      items: [
        [`Box: ${boxName}`],
        ...machineItems(machine),
        [`What was approved: ${verb}`],
        [
          `By ${who === null ? '' : `${who}, `}typing “${typed}” in the window: ${isoTime(approvedAtMs)}`,
        ],
        [copies],
        ...secretItems(secrets),
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
        [homeWords(run)],
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
    ...(secrets === null ? [] : secretTables(secrets)),
  ];
}

/** What told it from any other, so that somebody can later say which one it was. */
function machineItems(machine: FoundMachine | null): Items {
  if (machine === null) return [];
  const { hostKey, life, instance } = machine;
  const told = [
    ['Machine, as its provider names it', instance],
    ['Host key', hostKey],
    ['Boot of the machine', life],
  ] as const;
  return told.flatMap(([what, is]) => (is === null ? [] : [[`${what}: `, { code: is }]]));
}

/** With what was brought home before, and was not there any more. */
const homeWords = ({ files, homeFiles, away }: InspectedRun): string =>
  away === undefined
    ? String(homeFiles)
    : `${files === 0 ? '' : `${String(homeFiles)}, and `}${String(away.files)} with ${String(away.bytes)} bytes, which the box no longer had`;

/** That nobody looked is said: what is left on a disk of somebody else is no part of the box any more. */
function secretItems(secrets: SecretsKept | null): Items {
  if (secrets === null) return [];
  const { lookedAtMs, isWhole, removed, left } = secrets;
  const gone = `${String(removed.length)} removed`;
  if (lookedAtMs === null) return [[`Secrets on the box: nobody looked for them; ${gone}.`]];
  const more = isWhole ? '' : ' Not all of the box could be looked through.';
  return [
    [`Secrets on the box, by their names: ${gone}, ${String(left.length)} left there.${more}`],
  ];
}

function secretTables({ removed, left }: SecretsKept): readonly Block[] {
  return [
    ...(removed.length === 0 ? [] : [removedTable(removed)]),
    ...(left.length === 0
      ? []
      : ([
          {
            kind: 'table',
            head: ['Secret left on the box', 'What it is'],
            rows: left.map(({ kind, path }) => [[{ code: path }], [secretWords(kind).title]]),
          },
        ] satisfies Block[])),
  ];
}

const removedTable = (removed: readonly RemovedSecret[]): Block => ({
  kind: 'table',
  head: ['Secret removed from the box', 'What it is', 'At'],
  rows: removed.map(({ kind, path, atMs }) => [
    [{ code: path }],
    [secretWords(kind).title],
    [isoTime(atMs)],
  ]),
});

function witnesses(by: Gone['by']): Items {
  switch (by.kind) {
    case 'provider':
      return [[`${by.said.provider} says so: ${saidWords(by.said)}`]];
    case 'person':
      return [
        [`The person said that it is done: ${isoTime(by.saidAtMs)}`],
        [
          by.said === null
            ? 'No provider says so: this and its silent address are all that does.'
            : by.said.kind === 'unheard'
              ? `${by.said.provider} knows no such machine: ${saidWords(by.said)}`
              : `${by.said.provider} says so: ${saidWords(by.said)}`,
        ],
      ];
  }
}

/** Provider and person together stand for an address that could not be asked. */
const silenceWords = ({ by, silence }: Pick<Gone, 'by' | 'silence'>): string =>
  by.kind === 'person' && by.said !== null && by.said.kind !== 'unheard'
    ? `Its address says nothing of it: ${silence}`
    : `Its address was asked, and was silent: ${silence}`;

function costItems(cost: EndedBox['cost']): Items {
  if (cost === null) return [['What it cost is not known: nothing was metered.']];
  const { known, unresolved, unresolvedMs, unpricedMs } = cost;
  const sum = known.length === 0 ? 'nothing that is known' : moneyWords(known);
  const more = unresolved.length === 0 ? '' : `, at most ${moneyWords(unresolved)} more`;
  return [
    [`It cost ${sum}, from ${isoTime(cost.fromMs)} to ${isoTime(cost.untilMs)}.`],
    ...(unresolvedMs > 0
      ? [[`Of that time ${secondsWords(unresolvedMs)} was not metered${more}.`]]
      : []),
    ...(unpricedMs > 0
      ? [[`In ${secondsWords(unpricedMs)} of it something was billed whose price is not known.`]]
      : []),
  ];
}

const secondsWords = (ms: number): string => `${String(Math.ceil(ms / 1000))} s`;

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
