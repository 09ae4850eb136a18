import { estimateFor, wholeSum } from '../../shared/meter/estimate.ts';
import { HOUR_MS } from '../../shared/meter/rate.ts';
import { ok } from '../../shared/result.ts';
import { judgeGpuNeed } from '../../shared/runs/launch/checks/need-checks.ts';
import type { KnownBox } from '../../shared/runs/launch/known-box.ts';
import {
  judgeBoxes,
  type BoxChoice,
  type RankedBox,
} from '../../shared/runs/launch/judge-boxes.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { planWith, toldProfiles } from './box-plan.ts';
import type { CommandContext } from './command.ts';
import type { NamedBox } from './named-box.ts';

/** Reaches each box once, and puts them in order for a request, the best first. */
export async function chooseBox(
  boxes: readonly NamedBox[],
  request: RunRequest,
  context: CommandContext,
): Promise<readonly RankedBox[]> {
  const profiles = await toldProfiles(context);
  const choices = await Promise.all(
    boxes.map(async (named): Promise<BoxChoice> => {
      const { name, platform } = named.box;
      const asked = await planWith<KnownBox>(named, profiles, (_, known) =>
        Promise.resolve(ok(known)),
      );
      return asked.ok
        ? { name, platform, cannot: null, ...ofKnown(request, asked.value) }
        : { name, platform, cannot: asked.error.message, gpus: null, pricePerHour: null };
    }),
  );
  return judgeBoxes(request.platforms, choices);
}

const ofKnown = (
  request: RunRequest,
  known: KnownBox,
): Pick<BoxChoice, 'gpus' | 'pricePerHour'> => ({
  gpus: judgeGpuNeed(request, known),
  pricePerHour: known.charges === null ? null : wholeSum(estimateFor(known.charges, HOUR_MS)),
});

/** As a person reads it in a terminal. */
export function choiceLines(ranked: readonly RankedBox[], file: string): readonly string[] {
  const [best] = ranked;
  if (best === undefined) return ['No box is added in Leasehold.'];
  return [
    best.fits ? `${best.name} fits best.` : `No box fits; ${best.name} comes nearest.`,
    ...ranked.map(({ name, because }, at) => `  ${String(at + 1)}  ${name}: ${because.join('; ')}`),
    `All that a launch would do there: cli -- request plan ${best.name} ${file}`,
  ];
}
