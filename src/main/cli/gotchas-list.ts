import { severities, type Severity } from '../../shared/detectors/finding.ts';
import {
  gotchaRoles,
  gotchaScopes,
  type GotchaRole,
  type GotchaScope,
  type LoadedGotcha,
} from '../../shared/gotchas/gotcha.ts';
import type { Command } from './command.ts';
import { gotchasFor, tellGotchaFaults, titleOf } from './gotchas-common.ts';
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
    own: { value: null, help: 'only your own' },
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
    const isWanted = ({ gotcha, origin }: LoadedGotcha): boolean =>
      (!flags.has('own') || origin !== 'shipped') &&
      (['role', 'scope', 'severity'] as const).every(
        (name) => !flags.has(name) || flags.get(name) === gotcha[name],
      );
    const left = gotchas.all.filter(isWanted);
    if (isJson) await context.out.json(left.map(({ gotcha, origin }) => ({ ...gotcha, origin })));
    else await context.out.lines(describe(left));
    return gotchas.faults.length === 0 && left.length > 0 ? 0 : 1;
  },
};

function describe(gotchas: readonly LoadedGotcha[]): readonly string[] {
  if (gotchas.length === 0) return ['No entry is of this kind.'];
  const head = ['id', 'severity', 'role', 'scope', 'title'];
  return [
    ...tableLines(
      head,
      gotchas.map((loaded) => {
        const { id, severity, role, scope } = loaded.gotcha;
        return [id, severity, role, scope, titleOf(loaded)];
      }),
    ),
    '',
    counted(gotchas.length, 'gotcha'),
  ];
}
