import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './runs.module.css';

export function Fact({
  name,
  isPath = false,
  children,
}: {
  readonly name: string;
  readonly isPath?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={classNames(isPath && styles['path'])}>
      <dt>{name}</dt>
      <dd className="selectable">{children}</dd>
    </div>
  );
}
