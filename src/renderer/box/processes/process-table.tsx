import { Copy, Ellipsis } from 'lucide-react';
import { showHidden } from '../../../shared/terminal/visible-text.ts';
import type { GpuProcess } from '../../../shared/telemetry/gpu-facts.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { copyText } from '../../ui/copy-text.ts';
import { Figure } from '../../ui/figure.tsx';
import { formatQuantity } from '../../ui/format.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { ageWords, commandOf, isVisible, killCommand, rowText } from './process-words.ts';
import styles from './processes.module.css';

export interface ProcessRow {
  /** Null: on a card that the last look did not list. */
  readonly index: number | null;
  readonly process: GpuProcess;
}

interface ProcessTableProps {
  readonly rows: readonly ProcessRow[];
  readonly isOfOneGpu: boolean;
}

export function ProcessTable({ rows, isOfOneGpu }: ProcessTableProps) {
  const number = styles['number'];
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          {!isOfOneGpu && <th scope="col">GPU</th>}
          <th scope="col" className={number} title="Process number on the box">
            PID
          </th>
          <th scope="col">User</th>
          <th scope="col" className={number}>
            VRAM
          </th>
          <th scope="col" className={number}>
            Age
          </th>
          <th scope="col">Command</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ index, process }) => (
          <Row
            key={`${process.gpu} ${process.pid}`}
            index={index}
            process={process}
            isOfOneGpu={isOfOneGpu}
          />
        ))}
      </tbody>
    </table>
  );
}

function Row({ index, process, isOfOneGpu }: ProcessRow & { readonly isOfOneGpu: boolean }) {
  const { pid, user, memoryMiB, ageS } = process;
  const command = commandOf(process);
  const number = styles['number'];
  return (
    <tr>
      {!isOfOneGpu && <td>{index ?? 'unknown'}</td>}
      <th scope="row" className={classNames(number, 'mono')}>
        {pid}
      </th>
      <td>
        <Figure text={user === null ? null : showHidden(user)} />
      </td>
      <td className={number}>
        <Figure text={formatQuantity(memoryMiB === null ? null : memoryMiB / 1024, 'GiB', 1)} />
      </td>
      <td className={number}>
        <Figure text={ageWords(ageS)} />
      </td>
      <td className={styles['command']}>
        <span className="mono selectable" title={command}>
          {command}
        </span>
        {!isVisible(process) && (
          <small title="The process table of this box does not show it: it runs in another container, or nvidia-smi tells the host's number.">
            outside this container (host PID)
          </small>
        )}
      </td>
      <td className={styles['actions']}>
        <Menu
          trigger={
            <Button look="quiet" size="small" isIcon aria-label={`Actions for process ${pid}`}>
              <Ellipsis size={16} aria-hidden />
            </Button>
          }
        >
          <MenuItem
            icon={<Copy size={15} />}
            isDisabled={!isVisible(process)}
            {...(isVisible(process) ? {} : { hint: 'outside this container' })}
            onSelect={() => copyText(killCommand(process))}
          >
            Copy kill command
          </MenuItem>
          <MenuItem icon={<Copy size={15} />} onSelect={() => copyText(command)}>
            Copy command line
          </MenuItem>
          <MenuItem icon={<Copy size={15} />} onSelect={() => copyText(rowText(index, process))}>
            Copy row
          </MenuItem>
        </Menu>
      </td>
    </tr>
  );
}
