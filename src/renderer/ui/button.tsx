import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './button.module.css';

export interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
  readonly size?: 'medium' | 'small';
  /** Only an icon inside: give it an `aria-label`. */
  readonly isIcon?: boolean;
  /** It begins something, so that a double click on it is one: what is primary or dangerous, unless it says otherwise. */
  readonly isOnce?: boolean;
}

export function Button({
  look = 'plain',
  size = 'medium',
  isIcon = false,
  isOnce = look === 'primary' || look === 'danger',
  className,
  type = 'button',
  ...rest
}: ButtonProps) {
  const names = classNames(
    styles['button'],
    look !== 'plain' && styles[look],
    size === 'small' && styles['small'],
    isIcon && styles['icon'],
    className,
  );
  return <button type={type} className={names} data-once={isOnce ? '' : undefined} {...rest} />;
}
