import type { ReactElement } from 'react';
import { classNames } from './class-names.ts';
import styles from './glyph.module.css';

/** How something stands. Each has a colour and a shape of its own; the word stands beside it. */
export type Tone = 'ok' | 'idle' | 'wait' | 'info' | 'warn' | 'danger' | 'off' | 'unknown';

const ring = { fill: 'none', stroke: 'currentColor', strokeWidth: 2 } as const;

const SHAPES: Readonly<Record<Tone, ReactElement>> = {
  ok: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  idle: (
    <>
      <circle cx="6" cy="6" r="4" {...ring} strokeWidth="1.6" />
      <path d="M6 2a4 4 0 0 0 0 8z" fill="currentColor" />
    </>
  ),
  wait: <circle cx="6" cy="6" r="4" {...ring} strokeDasharray="3.2 3.08" />,
  info: (
    <>
      <circle cx="6" cy="6" r="5" {...ring} strokeWidth="1.4" />
      <path d="M6 5.4v3.4M6 3.2v0.2" {...ring} strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
  warn: <path d="M6 0.8 11.6 10.8H0.4z" fill="currentColor" />,
  danger: <path d="M6 0 12 6 6 12 0 6z" fill="currentColor" />,
  off: <circle cx="6" cy="6" r="3.8" {...ring} />,
  unknown: <rect x="2" y="2" width="8" height="8" rx="1.5" {...ring} strokeDasharray="2 1.6" />,
};

/** Decoration beside a word that says the same, so it is hidden from screen readers. */
export function Glyph({ tone }: { readonly tone: Tone }) {
  return (
    <svg
      className={classNames(styles['glyph'], styles[tone])}
      viewBox="0 0 12 12"
      aria-hidden="true"
      data-tone={tone}
    >
      {SHAPES[tone]}
    </svg>
  );
}
