import { useId, type ReactNode } from 'react';
import type { GpuFacts } from '../../../shared/telemetry/gpu-facts.ts';
import { gpuModel } from '../../fleet/gpu-names.ts';
import { platformName } from '../../fleet/platforms.ts';
import type { BoxEntry } from '../../state/box-entry.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Figure } from '../../ui/figure.tsx';
import { formatDate, formatGiB, formatQuantity } from '../../ui/format.ts';
import { sshCommandOf } from '../ssh-command-of.ts';
import styles from './facts-tab.module.css';
import { Identity } from './identity-section.tsx';
import { SentSecrets } from './sent-secrets-section.tsx';

/** What is known of the box by itself: its address and its cards. Nothing here is looked up or guessed. */
export function FactsTab({ entry }: { readonly entry: BoxEntry }) {
  const { box, gpus } = entry;
  const command = sshCommandOf(box);
  return (
    <div className={styles['facts']}>
      <FactSection title="Address" action={<CopyButton text={command} label="Copy ssh command" />}>
        <dl>
          <dt>ssh</dt>
          <dd className="mono selectable">{command}</dd>
          <dt>Platform</dt>
          <dd>{platformName(box.platform)}</dd>
          <dt>Added</dt>
          <dd>{formatDate(box.addedAtMs)}</dd>
        </dl>
      </FactSection>
      <FactSection title="Identity">
        <Identity boxId={box.id} linkKind={entry.link.kind} />
      </FactSection>
      <FactSection title="Secrets sent to it">
        <SentSecrets boxId={box.id} linkKind={entry.link.kind} />
      </FactSection>
      <FactSection title="GPUs">
        {gpus === null && (
          <p className={styles['muted']}>Unknown until the box has answered nvidia-smi.</p>
        )}
        {gpus?.length === 0 && <p className={styles['muted']}>The box reports no GPU.</p>}
        {gpus !== null && gpus.length > 0 && <GpuTable gpus={gpus} />}
      </FactSection>
      <FactSection title="Platform">
        <p className={styles['muted']}>
          Not connected yet. This version has no facts about storage, billing or limits of
          platforms; what survives a stop, and what a stop costs, is unknown here.
        </p>
      </FactSection>
    </div>
  );
}

function FactSection({
  title,
  action,
  children,
}: {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  return (
    <section className={styles['section']} aria-labelledby={titleId}>
      <div className={styles['title']}>
        <h2 id={titleId}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
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
