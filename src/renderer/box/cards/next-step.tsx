import styles from './cards.module.css';

/** In place of an answer that is not known: what the person can do so that it is. */
export function NextStep({ label, run }: { readonly label: string; readonly run: () => void }) {
  return (
    <button type="button" className={styles['next']} onClick={run}>
      {label}
    </button>
  );
}
