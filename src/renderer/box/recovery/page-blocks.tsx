import { Fragment } from 'react';
import type { Block, Inline } from '../../../shared/recovery/page.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './page-blocks.module.css';

/** The handbook to be read; each command can be copied by itself. */
export function PageBlocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return (
    <div className={styles['blocks']}>
      {blocks.map((block, index) => (
        <OneBlock key={index} block={block} />
      ))}
    </div>
  );
}

function OneBlock({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading':
      return <Heading level={block.level} text={block.text} />;
    case 'text':
      return (
        <p>
          <Parts parts={block.text} />
        </p>
      );
    case 'list':
      return (
        <ul>
          {block.items.map((item, index) => (
            <li key={index}>
              <Parts parts={item} />
            </li>
          ))}
        </ul>
      );
    case 'code':
      return (
        <div className={styles['code']}>
          <pre className="mono selectable" aria-label={block.what} tabIndex={0}>
            {block.text}
          </pre>
          <CopyButton text={block.text} label="Copy" />
        </div>
      );
    case 'table':
      return (
        <table>
          <thead>
            <tr>
              {block.head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {block.rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={at} className={isFigure(cell) ? styles['figure'] : undefined}>
                    <Parts parts={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
  }
}

/** A figure that breaks over two lines is read as another one. */
const isFigure = (cell: readonly Inline[]): boolean =>
  cell.every((part) => typeof part === 'string' && /^[\d.,]+$/.test(part));

/** The dialog's own title is the second level. */
function Heading({ level, text }: { readonly level: 1 | 2 | 3; readonly text: string }) {
  if (level === 1) return <h3 className={styles['title']}>{text}</h3>;
  return level === 2 ? <h4>{text}</h4> : <h5>{text}</h5>;
}

function Parts({ parts }: { readonly parts: readonly Inline[] }) {
  return parts.map((part, index) =>
    typeof part === 'string' ? (
      <Fragment key={index}>{part}</Fragment>
    ) : (
      <code key={index} className="selectable">
        {part.code}
      </code>
    ),
  );
}
