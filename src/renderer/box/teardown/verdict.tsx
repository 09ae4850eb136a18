import type { Profile } from '../../../shared/profiles/profile.ts';
import { endVerbs } from '../../../shared/teardown/end-verb.ts';
import { openBlockers, type Inspection } from '../../../shared/teardown/inspection.ts';
import type { TeardownView } from '../../../shared/teardown/teardown-view.ts';
import { formatCount } from '../../ui/format.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import { inspectionOf, isUnderWay, whyItMayEnd } from './teardown-steps.ts';
import styles from './teardown.module.css';

/** One glance: may the person stop paying yet? */
export function Verdict({
  view,
  profile,
}: {
  readonly view: TeardownView;
  /** Null: its platform is not known. */
  readonly profile: Profile | null;
}) {
  const [tone, says] = verdictOf(view, profile);
  return (
    <p className={styles['verdict']} data-tone={tone}>
      <Glyph tone={tone} /> {says}
    </p>
  );
}

function verdictOf(
  { gate, provider }: TeardownView,
  profile: Profile | null,
): readonly [Tone, string] {
  if (gate.kind === 'gone') {
    return ['ok', gate.act.aim === 'gone' ? 'This box is gone.' : 'This box is stopped.'];
  }
  if (isUnderWay(gate)) {
    return gate.kind === 'acting' && provider !== null
      ? ['warn', `${provider} is ending this box. It may go on billing until that is confirmed.`]
      : ['warn', 'Nothing has confirmed that this box is gone. It may still be billing.'];
  }
  const inspection = inspectionOf(gate);
  if (inspection === null) return ['unknown', 'Not checked: do not end this box yet.'];
  const open = openBlockers(inspection).length;
  if (open > 0) {
    return ['danger', `Do not end this box yet: ${formatCount(open, 'thing')} to settle.`];
  }
  return hasSettledVerb(inspection, profile)
    ? ['ok', `You may end this box: ${whyItMayEnd(inspection)}`]
    : ['warn', SETTLE_VERB];
}

const SETTLE_VERB =
  'You may end this box once you have settled what each action deletes or leaves billing: see “Approve”.';

/** Whether anything can be done to the box that takes along nothing, and leaves nothing to pay for, but what the person knows of. */
const hasSettledVerb = (inspection: Inspection, profile: Profile | null): boolean =>
  profile !== null &&
  endVerbs(profile).some(({ verb }) => openBlockers(inspection, verb).length === 0);
