import { SquareTerminal } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { openShell } from '../terminal/open-shell.ts';
import styles from './alerts-tab.module.css';

interface CommandsProps {
  readonly boxId: string;
  readonly commands: readonly string[];
  readonly isUp: boolean;
}

/** Commands that only read. None is run from here: in a terminal it stands at the prompt until the person presses Enter. */
export function Commands({ boxId, commands, isUp }: CommandsProps) {
  return (
    <ul className={styles['commands']}>
      {commands.map((command) => (
        <li key={command}>
          <code className="mono selectable">{command}</code>
          <CopyButton text={command} label="Copy" />
          <Button
            size="small"
            disabled={!isUp}
            aria-label={`Run in terminal: ${command}`}
            title="Opens a shell on the box with this at its prompt. Enter runs it."
            onClick={() => void openShell(boxId, command)}
          >
            <SquareTerminal size={14} aria-hidden /> Run in terminal
          </Button>
        </li>
      ))}
    </ul>
  );
}
