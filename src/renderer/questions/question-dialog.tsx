import { useState, type FormEvent } from 'react';
import type { Problem } from '../../shared/problem.ts';
import { MAX_ANSWER_CHARS, questionTitle, type Question } from '../../shared/questions/question.ts';
import { questionDismissed } from '../state/actions.ts';
import { call } from '../state/bridge.ts';
import { selectQuestions, useQuestions } from '../state/feeds.ts';
import { overlayClosed } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogFooter } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Glyph } from '../ui/glyph.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import { SecretField } from '../ui/secret-field.tsx';
import { Switch } from '../ui/switch.tsx';
import styles from './questions.module.css';

/** One question in front of the person. It closes by itself when the question is gone, whoever ended it. */
export function QuestionDialog({ questionId }: { readonly questionId: string }) {
  const question = useQuestions((feed) =>
    selectQuestions(feed).find(({ id }) => id === questionId),
  );
  return question === undefined ? null : <AskingDialog question={question} />;
}

function AskingDialog({ question }: { readonly question: Question }) {
  const { id, subject, prompts, refusal, isLoginLost, keeping } = question;
  const [values, setValues] = useState<readonly string[]>(() => prompts.map(() => ''));
  const [isToBeKept, setIsToBeKept] = useState(false);
  const [isSent, setIsSent] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function submitted(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSent) return;
    setIsSent(true);
    const answer = await call('question:answer', { id, values: [...values], isToBeKept });
    // Once it is taken, the question is gone, and another one may stand here by now.
    if (answer.ok) return;
    setProblem(answer.error);
    setIsSent(false);
  }

  function dismissed(): void {
    questionDismissed(id);
    overlayClosed();
  }

  return (
    <Dialog title={questionTitle(question)} description={question.account} onClose={dismissed}>
      <form className={styles['form']} onSubmit={(event) => void submitted(event)}>
        <Why question={question} />
        {refusal !== null && (
          <p className={styles['refusal']} role="alert">
            <Glyph tone="warn" />
            {refusal}
          </p>
        )}
        {isLoginLost && (
          <p className={styles['note']} role="status">
            <Glyph tone="wait" />
            The box did not wait and closed the log-in. Your answer starts a new one.
          </p>
        )}
        {prompts.map(({ text, isEchoed }, i) => {
          const Line = isEchoed ? Field : SecretField;
          return (
            <Line
              key={i}
              label={text === '' ? `Answer ${i + 1}` : text}
              value={values[i] ?? ''}
              maxLength={MAX_ANSWER_CHARS}
              autoFocus={i === 0}
              onValue={(value) => setValues(values.map((old, at) => (at === i ? value : old)))}
            />
          );
        })}
        {keeping.kind === 'offered' && (
          <Switch
            label="Keep it in this system’s keyring"
            hint="Otherwise it is forgotten when you quit."
            isOn={isToBeKept}
            onChange={setIsToBeKept}
          />
        )}
        {keeping.kind === 'unavailable' && (
          <p className={styles['muted']}>
            It is remembered until you quit and cannot be kept longer: {keeping.because}.
          </p>
        )}
        <Refusal problem={problem} />
        <DialogFooter>
          <Button onClick={dismissed}>Do not log in</Button>
          <Button type="submit" look="primary" disabled={isSent}>
            {subject.kind === 'passphrase' ? 'Unlock the key' : 'Log in'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** Why this is asked, and where the answer goes. What the box itself says stands apart: it can say anything. */
function Why({ question: { subject } }: { readonly question: Question }) {
  switch (subject.kind) {
    case 'passphrase':
      return (
        <p>
          The passphrase opens <span className="mono">{subject.keyFile}</span> on this machine. It
          is not sent to the box.
        </p>
      );
    case 'password':
      return (
        <p>
          The box accepts a password. It is sent there over the encrypted connection, and nowhere
          else.
        </p>
      );
    case 'prompts':
      return (
        <>
          <p>The box has questions of its own. Your answers are sent to it, and nowhere else.</p>
          <BoxWords title={subject.title} instruction={subject.instruction} />
        </>
      );
  }
}

function BoxWords({
  title,
  instruction,
}: {
  readonly title: string;
  readonly instruction: string;
}) {
  if (title === '' && instruction === '') return null;
  return (
    <figure className={styles['words']} aria-label="What the box says">
      <figcaption>The box says</figcaption>
      {title !== '' && <p className={styles['wordsTitle']}>{title}</p>}
      {instruction !== '' && (
        // A long one scrolls, with the keyboard too.
        <pre className="selectable" tabIndex={0}>
          {instruction}
        </pre>
      )}
    </figure>
  );
}
