import { useId, type ReactNode } from 'react';
import styles from './settings-page.module.css';

export function SettingsGroup({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ReactNode;
}) {
  const titleId = useId();
  return (
    <section className={styles['section']} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </section>
  );
}

interface SettingLineProps {
  readonly label: string;
  readonly labelFor?: string;
  readonly hint?: ReactNode;
  readonly children?: ReactNode;
}

export function SettingLine({ label, labelFor, hint, children }: SettingLineProps) {
  return (
    <div className={styles['line']}>
      <div>
        {labelFor === undefined ? <p>{label}</p> : <label htmlFor={labelFor}>{label}</label>}
        {hint !== undefined && <p className={styles['hint']}>{hint}</p>}
      </div>
      <div className={styles['control']}>{children}</div>
    </div>
  );
}
