import type { GpuFacts } from '../../../shared/telemetry/gpu-facts.ts';
import { gpuModel } from '../../fleet/gpu-names.ts';
import { Figure } from '../../ui/figure.tsx';
import { formatGiB, formatQuantity } from '../../ui/format.ts';
import { FactSection } from './fact-section.tsx';
import styles from './facts-tab.module.css';

/** The cards, as the box reports them. */
export function GpusSection({ gpus }: { readonly gpus: readonly GpuFacts[] | null }) {
  return (
    <FactSection title="GPUs">
      {gpus === null && (
        <p className={styles['muted']}>Unknown until the box has answered nvidia-smi.</p>
      )}
      {gpus?.length === 0 && <p className={styles['muted']}>The box reports no GPU.</p>}
      {gpus !== null && gpus.length > 0 && <GpuTable gpus={gpus} />}
    </FactSection>
  );
}

function GpuTable({ gpus }: { readonly gpus: readonly GpuFacts[] }) {
  const number = styles['number'];
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">GPU</th>
          <th scope="col">Model</th>
          <th scope="col" className={number}>
            VRAM GiB
          </th>
          <th scope="col" className={number}>
            Power limit
          </th>
          <th scope="col" className={number}>
            Max SM clock
          </th>
          <th scope="col">Driver</th>
          <th scope="col">UUID</th>
        </tr>
      </thead>
      <tbody>
        {gpus.map((gpu) => (
          <tr key={gpu.uuid}>
            <td>{gpu.index}</td>
            <td>{gpuModel(gpu.name)}</td>
            <td className={number}>
              <Figure text={formatGiB(gpu.memoryTotalMiB)} />
            </td>
            <td className={number}>
              <Figure text={formatQuantity(gpu.powerLimitW, 'W')} />
            </td>
            <td className={number}>
              <Figure text={formatQuantity(gpu.maxSmClockMHz, 'MHz')} />
            </td>
            <td>
              <Figure text={gpu.driverVersion} />
            </td>
            <td className="mono selectable">{gpu.uuid}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
