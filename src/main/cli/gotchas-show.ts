import { belongsWhere } from '../../shared/gotchas/belongs.ts';
import { capabilityWords, coverageOf, stateOf } from '../../shared/gotchas/coverage.ts';
import { OWN_SOURCE } from '../../shared/gotchas/entry-draft.ts';
import type { Gotcha, LoadedGotcha, OwnCoverage } from '../../shared/gotchas/gotcha.ts';
import type { Command } from './command.ts';
import { entriesOf, gotchasFor, tellGotchaFaults } from './gotchas-common.ts';

export const gotchasShow: Command = {
  name: 'gotchas show',
  summary: 'shows one gotcha: symptom, cause, what to do, how to look, what Leasehold does',
  operands: ['<id>'],
  flags: {},
  details: ['`gotchas list` lists the ids. Exit code 1: a file cannot be used.'],
  async run({ operands: [id = ''], isJson }, context) {
    const gotchas = await gotchasFor(context);
    const all = entriesOf(gotchas);
    const found = gotchas.all.find(({ gotcha }) => gotcha.id === id.toUpperCase());
    if (found === undefined) return { refused: `there is no gotcha "${id}".` };
    await tellGotchaFaults(gotchas, context);
    const byId = new Map(all.map((gotcha) => [gotcha.id, gotcha]));
    if (isJson) await context.out.json(found);
    else await context.out.lines(describe(found, coverageOf(found.gotcha, byId), byId));
    return gotchas.faults.length === 0 ? 0 : 1;
  },
};

function describe(
  { gotcha, own }: LoadedGotcha,
  coverage: OwnCoverage,
  byId: ReadonlyMap<string, Gotcha>,
): readonly string[] {
  const { id, title, severity, role, scope, symptom, cause, fix, probes } = gotcha;
  return [
    `${id}  ${title}`,
    `${severity}, ${role}, ${scope}`,
    ...(own === null ? [] : [`Yours: ${own.file}:${String(own.line)}`]),
    '',
    `Symptom: ${symptom}`,
    `Cause: ${cause}`,
    ...list(
      'What to do',
      fix.map((step, i) => `${i + 1}. ${step}`),
    ),
    ...list(
      'How to look',
      probes.map(({ probe, means }) => `${probe}\n    ${means}`),
    ),
    ...list('What Leasehold does', coverageLines(coverage)),
    ...list(
      'See also',
      gotcha.related.map((each) => `${each}  ${byId.get(each)?.title ?? ''}`),
    ),
    ...(gotcha.incident === null ? [] : list('What was seen', [gotcha.incident])),
    ...(gotcha.answers === null
      ? []
      : list('How sure it is', [belongsWhere(gotcha.answers).because])),
    ...(gotcha.doubt === null ? [] : list('Doubt', [gotcha.doubt])),
    '',
    gotcha.source === OWN_SOURCE
      ? 'From your own experience.'
      : gotcha.verified === null
        ? `Applies to any machine · undated (source: ${gotcha.source}).`
        : `Verified ${gotcha.verified} (${gotcha.source}).`,
  ];
}

function coverageLines(coverage: OwnCoverage): readonly string[] {
  const { done, shown, planned, beyond } = coverage;
  if (stateOf(coverage) === 'open') return ['Nothing: this entry is your own.'];
  return [
    ...done.map(({ does }) => `${does}.`),
    ...shown.map((place) => `Shown in: ${place}.`),
    ...(planned.length === 0 ? [] : [`Waits for ${capabilityWords(planned)}.`]),
    ...(beyond === undefined ? [] : [beyond]),
  ];
}

function list(title: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  return ['', title, ...texts.flatMap((text) => text.split('\n')).map((text) => `  ${text}`)];
}
