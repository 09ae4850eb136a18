import { useState } from 'react';
import { checkWords } from '../../../../shared/evidence/chain-words.ts';
import type { EvidenceCheck } from '../../../../shared/evidence/chain.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { Result } from '../../../../shared/result.ts';
import type { PictureOutcome } from '../../../../shared/telemetry/history.ts';
import type { RunProof } from '../../../../shared/transfer/pull.ts';
import { call } from '../../../state/bridge.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx';
import { formatBytes, formatDate } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import styles from './pull.module.css';

interface EvidenceDialogProps {
  readonly proof: RunProof;
  /** Of the whole record; null: not known yet. */
  readonly check: Result<EvidenceCheck, Problem> | null;
  readonly onClose: () => void;
}

/** What was kept of a pull, whether the record is whole, and ways to take it along. */
export function EvidenceDialog({ proof, check, onClose }: EvidenceDialogProps) {
  const { seq, atMs, hash, report } = proof;
  const [outcome, setOutcome] = useState<Result<PictureOutcome, Problem> | null>(null);
  const saved = outcome?.ok === true && outcome.value.kind === 'saved' ? outcome.value : null;
  const save = async (asked: Promise<Result<PictureOutcome, Problem>>): Promise<void> => {
    setOutcome(null);
    setOutcome(await asked);
  };
  return (
    <Dialog
      title={`Evidence no. ${String(seq)}`}
      description="Each entry of this record holds the hash of the one before it, and how far it came is noted beside the database: an entry that was changed, taken out or cut off at the end is found. What that cannot show is a data folder that was put back whole, with its note: keep an export elsewhere."
      onClose={onClose}
    >
      <dl className={styles['facts']}>
        <dt>Kept</dt>
        <dd>{formatDate(atMs)}</dd>
        <dt>Record</dt>
        <dd>
          <Record check={check} />
        </dd>
        <dt>Hash</dt>
        <Hash label="Copy the hash" text={hash} />
        <dt title="The SHA-256 of all paths, sizes and hashes that the box told">Manifest</dt>
        <Hash label="Copy the hash of the manifest" text={report.manifest} />
      </dl>
      <div className={styles['ways']}>
        <Button onClick={() => void save(call('evidence:receipt', { seq }))}>Save receipt…</Button>
        <Button onClick={() => void save(call('evidence:export', { format: 'markdown' }))}>
          Export all as Markdown…
        </Button>
        <Button onClick={() => void save(call('evidence:export', { format: 'json' }))}>
          Export all as JSON…
        </Button>
      </div>
      <p role="status" aria-label="What was saved" className={styles['muted']}>
        {saved !== null && `Saved: ${saved.file}, ${formatBytes(saved.bytes)}`}
      </p>
      <Refusal problem={outcome?.ok === false ? outcome.error : null} />
      <DialogFooter>
        <Button onClick={onClose}>Close</Button>
      </DialogFooter>
    </Dialog>
  );
}

function Record({ check }: Pick<EvidenceDialogProps, 'check'>) {
  const [tone, words] =
    check === null
      ? (['wait', 'Checking…'] as const)
      : !check.ok
        ? (['unknown', check.error.message] as const)
        : ([check.value.fault === null ? 'ok' : 'danger', checkWords(check.value)] as const);
  return (
    <span className={styles['line']}>
      <Glyph tone={tone} />
      <span>{words}</span>
    </span>
  );
}

function Hash({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <dd className={styles['hash']}>
      <span className="mono selectable">{text}</span>
      <CopyButton text={text} label={label} />
    </dd>
  );
}
