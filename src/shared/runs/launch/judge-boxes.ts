import { formatMoney, type Money } from '../../money.ts';
import { platformName } from '../../profiles/platform-names.ts';
import type { Judged } from './checks/judged.ts';

/** A box that a run could go to, and what is known of it. */
export interface BoxChoice {
  readonly name: string;
  /** By the id of its profile; null: nobody said. */
  readonly platform: string | null;
  /** Why it cannot be asked now; null: it can. */
  readonly cannot: string | null;
  /** What its GPUs are to the request; null: that asks for none. */
  readonly gpus: Judged | null;
  readonly pricePerHour: Money | null;
}

export interface RankedBox {
  readonly name: string;
  /** Whether nothing that is known speaks against it. */
  readonly fits: boolean;
  /** Why it stands where it stands, each a few words. */
  readonly because: readonly string[];
}

/**
 * The best first: what can be reached, then what has the GPUs, then the order of the request's platforms, then the price. Unknown
 * never stands before known, and prices in several currencies are not compared: no rate between them is known.
 */
export function judgeBoxes(
  platforms: readonly string[] | undefined,
  boxes: readonly BoxChoice[],
): readonly RankedBox[] {
  const currencies = new Set(boxes.flatMap(({ pricePerHour }) => pricePerHour?.currency ?? []));
  const priceRank = (price: Money | null): number => {
    if (price === null) return Infinity;
    return currencies.size > 1 ? 0 : price.micros;
  };
  const keyOf = (box: BoxChoice): readonly number[] => [
    box.cannot === null ? 0 : 1,
    gpuRank(box.gpus),
    platformRank(platforms, box.platform),
    priceRank(box.pricePerHour),
  ];
  return boxes
    .map((box) => ({ box, key: keyOf(box) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ box }) => ({
      name: box.name,
      fits:
        box.cannot === null &&
        gpuRank(box.gpus) === 0 &&
        platformRank(platforms, box.platform) < Infinity,
      because: reasons(platforms, box),
    }));
}

/** Its place among the platforms that a request is meant for; behind all of them: none of them. Without any, all are alike. */
export function platformRank(
  platforms: readonly string[] | undefined,
  platform: string | null,
): number {
  if (platforms === undefined) return 0;
  const at = platform === null ? -1 : platforms.indexOf(platform);
  return at < 0 ? Infinity : at;
}

const GPU_RANKS = { pass: 0, warn: 0, unknown: 1, block: 2 } as const;
const gpuRank = (gpus: Judged | null): number => (gpus === null ? 0 : GPU_RANKS[gpus.answer]);

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [at, one] of a.entries()) {
    const other = b[at] ?? 0;
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

function reasons(
  platforms: readonly string[] | undefined,
  { platform, cannot, gpus, pricePerHour }: BoxChoice,
): readonly string[] {
  const rank = platformRank(platforms, platform);
  const own = platform === null ? 'platform not known' : platformName(platform);
  const placed =
    platforms === undefined
      ? []
      : rank === Infinity
        ? [`${own}: not among the platforms of the request`]
        : [`${own}: choice ${String(rank + 1)} of ${String(platforms.length)}`];
  return [
    ...(cannot === null ? [] : [cannot]),
    ...placed,
    ...(gpus === null ? [] : [gpus.says.replace(/\.$/, '')]),
    pricePerHour === null ? 'price not known' : `${formatMoney(pricePerHour)}/h`,
  ];
}
