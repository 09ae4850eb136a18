import { memo } from 'react';
import type { FleetEntry } from '../../shared/streams/fleet-stream.ts';
import {
  maxOf,
  readCurrent,
  reported,
  sumOf,
  sumOrNull,
} from '../../shared/telemetry/current-figures.ts';
import { linkWords } from '../box/link-words.ts';
import { selectIsAsking, useQuestions } from '../state/feeds.ts';
import { boxChosen } from '../state/view.ts';
import { Age } from '../ui/age.tsx';
import { classNames } from '../ui/class-names.ts';
import { useNow } from '../ui/clock.ts';
import { Figure } from '../ui/figure.tsx';
import { formatGiB, formatNumber, formatQuantity, formatRange } from '../ui/format.ts';
import { Glyph } from '../ui/glyph.tsx';
import { describeStatus } from './box-status.ts';
import { describeBox } from './gpu-names.ts';
import styles from './fleet-page.module.css';
import { WorstFinding } from './worst-finding.tsx';

const number = styles['number'];

export function FleetTable({ entries }: { readonly entries: readonly FleetEntry[] }) {
  return (
    <div className={styles['body']}>
      <table className={styles['table']}>
        <caption className="sr-only">All boxes, with figures over all GPUs of each</caption>
        <thead>
          <tr>
            <th scope="col">State</th>
            <th scope="col">Box</th>
            <th scope="col" className={number}>
              SM
            </th>
            <th scope="col" className={number}>
              Clock MHz
            </th>
            <th scope="col" className={number}>
              Power
            </th>
            <th scope="col" className={number}>
              VRAM GiB
            </th>
            <th scope="col" className={number}>
              °C
            </th>
            <th scope="col">Worst finding</th>
            <th scope="col" className={styles['wide']}>
              Link
            </th>
            <th scope="col" className={number}>
              Seen
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <FleetRow key={entry.box.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const FleetRow = memo(function FleetRow({ entry }: { readonly entry: FleetEntry }) {
  const nowMs = useNow();
  const { box, link, latest } = entry;
  const { tone, word, detail, smPct } = describeStatus(
    entry,
    nowMs,
    useQuestions(selectIsAsking(box.id)),
  );
  const isAlarming = tone === 'warn' || tone === 'danger';
  const figures = describeFigures(entry, nowMs);
  return (
    <tr>
      <td>
        <span className={styles['state']}>
          <Glyph tone={tone} />
          <span className={classNames(isAlarming && styles[tone])}>
            {word}
            {detail !== null && <small>{detail}</small>}
          </span>
        </span>
      </td>
      <td className={styles['box']}>
        <button type="button" title={box.name} onClick={() => boxChosen(box.id)}>
          {box.name}
        </button>
        <small>{describeBox(entry)}</small>
      </td>
      <td className={number}>
        <Figure text={formatQuantity(smPct, '%')} />
      </td>
      <td className={number}>
        <Figure text={figures.clock} />
      </td>
      <td className={number}>
        <Share value={figures.power} limit={figures.powerLimit} unit="W" />
      </td>
      <td className={number}>
        <Share value={figures.vram} limit={figures.vramTotal} />
      </td>
      <td className={number}>
        <Figure text={figures.temperature} />
      </td>
      <td className={styles['finding']}>
        <WorstFinding boxId={box.id} />
      </td>
      <td className={classNames(styles['wide'], styles['muted'])}>{linkWords(link)}</td>
      <td className={classNames(number, styles['muted'])}>
        {latest === null ? 'never' : <Age atMs={latest.atMs} />}
      </td>
    </tr>
  );
});

/** `452 of 700 W`; a narrow window leaves the limit out. */
function Share({
  value,
  limit,
  unit = '',
}: {
  readonly value: string | null;
  readonly limit: string | null;
  readonly unit?: string;
}) {
  if (value === null) return <Figure text={null} />;
  return (
    <>
      {value}
      {limit !== null && <span className={styles['wide']}> of {limit}</span>} {unit}
    </>
  );
}

/** Written, without units; null is unknown. */
interface Figures {
  readonly clock: string | null;
  readonly power: string | null;
  readonly powerLimit: string | null;
  readonly vram: string | null;
  readonly vramTotal: string | null;
  readonly temperature: string | null;
}

/** Power and memory summed, the clock as a range, the temperature of the hottest. */
function describeFigures(entry: FleetEntry, nowMs: number): Figures {
  const current = readCurrent(entry, nowMs) ?? [];
  const gpus = entry.gpus ?? [];
  const clocks = reported(current, 'smClockMHz');
  return {
    clock: clocks.length === 0 ? null : formatRange(clocks, '').trim(),
    power: numberOrNull(sumOf(current, 'powerW')),
    powerLimit: numberOrNull(sumOrNull(gpus.map((gpu) => gpu.powerLimitW))),
    vram: gibOrNull(sumOf(current, 'memoryUsedMiB')),
    vramTotal: gibOrNull(sumOrNull(gpus.map((gpu) => gpu.memoryTotalMiB))),
    temperature: numberOrNull(maxOf(current, 'temperatureC')),
  };
}

function numberOrNull(value: number | null): string | null {
  return value === null ? null : formatNumber(value);
}

function gibOrNull(mib: number | null): string | null {
  return mib === null ? null : formatGiB(mib);
}
