import { sumFleet, type FleetSum } from '../../shared/boxes/fleet-figures.ts';
import { isInSums } from '../../shared/demo/demo-platform.ts';
import { severities, type Severity } from '../../shared/detectors/finding.ts';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import { classNames } from '../ui/class-names.ts';
import { formatCount, formatNumber, formatQuantity } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { CostSum } from './fleet-cost.tsx';
import { SEVERITY_TONES, SEVERITY_WORDS } from './finding-words.ts';
import type { FleetKnowledge } from './fleet-rows.ts';
import styles from './fleet-table.module.css';

export interface FleetSumsProps {
  readonly entries: readonly FleetEntry[];
  readonly known: FleetKnowledge;
}

/** The cells of a row that sums up several boxes, from the danger clock to the right. */
export function FleetSums({ entries, known }: FleetSumsProps) {
  const { smPct, power, memory, temperatureC } = sumFleet(entries, known.figures.boxes);
  const number = styles['number'];
  return (
    <>
      <td className={styles['left']} />
      <td className={classNames(number, styles['sm'])} title="Mean over all GPUs that report">
        {smPct !== null && formatQuantity(smPct, '%')}
      </td>
      <td className={styles['hour']} />
      <td className={styles['clock']} />
      <td className={classNames(number, styles['power'])}>
        {power !== null && <Sum sum={power} scale={powerScale(power)} />}
      </td>
      <td className={classNames(number, styles['vram'])}>
        {memory !== null && <Sum sum={memory} scale={memoryScale(memory)} />}
      </td>
      <td className={classNames(number, styles['temperature'])} title="The hottest GPU">
        {temperatureC !== null && formatNumber(temperatureC)}
      </td>
      <td className={styles['finding']}>
        <FindingCounts entries={entries} known={known} />
      </td>
      <td className={styles['seen']} />
      <td className={classNames(number, styles['cost'])}>
        <CostSum boxIds={entries.flatMap(({ box }) => (isInSums(box) ? box.id : []))} />
      </td>
      <td className={styles['menu']} />
    </>
  );
}

interface Scale {
  readonly unit: string;
  readonly divisor: number;
  readonly decimals: number;
}

function powerScale({ value, limit }: FleetSum): Scale {
  const isLarge = Math.max(value, limit ?? 0) >= 10_000;
  return isLarge
    ? { unit: 'kW', divisor: 1000, decimals: value < 1000 ? 2 : 1 }
    : { unit: 'W', divisor: 1, decimals: 0 };
}

function memoryScale({ value, limit }: FleetSum): Scale {
  const isLarge = Math.max(value, limit ?? 0) >= 1000 * 1024;
  // A little of much is not nothing.
  return isLarge
    ? { unit: 'TiB', divisor: 1024 * 1024, decimals: value < 1024 * 1024 ? 2 : 1 }
    : { unit: 'GiB', divisor: 1024, decimals: 0 };
}

/** Of what is known; how many boxes are not in it stands beside it. */
function Sum({ sum, scale }: { readonly sum: FleetSum; readonly scale: Scale }) {
  const { value, limit, unknown } = sum;
  const { unit, divisor, decimals } = scale;
  const write = (each: number): string => formatNumber(each / divisor, decimals);
  const missing =
    unknown === 0 ? null : `${formatCount(unknown, 'box', 'boxes')} without a reading`;
  return (
    <span title={missing === null ? undefined : `Not in this sum: ${missing}`}>
      {write(value)}
      {limit !== null && <span className={styles['limit']}> / {write(limit)}</span>} {unit}
      {missing !== null && (
        <small className={styles['missing']}>
          <span aria-hidden="true">+ {formatNumber(unknown)} not read</span>
          <span className="sr-only"> and {missing}</span>
        </small>
      )}
    </span>
  );
}

function FindingCounts({ entries, known }: FleetSumsProps) {
  const found = entries.flatMap(({ box }) => known.findings.boxes[box.id]?.findings ?? []);
  const counts = severities
    .filter((severity) => severity !== 'info')
    .map((severity) => ({
      severity,
      count: found.filter((finding) => finding.severity === severity).length,
    }))
    .filter(({ count }) => count > 0);
  return (
    <span className={styles['counts']}>
      {counts.map(({ severity, count }) => (
        <span
          key={severity}
          className={styles[SEVERITY_TONES[severity]]}
          title={formatCount(count, COUNTED[severity])}
        >
          <Glyph tone={SEVERITY_TONES[severity]} />
          {formatNumber(count)}
          <span className="sr-only"> {SEVERITY_WORDS[severity]}</span>
        </span>
      ))}
    </span>
  );
}

const COUNTED: Readonly<Record<Severity, string>> = {
  critical: 'critical finding',
  warn: 'warning',
  info: 'note',
};
