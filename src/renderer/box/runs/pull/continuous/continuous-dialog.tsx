import { useId, useState, type ReactNode } from 'react';
import { planRefOf } from '../../../../../shared/plan/plan.ts';
import type { Problem } from '../../../../../shared/problem.ts';
import { textOf } from '../../../../../shared/runs/launch/run-words.ts';
import {
  EVERY_MIN,
  isTooFull,
  LIMITS_MBPS,
  limitWords,
  type ContinuousPlan,
} from '../../../../../shared/transfer/continuous/continuous-pull.ts';
import type { PullWait } from '../../../../../shared/transfer/pull.ts';
import { call } from '../../../../state/bridge.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogFooter } from '../../../../ui/dialog.tsx';
import { formatBytes, formatCount } from '../../../../ui/format.ts';
import { Refusal } from '../../../../ui/problem-note.tsx';
import { Egress, Fact, freeWords } from '../pull-facts.tsx';
import { WAIT_WORDS } from './continuous-words.ts';
import styles from '../pull.module.css';
import own from './continuous.module.css';

interface ContinuousDialogProps {
  readonly boxId: string;
  readonly plan: ContinuousPlan;
  readonly onClose: () => void;
}

/** What would come by itself from now on, before it is switched on. */
export function ContinuousDialog({ boxId, plan, onClose }: ContinuousDialogProps) {
  const { from, to, files, missingBytes, waiting, freeBytes } = plan;
  const [everyMin, setEveryMin] = useState<number>(15);
  const [limitMBps, setLimit] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const isFull = isTooFull(freeBytes, missingBytes);

  async function switchOn(): Promise<void> {
    const every = EVERY_MIN.find((minutes) => minutes === everyMin) ?? 15;
    const ref = planRefOf(plan.plan);
    const started = await call('runs:start-continuous', {
      ...{ boxId, plan: ref, everyMin: every, limitMBps },
    });
    if (started.ok) onClose();
    else setRefusal(started.error);
  }

  return (
    <Dialog
      isWide
      title="Keep bringing new results home"
      description="Each time, what is new comes as if you had brought it home: hashed, loaded, kept as evidence. It goes on after a restart, and only while Leasehold is open and the box connected. Nothing is deleted, neither here nor on the box: where the run writes a file anew, the earlier copy is kept beside, in .leasehold-earlier."
      onClose={onClose}
    >
      <dl className={styles['facts']}>
        <Fact label="From">
          <span className="mono selectable">{textOf(from)}</span>
        </Fact>
        <Fact label="To">
          <span className="mono selectable">{to}</span>
        </Fact>
        <Fact label="Comes">
          everything but scratch, and of the checkpoints the newest complete one; those called best
          or final always
        </Fact>
        <Fact label="The first time">
          {`${formatBytes(missingBytes)} in ${formatCount(files, 'file')}`}
        </Fact>
        {waiting.map(({ because, files: count, bytes }) => (
          <Waiting key={because} because={because} files={count} bytes={bytes} />
        ))}
        <Fact label="Free here">{freeWords(freeBytes)}</Fact>
        <Fact label="Outgoing traffic">
          <Egress boxId={boxId} bytes={missingBytes} /> · in each later round what is new by then
        </Fact>
      </dl>
      <div className={own['fields']}>
        <Choice label="Every" value={everyMin} onValue={setEveryMin}>
          {EVERY_MIN.map((minutes) => (
            <option key={minutes} value={minutes}>
              {minutes < 60 ? `${String(minutes)} min` : `${String(minutes / 60)} h`}
            </option>
          ))}
        </Choice>
        <Choice
          label="At most"
          value={limitMBps ?? 0}
          onValue={(limit) => setLimit(limit === 0 ? null : limit)}
        >
          {[null, ...LIMITS_MBPS].map((limit) => (
            <option key={limit ?? 0} value={limit ?? 0}>
              {limitWords(limit)}
            </option>
          ))}
        </Choice>
      </div>
      <Refusal problem={refusal} />
      <DialogFooter>
        {isFull && (
          <p className={styles['whyNot']} role="alert">
            The disk here would be nearly full after it. Free some room, or choose another folder.
          </p>
        )}
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" disabled={isFull} onClick={() => void switchOn()}>
          Switch on
        </Button>
      </DialogFooter>
    </Dialog>
  );
}

interface WaitingProps {
  readonly because: PullWait;
  readonly files: number;
  readonly bytes: number;
}

function Waiting({ because, files, bytes }: WaitingProps) {
  return (
    <Fact label="Stays there">
      {`${formatCount(files, 'file')}, ${formatBytes(bytes)}: ${WAIT_WORDS[because]}`}
    </Fact>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: number;
  readonly onValue: (value: number) => void;
  readonly children: ReactNode;
}

function Choice({ label, value, onValue, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className={own['field']}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={own['select']}
        value={value}
        onChange={({ target }) => onValue(Number(target.value))}
      >
        {children}
      </select>
    </div>
  );
}
