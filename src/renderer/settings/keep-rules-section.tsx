import { X } from 'lucide-react';
import { useId, useState, type FormEvent } from 'react';
import { ruleError } from '../../shared/transfer/rule-error.ts';
import {
  MAX_KEEP_RULES,
  saidKinds,
  type KeepRule,
  type OwnKeepRule,
} from '../../shared/transfer/keep-rules.ts';
import { USUAL_KEEP_RULES } from '../../shared/transfer/usual-keep-rules.ts';
import { settingsChanged } from '../state/actions.ts';
import { selectAllEntries, selectEntries, useFleet } from '../state/feeds.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { SettingsGroup } from './settings-group.tsx';
import styles from './settings-page.module.css';

const KIND_WORDS: Readonly<Record<KeepRule['keep'], string>> = {
  evidence: 'Evidence',
  checkpoint: 'Checkpoints',
  scratch: 'Scratch',
};
/** In the choice, for what counts on each box. */
const EVERY = '';

/** What results are for, where the request of their run does not say: the person's rules before the usual ones. */
export function KeepRulesSection({ own }: { readonly own: readonly OwnKeepRule[] }) {
  const put = (rules: readonly OwnKeepRule[]): void => settingsChanged({ keepRules: [...rules] });
  const known = useFleet(selectAllEntries);
  const entries = useFleet(selectEntries);
  const isLive = useFleet(({ kind }) => kind === 'live');
  const nameOf = (boxId: string | null): string | undefined => {
    if (boxId === null) return 'Every box';
    const name = known.find(({ box }) => box.id === boxId)?.box.name;
    return name ?? (isLive ? 'A box that was removed' : undefined);
  };
  return (
    <SettingsGroup title="Results">
      <p className={styles['hint']}>
        What a file is for decides what comes home by itself: of checkpoints the newest whole one,
        of scratch nothing. The request of a run counts first, then the rules of its box, then those
        of every box, from the top; then the usual ones. Changes apply from the next file listing.
      </p>
      {own.length === 0 && <p className={styles['hint']}>No rules of yours.</p>}
      {own.length > 0 && (
        <ul className={styles['rules']} aria-label="Your rules">
          {own.map((rule, no) => (
            <li key={`${rule.boxId ?? EVERY} ${rule.pattern}`}>
              <span className="mono selectable">{rule.pattern}</span>
              <span>{KIND_WORDS[rule.keep]}</span>
              <span className={styles['hint']}>{nameOf(rule.boxId)}</span>
              <Button
                look="quiet"
                aria-label={`Remove the rule ${rule.pattern}`}
                onClick={() => put(own.filter((_, other) => other !== no))}
              >
                <X size={14} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewRule
        own={own}
        boxes={entries.map(({ box }) => box)}
        onRule={(rule) => put([...own, rule])}
      />
      <details>
        <summary>The usual rules</summary>
        <ul className={styles['rules']} aria-label="The usual rules">
          {USUAL_KEEP_RULES.map(({ pattern, keep }) => (
            <li key={pattern}>
              <span className="mono selectable">{pattern}</span>
              <span>{KIND_WORDS[keep]}</span>
            </li>
          ))}
        </ul>
      </details>
    </SettingsGroup>
  );
}

interface NewRuleProps {
  readonly own: readonly OwnKeepRule[];
  readonly boxes: readonly { readonly id: string; readonly name: string }[];
  readonly onRule: (rule: OwnKeepRule) => void;
}

function NewRule({ own, boxes, onRule }: NewRuleProps) {
  const [text, setText] = useState('');
  const [keep, setKeep] = useState<KeepRule['keep']>('evidence');
  const [boxId, setBoxId] = useState(EVERY);
  const [keepId, boxesId] = [useId(), useId()];
  const pattern = text.trim();
  const of = boxId === EVERY ? null : boxId;
  const isThere = own.some((rule) => rule.pattern === pattern && rule.boxId === of);
  const error = pattern === '' ? null : isThere ? 'This rule already exists.' : ruleError(pattern);
  const isFull = own.length >= MAX_KEEP_RULES;

  function submitted(event: FormEvent): void {
    event.preventDefault();
    if (pattern === '' || error !== null || isFull) return;
    onRule({ pattern, keep, boxId: of });
    setText('');
  }

  return (
    <form className={styles['newRule']} onSubmit={submitted}>
      <Field
        isMono
        label="Files"
        placeholder="*.ckpt or samples/"
        maxLength={200}
        value={text}
        error={error}
        onValue={setText}
      />
      <div className={styles['choice']}>
        <label htmlFor={keepId}>are</label>
        <select
          id={keepId}
          className={styles['select']}
          value={keep}
          onChange={({ target }) =>
            setKeep(saidKinds.find((kind) => kind === target.value) ?? 'evidence')
          }
        >
          {saidKinds.map((kind) => (
            <option key={kind} value={kind}>
              {KIND_WORDS[kind]}
            </option>
          ))}
        </select>
      </div>
      <div className={styles['choice']}>
        <label htmlFor={boxesId}>on</label>
        <select
          id={boxesId}
          className={styles['select']}
          value={boxId}
          onChange={({ target }) => setBoxId(target.value)}
        >
          <option value={EVERY}>Every box</option>
          {boxes.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Button type="submit" disabled={pattern === '' || error !== null || isFull}>
        Add rule
      </Button>
    </form>
  );
}
