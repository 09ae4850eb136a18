import type { MeasuredMount } from '../../../shared/mounts/mount.ts';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import { formatQuantity, formatShare, UNKNOWN } from '../../ui/format.ts';
import styles from './facts-tab.module.css';

const KIB_PER_GIB = 1024 ** 2;

/** Both figures in the unit that fits the whole. */
function sizeWords(usedKiB: number | null, totalKiB: number | null): string {
  const isSmall = totalKiB !== null && totalKiB < KIB_PER_GIB;
  const [per, unit] = isSmall ? [1024, 'MiB'] : [KIB_PER_GIB, 'GiB'];
  const part = (kib: number | null): number | null => (kib === null ? null : kib / per);
  return formatShare(part(usedKiB), part(totalKiB), unit, 1);
}

/** How large and how full a mount is; why not, where that is not known. */
export function MountSize({ mount }: { readonly mount: MeasuredMount }) {
  const { usage, because } = mount;
  const hint = `${showHidden(mount.source)}, ${showHidden(mount.type)}`;
  const readOnly = mount.isReadOnly && ' · read-only';
  if (usage === null) {
    return (
      <span className={styles['muted']} title={hint}>
        size {UNKNOWN}: {because}
        {readOnly}
      </span>
    );
  }
  const inodes =
    usage.inodesUsedPct === null
      ? ' · inodes not counted'
      : ` · ${formatQuantity(usage.inodesUsedPct, '%')} of inodes`;
  return (
    <span className="figures" title={hint}>
      {sizeWords(usage.usedKiB, usage.totalKiB)} used
      <span
        className={styles['muted']}
        title="Each file and folder takes one inode: a disk without a free one takes no new file, however much room it has."
      >
        {inodes}
      </span>
      {readOnly}
    </span>
  );
}
