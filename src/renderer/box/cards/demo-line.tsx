import { FaultsMenu } from '../faults-menu.tsx';
import styles from './cards.module.css';

/** What the demo box is for, and that it costs nothing: its fault menu is what shows how Leasehold notices. */
export function DemoLine() {
  return (
    <p className={styles['missing']}>
      <span>Simulated on this computer. It counts in none of your sums.</span>
      <FaultsMenu
        trigger={
          <button type="button" className={styles['link']}>
            Break something →
          </button>
        }
      />
    </p>
  );
}
