import { Dialog } from '../../ui/dialog.tsx';
import { IS_MAC, listShortcuts } from './shortcuts.ts';
import styles from './terminal.module.css';

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      title="Keys in a terminal"
      description="Every other key goes to the box, Ctrl+C, Ctrl+K and Ctrl+W included."
      onClose={onClose}
    >
      <table className={styles['keys']}>
        <tbody>
          {listShortcuts(IS_MAC).map(({ keys, what }) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{what}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
