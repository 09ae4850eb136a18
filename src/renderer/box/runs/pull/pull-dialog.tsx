import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import type { KeepKind, PullPlan } from '../../../../shared/transfer/pull.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx';
import { formatBytes, formatCount } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { sizeWords } from './proof-words.ts';
import styles from './pull.module.css';

interface PullDialogProps {
  readonly plan: PullPlan;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

const KEEPS: readonly (readonly [KeepKind, string])[] = [
  ['evidence', 'Evidence'],
  ['checkpoint', 'Checkpoints'],
  ['scratch', 'Scratch'],
  ['unknown', 'Not marked in the request'],
];

/** All that bringing the results home would do, before it is done. */
export function PullDialog({ plan, onConfirm, onClose }: PullDialogProps) {
  const { from, to, files, bytes, freeBytes } = plan;
  const wanted = files.filter(({ refused }) => refused === null);
  const refused = files.filter((file) => file.refused !== null);
  const lacksRoom = freeBytes !== null && freeBytes < bytes;
  return (
    <Dialog
      title="Bring the results home"
      description="The box hashes every file, it is copied here, hashed again and loaded as what it is. Nothing that stands here already is written over, and nothing on the box is changed."
      onClose={onClose}
    >
      <dl className={styles['facts']}>
        <dt>From</dt>
        <dd className="mono selectable">{textOf(from)}</dd>
        <dt>To</dt>
        <dd className="mono selectable">{to}</dd>
        {KEEPS.map(([kind, label]) => {
          const of = wanted.filter(({ keep }) => keep === kind);
          return of.length === 0 ? null : (
            <Fact key={kind} label={label}>
              {sizeWords(of)}
            </Fact>
          );
        })}
        <Fact label="Free here">
          {freeBytes === null ? 'Not known: this disk does not say' : formatBytes(freeBytes)}
        </Fact>
      </dl>
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
      {lacksRoom && (
        <p className={styles['line']} role="alert">
          <Glyph tone="danger" />
          {formatBytes(bytes)} do not fit into {formatBytes(freeBytes)}. Free some room, or choose
          another folder.
        </p>
      )}
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={lacksRoom || wanted.length === 0} onClick={onConfirm}>
          Bring home {formatBytes(bytes)}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
