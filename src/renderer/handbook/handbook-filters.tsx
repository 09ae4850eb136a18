import { severities, type Severity } from '../../shared/detectors/finding.ts';
import {
  gotchaRoles,
  gotchaScopes,
  type GotchaRole,
  type GotchaScope,
} from '../../shared/gotchas/gotcha.ts';
import { SEVERITY_TONES, SEVERITY_WORDS } from '../fleet/finding-words.ts';
import { Glyph } from '../ui/glyph.tsx';
import { ROLE_WORDS, SCOPE_WORDS } from './gotcha-words.ts';
import styles from './handbook-filters.module.css';
import { filterChanged, useHandbookView } from './handbook-view.ts';

/** Each of them narrows what is listed and what is found. */
export function HandbookFilters({ hasOwn }: { readonly hasOwn: boolean }) {
  const { severity, role, scope, isHandled, isOwn } = useHandbookView((view) => view.filter);
  return (
    <div className={styles['filters']} role="group" aria-label="Filters">
      <div className={styles['chips']}>
        {severities.map((each) => (
          <button
            key={each}
            type="button"
            className={styles['chip']}
            aria-pressed={severity === each}
            onClick={() => filterChanged({ severity: severity === each ? null : each })}
          >
            <Glyph tone={SEVERITY_TONES[each]} /> {SEVERITY_WORDS[each satisfies Severity]}
          </button>
        ))}
        <button
          type="button"
          className={styles['chip']}
          aria-pressed={isHandled}
          title="Leasehold notices it, prevents it or counts it down today"
          onClick={() => filterChanged({ isHandled: !isHandled })}
        >
          Handled by Leasehold
        </button>
        {(hasOwn || isOwn) && (
          <button
            type="button"
            className={styles['chip']}
            aria-pressed={isOwn}
            title="Entries that you wrote"
            onClick={() => filterChanged({ isOwn: !isOwn })}
          >
            Yours
          </button>
        )}
      </div>
      <div className={styles['selects']}>
        <Choice<GotchaScope>
          label="Where"
          all="Everywhere"
          options={gotchaScopes}
          words={SCOPE_WORDS}
          value={scope}
          onChange={(next) => filterChanged({ scope: next })}
        />
        <Choice<GotchaRole>
          label="What for"
          all="All kinds"
          options={gotchaRoles}
          words={ROLE_WORDS}
          value={role}
          onChange={(next) => filterChanged({ role: next })}
        />
      </div>
    </div>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  /** The option that leaves everything in; without it, one must be chosen. */
  readonly all?: string;
  readonly options: readonly T[];
  readonly words: Readonly<Record<T, string>>;
  readonly value: T | null;
  readonly onChange: (value: T | null) => void;
}

/** One of many. */
export function Choice<T extends string>({
  label,
  all,
  options,
  words,
  value,
  onChange,
}: ChoiceProps<T>) {
  return (
    <select
      className={styles['select']}
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onChange(options.find((each) => each === event.target.value) ?? null)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {options.map((each) => (
        <option key={each} value={each}>
          {words[each]}
        </option>
      ))}
    </select>
  );
}
