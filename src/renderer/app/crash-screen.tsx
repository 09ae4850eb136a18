import { logRequested } from '../state/actions.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import type { CrashDetails } from './crash-reports.ts';
import styles from './crash-screen.module.css';

/** Stands in for the whole window when it could not be drawn. */
export function CrashScreen({ message, stack }: CrashDetails) {
  const details = stack.includes(message) ? stack : `${message}\n${stack}`.trim();
  return (
    <main className={styles['screen']}>
      <h1 className={styles['title']}>This window stopped working</h1>
      <p className={styles['text']}>
        The fault is in Leasehold’s window, not on a box: connections stay up, and whatever runs on
        your boxes goes on. Reloading shows everything again. The fault is written to the log.
      </p>
      <div className={styles['actions']}>
        <Button look="primary" autoFocus onClick={() => window.location.reload()}>
          Reload
        </Button>
        <Button onClick={logRequested}>Show log</Button>
        <CopyButton text={details} label="Copy details" />
      </div>
      <textarea className={styles['details']} readOnly aria-label="Details" value={details} />
    </main>
  );
}
