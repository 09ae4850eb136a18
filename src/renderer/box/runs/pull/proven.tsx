import { useEffect, useMemo, useState } from 'react';
import { checkWords, faultWords } from '../../../../shared/evidence/chain-words.ts';
import type { EvidenceCheck } from '../../../../shared/evidence/chain.ts';
import type { Problem } from '../../../../shared/problem.ts';
import type { Result } from '../../../../shared/result.ts';
import { textOf } from '../../../../shared/runs/launch/run-words.ts';
import {
  UNTOLD_WRITES,
  type PulledFile,
  type PullReport,
  type RunProof,
} from '../../../../shared/transfer/pull.ts';
import { isPythonFile } from '../../../../shared/verify/python-files.ts';
import { call } from '../../../state/bridge.ts';
import { Age } from '../../../ui/age.tsx';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Glyph } from '../../../ui/glyph.tsx';
import { Refusal } from '../../../ui/problem-note.tsx';
import styles from '../launch/results-list.module.css';
import { ReportedNumbers } from './numbers/reported-numbers.tsx';
import type { Reported } from './numbers/use-reported.ts';
import { AcceptDialog } from './accept-dialog.tsx';
import { EvidenceDialog } from './evidence-dialog.tsx';
import { OwnPythonDialog } from './own-python-dialog.tsx';
import {
  acceptedWords,
  leftByReason,
  reportWords,
  setWords,
  sizeWords,
  troubleWords,
} from './proof-words.ts';

/** The table has them all. */
const MOST_TROUBLE = 8;

interface ProvenProps {
  readonly boxId: string;
  readonly proof: RunProof;
  readonly reported: Reported;
  /** A damaged file was accepted: what is known of them all from then on. */
  readonly onAccepted: (proof: RunProof) => void;
}

/** When the results were last brought home, where to, and what that proved. */
export function Proven({ boxId, proof, reported, onAccepted }: ProvenProps) {
  const { atMs, seq, report } = proof;
  const kept = reported.answer?.ok === true ? reported.answer.value?.kept : undefined;
  const check = useEvidenceCheck(Math.max(seq, kept?.seq ?? 0), report);
  const [isOpen, setIsOpen] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const checkpoints = useMemo(() => report.files.filter(isPythonFile), [report.files]);
  const { tone, words } = reportWords(report);
  const trouble = troubleWords(report);
  const sets = setWords(report);
  const accepted = acceptedWords(report);
  const [accepting, setAccepting] = useState<PulledFile | null>(null);
  return (
    <>
      <Refusal problem={whatIsWrong(check)} tone="danger" />
      <p className={styles['proven']}>
        <Glyph tone={tone} />
        <span>
          Brought home <Age atMs={atMs} />: {words}
        </span>
        <span className={styles['path']} title={report.to}>
          {report.to}
        </span>
        <Button
          size="small"
          look="quiet"
          aria-haspopup="dialog"
          title="What was kept of it, and whether the record is as it was written"
          onClick={() => setIsOpen(true)}
        >
          Evidence no. {String(seq)}
        </Button>
        {checkpoints.length > 0 && (
          <Button
            size="small"
            look="quiet"
            aria-haspopup="dialog"
            title="A second opinion on the checkpoints, by your own PyTorch"
            onClick={() => setIsAsking(true)}
          >
            Load with your Python…
          </Button>
        )}
      </p>
      {leftByReason(report).map(({ because, files }) => (
        <p key={because} className={styles['muted']}>
          Left on the box: {sizeWords(files)}. Reason: {textOf(because)}.
        </p>
      ))}
      {report.tellsWrites === false && <p className={styles['muted']}>{UNTOLD_WRITES}</p>}
      {trouble.length > 0 && (
        <ul className={styles['trouble']} aria-label="What to look at">
          {trouble.slice(0, MOST_TROUBLE).map(({ path, says, damaged }) => (
            <li key={path}>
              <span className="mono selectable">{textOf(path)}</span>: {says}
              {damaged !== undefined && (
                <>
                  {' '}
                  <Button
                    size="small"
                    look="quiet"
                    aria-haspopup="dialog"
                    aria-label={`Accept as it is: ${textOf(path)}…`}
                    title="If this is the only copy there is"
                    onClick={() => setAccepting(damaged)}
                  >
                    Accept as it is…
                  </Button>
                </>
              )}
            </li>
          ))}
          {trouble.length > MOST_TROUBLE && (
            <li>
              and {formatCount(trouble.length - MOST_TROUBLE, 'file')} more: see the column “Proof”
            </li>
          )}
        </ul>
      )}
      {accepted.length > 0 && (
        <ul className={styles['trouble']} aria-label="Damaged and accepted">
          {accepted.slice(0, MOST_TROUBLE).map(({ path, says }) => (
            <li key={path}>
              <span className="mono selectable">{textOf(path)}</span>: {says}
            </li>
          ))}
          {accepted.length > MOST_TROUBLE && (
            <li>and {String(accepted.length - MOST_TROUBLE)} more</li>
          )}
        </ul>
      )}
      {sets.length > 0 && (
        <ul className={styles['trouble']} aria-label="Files that belong together">
          {sets.slice(0, MOST_TROUBLE).map(({ path, says }) => (
            <li key={path}>
              <span className="mono selectable">{textOf(path)}</span>: {says}
            </li>
          ))}
          {sets.length > MOST_TROUBLE && <li>and {String(sets.length - MOST_TROUBLE)} more</li>}
        </ul>
      )}
      <ReportedNumbers boxId={boxId} proof={proof} reported={reported} />
      {accepting !== null && (
        <AcceptDialog
          boxId={boxId}
          runId={report.runId}
          file={accepting}
          onAccepted={onAccepted}
          onClose={() => setAccepting(null)}
        />
      )}
      {isAsking && (
        <OwnPythonDialog
          boxId={boxId}
          runId={report.runId}
          files={checkpoints}
          onClose={() => setIsAsking(false)}
        />
      )}
      {isOpen && <EvidenceDialog proof={proof} check={check} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** Whether the whole record is what was written; null: not known yet. `newest`: the last entry that is shown; what was accepted of the report is one too. */
function useEvidenceCheck(
  newest: number,
  report: PullReport,
): Result<EvidenceCheck, Problem> | null {
  const [check, setCheck] = useState<Result<EvidenceCheck, Problem> | null>(null);
  useEffect(() => {
    let isThere = true;
    void call('evidence:check', {}).then((answer) => {
      if (isThere) setCheck(answer);
    });
    return () => {
      isThere = false;
    };
  }, [newest, report]);
  return check;
}

const PUT_BACK =
  'What was proven, accepted or taken back since is not known here: quit Leasehold, and put back a newer copy of its data folder.';
const NOT_PROVEN =
  'Do not rely on what is said here to be proven: bring the results home again, and keep an export of the record.';

/** A record that was changed proves nothing, and what it says of these files stands right below. */
function whatIsWrong(check: Result<EvidenceCheck, Problem> | null): Problem | null {
  if (check === null) return null;
  if (!check.ok) return check.error;
  const { fault } = check.value;
  if (fault === null) return null;
  return {
    code: 'database-corrupt',
    message: `${faultWords(fault)} ${checkWords(check.value)}`,
    nextStep: fault.because === 'cut-off' || fault.because === 'empty' ? PUT_BACK : NOT_PROVEN,
  };
}
