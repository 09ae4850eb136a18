import { severities, type Severity } from '../../shared/detectors/finding.ts';
import {
  gotchaRoles,
  gotchaScopes,
  type Gotcha,
  type GotchaRole,
  type GotchaScope,
} from '../../shared/gotchas/gotcha.ts';
import type { Command } from './command.ts';
import { entriesOf, gotchasFor, tellGotchaFaults } from './gotchas-common.ts';
import { counted, tableLines } from './table.ts';

const FILTERS = {
  role: gotchaRoles,
  scope: gotchaScopes,
  severity: severities,
} satisfies Readonly<{
  role: readonly GotchaRole[];
  scope: readonly GotchaScope[];
  severity: readonly Severity[];
}>;

export const gotchasList: Command = {
  name: 'gotchas list',
  summary: 'lists the known ways in which runs on rented GPUs die, lie or burn money',
  operands: [],
  flags: {
    role: { value: 'role', help: `only these: ${gotchaRoles.join(', ')}` },
    scope: { value: 'scope', help: `only these: ${gotchaScopes.join(', ')}` },
    severity: { value: 'severity', help: `only these: ${severities.join(', ')}` },
  },
  details: ['Your own entries count. Exit code 1: a file cannot be used, or nothing is left.'],
  async run({ flags, isJson }, context) {
    for (const [name, known] of Object.entries(FILTERS)) {
      const wanted = flags.get(name);
      if (wanted !== undefined && !(known as readonly string[]).includes(wanted)) {
        return { refused: `--${name} takes one of ${known.join(', ')}.` };
      }
    }
    const gotchas = await gotchasFor(context);
    await tellGotchaFaults(gotchas, context);
    const isWanted = (gotcha: Gotcha): boolean =>
      (['role', 'scope', 'severity'] as const).every(
        (name) => !flags.has(name) || flags.get(name) === gotcha[name],
      );
    const left = entriesOf(gotchas).filter(isWanted);
    if (isJson) await context.out.json(left);
    else await context.out.lines(describe(left));
    return gotchas.faults.length === 0 && left.length > 0 ? 0 : 1;
  },
};

function describe(gotchas: readonly Gotcha[]): readonly string[] {
  if (gotchas.length === 0) return ['No entry is of this kind.'];
  const head = ['id', 'severity', 'role', 'scope', 'title'];
  return [
    ...tableLines(
      head,
      gotchas.map(({ id, severity, role, scope, title }) => [id, severity, role, scope, title]),
    ),
    '',
    counted(gotchas.length, 'gotcha'),
  ];
}
