import { useEffect, useRef, type ReactNode } from 'react';
import { belongsWhere, QUESTIONS } from '../../shared/gotchas/belongs.ts';
import { severities } from '../../shared/detectors/finding.ts';
import { gotchaScopes, gotchaThemes, type EntryAnswers } from '../../shared/gotchas/gotcha.ts';
import { SEVERITY_WORDS } from '../fleet/finding-words.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Refusal } from '../ui/problem-note.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { TextArea } from '../ui/text-area.tsx';
import styles from './entry-editor.module.css';
import { EntryPreviewPane } from './entry-preview.tsx';
import { SCOPE_WORDS, THEME_WORDS } from './gotcha-words.ts';
import { Choice } from './handbook-filters.tsx';
import { SignNotes } from './sign-notes.tsx';
import {
  answered,
  draftChanged,
  noteAsked,
  previewAsked,
  writingDropped,
  type Writing,
} from './writing.ts';

/** An entry of the person's own, from the first draft to the text that they approve. */
export function EntryEditor({ writing }: { readonly writing: Writing }) {
  const { editing, preview } = writing;
  return (
    <article className={styles['editor']} aria-labelledby="editor-title">
      <h2 id="editor-title" className={styles['title']}>
        {editing === null ? 'A new entry of your own' : `Edit ${editing.id}`}
      </h2>
      {preview === null ? (
        <DraftForm writing={writing} />
      ) : (
        <EntryPreviewPane writing={writing} preview={preview} />
      )}
    </article>
  );
}

function DraftForm({ writing }: { readonly writing: Writing }) {
  const { draft, faults, isBusy, editing, problem } = writing;
  const form = useRef<HTMLFormElement>(null);
  const faultOf = (field: string): string | null =>
    faults.find((fault) => fault.field.split('.')[0] === field)?.fix ?? null;
  // What is missing may be out of sight.
  useEffect(() => {
    if (faults.length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [faults]);
  return (
    <form
      ref={form}
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void previewAsked();
      }}
    >
      {editing === null && (
        <p className={styles['muted']}>
          Drafted from what was seen; what looked like a secret was taken out. Complete it: the
          cause is yours to say.
        </p>
      )}
      <Field
        label="Title"
        value={draft.title}
        error={faultOf('title')}
        onValue={(title) => draftChanged({ title })}
      />
      <div className={styles['row']}>
        <Labelled label="Severity">
          <Segmented
            label="Severity"
            options={severities.map((value) => ({ value, label: SEVERITY_WORDS[value] }))}
            value={draft.severity}
            onChange={(severity) => draftChanged({ severity })}
          />
        </Labelled>
        <Labelled label="Where">
          <Choice
            label="Where it can happen"
            options={gotchaScopes}
            words={SCOPE_WORDS}
            value={draft.scope}
            onChange={(scope) => draftChanged({ scope: scope ?? 'universal' })}
          />
        </Labelled>
        <Labelled label="About">
          <Choice
            label="What it is about"
            options={gotchaThemes}
            words={THEME_WORDS}
            value={draft.theme}
            onChange={(theme) => draftChanged({ theme: theme ?? 'process' })}
          />
        </Labelled>
      </div>
      <TextArea
        label="What you see"
        value={draft.symptom}
        error={faultOf('symptom')}
        onValue={(symptom) => draftChanged({ symptom })}
      />
      <TextArea
        label="Why"
        value={draft.cause}
        error={faultOf('cause')}
        hint="What makes it happen, not what happened before it."
        onValue={(cause) => draftChanged({ cause })}
      />
      <TextArea
        label="What to do, one step a line"
        value={draft.fix.join('\n')}
        error={faultOf('fix')}
        onValue={(text) => draftChanged({ fix: text.split('\n') })}
      />
      <TextArea
        label="What a log says when it happens, one a line"
        isMono
        spellCheck={false}
        value={draft.signs.join('\n')}
        error={faultOf('signs')}
        hint="Its very words; … stands for what differs from time to time. A pasted log that has them finds this entry."
        onValue={(text) => draftChanged({ signs: text.split('\n') })}
      />
      <SignNotes draft={draft} />
      <Field
        label="See also"
        isMono
        value={draft.related.join(' ')}
        error={faultOf('related')}
        hint="Ids of other entries."
        onValue={(text) => draftChanged({ related: text.split(/[\s,]+/) })}
      />
      <TextArea
        label="What was seen"
        isMono
        spellCheck={false}
        value={draft.incident ?? ''}
        error={faultOf('incident')}
        hint="Kept with the entry. Shorten it to what matters; names and paths of yours are still in it."
        onValue={(incident) => draftChanged({ incident })}
      />
      <Questions writing={writing} fault={faultOf('answers')} />
      <Refusal problem={problem} />
      <div className={styles['actions']}>
        <Button look="primary" type="submit" disabled={isBusy}>
          Preview
        </Button>
        <Button onClick={writingDropped}>Discard</Button>
        <span className={styles['muted']}>Nothing is written before you have seen it.</span>
      </div>
    </form>
  );
}

const ANSWERS = {
  rootCaused: [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ],
  reproduced: [
    { value: 'yes', label: 'Yes' },
    { value: 'mechanism', label: 'No, but understood' },
    { value: 'no', label: 'No' },
  ],
  general: [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ],
} as const;
const ORDER = ['rootCaused', 'reproduced', 'general'] as const;

type Given = Partial<EntryAnswers>;

/** The three that decide whether it is an entry for everybody, one of the person's own, or a note. */
function Questions({
  writing,
  fault,
}: {
  readonly writing: Writing;
  readonly fault: string | null;
}) {
  const given: Given = writing.given;
  const whole = writing.draft.answers;
  const belonging = whole === null ? null : belongsWhere(whole);
  return (
    <fieldset
      className={styles['questions']}
      tabIndex={-1}
      aria-invalid={fault !== null}
      aria-describedby={fault === null ? undefined : 'questions-fault'}
    >
      <legend>Three questions</legend>
      {ORDER.map((name) => (
        <div key={name} className={styles['question']}>
          <div>
            <p>{QUESTIONS[name].asks}</p>
            <p className={styles['muted']}>{QUESTIONS[name].hint}</p>
          </div>
          <Segmented<string>
            label={QUESTIONS[name].asks}
            options={ANSWERS[name]}
            value={given[name] ?? ''}
            onChange={(value) => answered({ [name]: value })}
          />
        </div>
      ))}
      {fault !== null && (
        <p id="questions-fault" className={styles['fault']}>
          {fault}
        </p>
      )}
      {belonging !== null && (
        <p className={styles['belonging']} role="status">
          {belonging.because}
        </p>
      )}
      {belonging?.place === 'note' && (
        <Button size="small" disabled={writing.isBusy} onClick={() => void noteAsked()}>
          {writing.boxId === null
            ? 'Keep it as a note about your project'
            : 'Keep it as a note about this box'}
        </Button>
      )}
    </fieldset>
  );
}

function Labelled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className={styles['labelled']}>
      <span aria-hidden>{label}</span>
      {children}
    </div>
  );
}
