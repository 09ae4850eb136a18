import { unknownClocks } from '../../../shared/clocks/select-clocks.ts';
import type { BoxClocks } from '../../../shared/streams/meter-stream.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { capital, formatCount } from '../../ui/format.ts';
import { stopActionOf } from '../clocks/stop-action.ts';
import { NextStep } from './next-step.tsx';
import { checkStep } from './next-steps.ts';
import { PlainAnswer } from './plain-answer.tsx';

interface NoneRunsProps {
  readonly box: BoxClocks;
  readonly entry: BoxEntry;
}

/** Of a box without a clock that counts down: what would tell whether one runs, or that none does. */
export function NoneRuns({ box, entry }: NoneRunsProps) {
  const [first, ...others] = unknownClocks(box.clocks);
  if (first !== undefined) {
    const because = first.due.kind === 'unknown' ? first.due.because : '';
    const more = others.length === 0 ? '' : ` And ${others.length} more.`;
    const step = stopActionOf(first, entry.box.id) ?? checkStep(entry.box.id, entry.link, true);
    const answer = step === null ? 'Checking…' : <NextStep {...step} />;
    const tone = step === null ? 'wait' : 'unknown';
    return <PlainAnswer tone={tone} answer={answer} why={capital(`${because}.${more}`)} />;
  }
  if (box.profileId === null) {
    const why = 'This platform has no known timers.';
    return <PlainAnswer tone="unknown" answer="No deadlines" why={why} />;
  }
  const why = `Watching ${formatCount(box.clocks.length, 'platform timer')}.`;
  return <PlainAnswer tone="ok" answer="Nothing scheduled to happen" why={why} />;
}
