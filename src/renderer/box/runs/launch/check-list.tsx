import { useId, type ReactNode } from 'react';
import {
  canOverride,
  type CheckAnswer,
  type Overridden,
  type PreflightCheck,
} from '../../../../shared/runs/launch/launch-plan.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Glyph, type Tone } from '../../../ui/glyph.tsx';
import styles from './launch.module.css';

const WORDS: Readonly<Record<CheckAnswer, { readonly tone: Tone; readonly word: string }>> = {
  block: { tone: 'danger', word: 'Blocks' },
  warn: { tone: 'warn', word: 'Warning' },
  unknown: { tone: 'unknown', word: 'Unknown' },
  pass: { tone: 'ok', word: 'Passed' },
};
const WORST_FIRST = ['block', 'warn', 'unknown'] as const;

interface CheckListProps {
  readonly checks: readonly PreflightCheck[];
  /** What the person launches over. */
  readonly overridden: Overridden;
  readonly onOverride: (id: string, isOver: boolean) => void;
  /** Where a secret of the run is not on the box. */
  readonly onSendSecret: () => void;
  /** Below the check that something must have passed on this computer; absent: it is not run from here. */
  readonly rehearsal?: ReactNode;
}

/** What was checked on the box, the worst first. What is fine is folded: what will run matters more. */
export function CheckList(props: CheckListProps) {
  const { checks } = props;
  const told = WORST_FIRST.flatMap((answer) => checks.filter((each) => each.answer === answer));
  const passed = checks.filter(({ answer }) => answer === 'pass');
  return (
    <section className={styles['part']} aria-label="Checks">
      <h3>
        Checks <span className={styles['muted']}>{sumWords(checks)}</span>
      </h3>
      {checks.length === 0 && <p className={styles['muted']}>Nothing was checked.</p>}
      {told.length > 0 && <Lines {...props} checks={told} />}
      {passed.length > 0 && (
        <details className={styles['passed']}>
          <summary>
            <Glyph tone="ok" /> {formatCount(passed.length, 'check')} passed
          </summary>
          <Lines {...props} checks={passed} />
        </details>
      )}
    </section>
  );
}

function sumWords(checks: readonly PreflightCheck[]): string {
  const count = (answer: CheckAnswer): number =>
    checks.filter((each) => each.answer === answer).length;
  const names: Readonly<Record<(typeof WORST_FIRST)[number], string>> = {
    block: `${count('block')} blocking`,
    warn: formatCount(count('warn'), 'warning'),
    unknown: `${count('unknown')} unknown`,
  };
  return WORST_FIRST.filter((answer) => count(answer) > 0)
    .map((answer) => names[answer])
    .join(' · ');
}

function Lines({ checks, overridden, onOverride, onSendSecret, rehearsal }: CheckListProps) {
  return (
    <ul className={styles['checks']}>
      {checks.map((check) => (
        <Line
          key={check.id}
          check={check}
          isOver={overridden.has(check.id)}
          onOverride={(isOver) => onOverride(check.id, isOver)}
          onSendSecret={onSendSecret}
          below={check.id === 'rehearsal' && check.answer === 'block' ? rehearsal : null}
        />
      ))}
    </ul>
  );
}

/** What is short and in quotes is a name or a command, which a line break would make another one of: “wget -c”. */
function inWholeQuotes(says: string): readonly ReactNode[] {
  return says.split(/(“[^”]{1,24}”)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={at} className={styles['quoted']}>
        {part}
      </span>
    ),
  );
}

interface LineProps {
  readonly check: PreflightCheck;
  readonly isOver: boolean;
  readonly onOverride: (isOver: boolean) => void;
  readonly onSendSecret: () => void;
  readonly below: ReactNode;
}

function Line({ check, isOver, onOverride, onSendSecret, below }: LineProps) {
  const { id, title, answer, says, gotcha, anyway } = check;
  const titleId = useId();
  return (
    <li data-answer={answer}>
      <span className={styles['answer']}>
        <Glyph tone={WORDS[answer].tone} />
        {WORDS[answer].word}
      </span>
      <span className={styles['check']}>
        <strong id={titleId}>{title}</strong>
        <span>
          {inWholeQuotes(says)}
          {gotcha !== null && (
            <>
              {' '}
              <a href={`#${gotcha}`} aria-label={`More in the Handbook: ${title}`}>
                More in the Handbook
              </a>
            </>
          )}
          {(id === 'secrets' || id === 'keys') && answer === 'block' && (
            <Button size="small" onClick={onSendSecret}>
              Send a secret…
            </Button>
          )}
          {below}
          {canOverride(check) && (
            <label className={styles['anyway']}>
              <input
                type="checkbox"
                checked={isOver}
                aria-describedby={titleId}
                onChange={({ target }) => onOverride(target.checked)}
              />
              <span>
                <strong>Launch anyway:</strong> {anyway}
              </span>
            </label>
          )}
        </span>
      </span>
    </li>
  );
}
