import { openBlockers } from '../../../shared/teardown/inspection.ts';
import type { TeardownView } from '../../../shared/teardown/teardown-view.ts';
import { formatCount } from '../../ui/format.ts';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import { inspectionOf, isUnderWay, whyItMayEnd } from './teardown-steps.ts';
import styles from './teardown.module.css';

/** One glance: may the person stop paying yet? */
export function Verdict({ view }: { readonly view: TeardownView }) {
  const [tone, says] = verdictOf(view);
  return (
    <p className={styles['verdict']} data-tone={tone}>
      <Glyph tone={tone} /> {says}
    </p>
  );
}

function verdictOf({ gate, provider }: TeardownView): readonly [Tone, string] {
  if (gate.kind === 'gone') {
    return ['ok', gate.act.aim === 'gone' ? 'This box is gone.' : 'This box is stopped.'];
  }
  if (isUnderWay(gate)) {
    return gate.kind === 'acting' && provider !== null
      ? ['warn', `${provider} is at it. Until that is confirmed the box may still cost money.`]
      : ['warn', 'Nobody has confirmed that this box is gone. It may still cost money.'];
  }
  const inspection = inspectionOf(gate);
  if (inspection === null) return ['unknown', 'Not checked: do not end this box yet.'];
  const open = openBlockers(inspection).length;
  return open > 0
    ? ['danger', `Do not end this box yet: ${formatCount(open, 'thing')} not settled.`]
    : ['ok', `You may end this box: ${whyItMayEnd(inspection)}`];
}
