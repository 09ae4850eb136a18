import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import type { LeftFiles } from '../../../../shared/transfer/left-files.ts';
import type { PullPlan } from '../../../../shared/transfer/pull.ts';
import { lacksRoom } from '../../../../shared/transfer/room.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx';
import { formatBytes, formatCount } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { LeftChoice } from './left-choice.tsx';
import type { Fates } from './fates.tsx';
import { Egress, Fact, Fate, freeWords, WayIn } from './pull-facts.tsx';
import { useLeft, type Left } from './use-left.ts';
import styles from './pull.module.css';

interface PullDialogProps {
  readonly boxId: string;
  readonly plan: PullPlan;
  readonly fates: Fates;
  readonly onConfirm: (left: readonly LeftFiles[]) => void;
  readonly onClose: () => void;
}

/** All that bringing the results home would do, before it is done, and what of it the person leaves on the box. */
export function PullDialog({ boxId, plan, fates, onConfirm, onClose }: PullDialogProps) {
  const { from, to, files, freeBytes } = plan;
  const left = useLeft(plan);
  const { missingBytes } = left.sum;
  const refused = files.filter((file) => file.refused !== null);
  const whyNot = whyNotYet(left, freeBytes);
  const { told } = left;
  return (
    <Dialog
      isWide
      title="Bring the results home"
      description="The box hashes every file, it is copied here, hashed again and loaded as what it is. Nothing that stands here already is written over. Among the results on the box nothing is changed; their hashes are kept in its ~/.local/state/leasehold/trees, so that they need not be worked out again."
      onClose={onClose}
    >
      <dl className={styles['facts']}>
        <Fact label="From">
          <span className="mono selectable">{textOf(from)}</span>
        </Fact>
        <Fact label="On the box">
          <Fate fates={fates} folder={from} />
        </Fact>
        <WayIn boxId={boxId} />
        <Fact label="To">
          <span className="mono selectable">{to}</span>
        </Fact>
        <Fact label="To send">{sendWords(left)}</Fact>
        <Fact label="Compression">
          small files only, when the connection is slow and compressing them is faster
        </Fact>
        <Fact label="Free here">{freeWords(freeBytes)}</Fact>
        <Fact label="Outgoing traffic">
          <Egress boxId={boxId} bytes={missingBytes} />
        </Fact>
      </dl>
      <LeftChoice left={left} from={from} fates={fates} />
      {refused.length > 0 && (
        <div className={styles['refused']}>
          <p className={styles['line']}>
            <Glyph tone="warn" />
            {formatCount(refused.length, 'file')} can’t be brought home:
          </p>
          <ul>
            {refused.slice(0, 20).map(({ path, refused: because }) => (
              <li key={path}>
                <span className="mono">{textOf(path)}</span>: {because}
              </li>
            ))}
            {refused.length > 20 && <li>and {String(refused.length - 20)} more</li>}
          </ul>
        </div>
      )}
      <DialogFooter>
        {whyNot !== null && (
          <p className={styles['whyNot']} role="alert">
            <Glyph tone={whyNot.tone} />
            <span>{whyNot.says}</span>
          </p>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={whyNot !== null || told === null}
          onClick={() => told !== null && onConfirm(told)}
        >
          Bring home {formatBytes(left.sum.bytes)}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function whyNotYet(
  { coming, told, sum: { missingBytes } }: Left,
  freeBytes: number | null,
): { readonly tone: 'warn' | 'danger'; readonly says: string } | null {
  if (coming.length === 0) return { tone: 'warn', says: 'Nothing would be brought home.' };
  if (freeBytes !== null && lacksRoom({ missingBytes, freeBytes })) {
    const says = `${formatBytes(missingBytes)} do not fit into ${formatBytes(freeBytes)}. Free some room, choose another folder, or leave some of it on the box.`;
    return { tone: 'danger', says };
  }
  return told === null ? { tone: 'warn', says: 'Give a reason for what is left.' } : null;
}

function sendWords({ coming, sum: { bytes, missingBytes } }: Left): string {
  const all = `${formatBytes(missingBytes)} in ${formatCount(coming.length, 'file')}`;
  return bytes === missingBytes
    ? all
    : `${all}; ${formatBytes(bytes - missingBytes)} lie here already and will be compared`;
}
