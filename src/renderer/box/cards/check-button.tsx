import type { BoxEntry } from '../../state/box-entry.ts';
import { Button } from '../../ui/button.tsx';
import { checkStep } from './next-steps.ts';

interface CheckButtonProps extends Pick<BoxEntry, 'box' | 'link'> {
  readonly hasLooked: boolean;
}

/** The next step where a page has nothing to show, because nobody could look; nothing where the answer is on its way. */
export function CheckButton({ box, link, hasLooked }: CheckButtonProps) {
  const step = checkStep(box.id, link, hasLooked);
  return step === null ? null : <Button onClick={step.run}>{step.label}</Button>;
}
