import { useState } from 'react';
import type { TeardownView } from '../../../shared/teardown/teardown-view.ts';
import { useView } from '../../state/view.ts';
import { currentStep, type TeardownStepId } from './teardown-steps.ts';

/**
 * The step that a person has asked for last, until another one is next. The secrets are left only by the person: what
 * became of a removal is told there alone.
 */
export function useShownStep(view: TeardownView): TeardownStepId {
  const next = currentStep(view);
  // Asking for the same step again is a page of its own.
  const page = useView((state) => state.page);
  const asked = page.kind === 'box' ? page.step : undefined;
  const [shown, setShown] = useState({ page, next, step: asked ?? next });
  if (shown.page !== page) setShown({ page, next, step: asked ?? next });
  else if (shown.next !== next) {
    const isHeld = shown.step === 'secrets' && view.gate.kind === 'shut' && !view.secrets.isLeft;
    setShown({ page, next, step: isHeld ? 'secrets' : next });
  }
  return shown.step;
}
