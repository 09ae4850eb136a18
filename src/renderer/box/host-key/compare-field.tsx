import type { ReactNode } from 'react';
import {
  MAX_EXPECTED_CHARS,
  type Comparison,
} from '../../../shared/boxes/known-hosts/compare-expected.ts';
import { Field } from '../../ui/field.tsx';
import { Glyph, type Tone } from '../../ui/glyph.tsx';
import styles from './host-key.module.css';

interface CompareFieldProps {
  readonly value: string;
  readonly compared: Comparison;
  readonly onValue: (value: string) => void;
}

const WORDS: Readonly<Record<Comparison, readonly [Tone, ReactNode] | null>> = {
  empty: null,
  same: ['ok', 'The same key. This is the machine that you have the fingerprint of.'],
  'same-md5': [
    'warn',
    'The same MD5 fingerprint. MD5 is weak: someone with enough means can forge it. Compare SHA-256 where you can.',
  ],
  different: [
    'danger',
    'Not the same key. Another machine answers here, or you pasted the fingerprint of another key. Do not connect.',
  ],
  unreadable: [
    'unknown',
    'That is no whole fingerprint. Paste SHA256:… or MD5:…, a public key, or a known_hosts line.',
  ],
};

/** Compares letter by letter what eyes compare only at the ends. */
export function CompareField({ value, compared, onValue }: CompareFieldProps) {
  const verdict = WORDS[compared];
  return (
    <div className={styles['compare']}>
      <Field
        label="Paste the expected fingerprint, and Leasehold compares it"
        hint="SHA256:… or MD5:…, a line of ssh-keygen -l, a public key or a known_hosts line."
        placeholder="SHA256:"
        value={value}
        isMono
        maxLength={MAX_EXPECTED_CHARS}
        onValue={onValue}
      />
      <p className={styles['verdict']} role="status">
        {verdict !== null && (
          <>
            <Glyph tone={verdict[0]} />
            <span>{verdict[1]}</span>
          </>
        )}
      </p>
    </div>
  );
}
