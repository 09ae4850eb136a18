import type { Box } from '../../shared/boxes/box.ts';
import type { BoxMeter } from '../../shared/meter/box-meter.ts';
import type { BoxDays } from '../../shared/meter/spend-days.ts';
import { platformName } from '../../shared/profiles/platform-names.ts';
import type { SpendPart } from './chart/spend-chart.ts';

export const groupings = ['box', 'tag', 'platform'] as const;
export type CostGrouping = (typeof groupings)[number];

/** One row of the table of costs. */
export interface CostGroup extends SpendPart {
  /** Of the single box that it stands for. */
  readonly boxId: string | null;
  readonly meters: readonly BoxMeter[];
  /** Boxes of it that nothing was told of yet. */
  readonly unknownBoxes: number;
  readonly forgotten: readonly BoxDays[];
}

export interface CostBox {
  readonly box: Box;
  readonly meter: BoxMeter | null;
}

const NO_TAG: SpendPart = { id: 'tag:', label: 'No tag' };
const FORGOTTEN: SpendPart = { id: 'forgotten', label: 'Forgotten boxes' };

/** Where a box's money stands. A box with several tags stands in several groups, so groups of tags are not parts of a whole. */
export function partsOfBox(
  box: Pick<Box, 'id' | 'name' | 'platform' | 'tags'>,
  by: CostGrouping,
): readonly SpendPart[] {
  switch (by) {
    case 'box':
      return [{ id: box.id, label: box.name }];
    case 'platform':
      return [{ id: `platform:${box.platform}`, label: platformName(box.platform) }];
    case 'tag':
      if (box.tags.length === 0) return [NO_TAG];
      return box.tags.map((tag) => ({ id: `tag:${tag.toLowerCase()}`, label: tag }));
  }
}

/** A box that is not in the list any more stands under its last name; where nobody kept that, under its number. */
export function partsOfForgotten(
  { boxId, name, platform, tags }: BoxDays,
  by: CostGrouping,
): readonly SpendPart[] {
  if (name === null || platform === null) {
    return by === 'box'
      ? [{ id: boxId, label: `forgotten box ${boxId.slice(0, 8)}` }]
      : [FORGOTTEN];
  }
  return partsOfBox({ id: boxId, name: `${name} (forgotten)`, platform, tags }, by);
}

export function groupCosts(
  boxes: readonly CostBox[],
  forgotten: readonly BoxDays[],
  by: CostGrouping,
): readonly CostGroup[] {
  const groups = new Map<string, { part: SpendPart; boxes: CostBox[]; forgotten: BoxDays[] }>();
  const groupOf = (part: SpendPart) => {
    const group = groups.get(part.id) ?? { part, boxes: [], forgotten: [] };
    groups.set(part.id, group);
    return group;
  };
  for (const each of boxes) {
    for (const part of partsOfBox(each.box, by)) groupOf(part).boxes.push(each);
  }
  for (const each of forgotten) {
    for (const part of partsOfForgotten(each, by)) groupOf(part).forgotten.push(each);
  }
  return [...groups.values()].map(({ part, boxes: within, forgotten: gone }) => ({
    ...part,
    boxId: by === 'box' ? (within[0]?.box.id ?? null) : null,
    meters: within.flatMap(({ meter }) => (meter === null ? [] : [meter])),
    unknownBoxes: within.filter(({ meter }) => meter === null).length,
    forgotten: gone,
  }));
}
