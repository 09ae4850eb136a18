import { useState, type DragEvent } from 'react';
import { joinPath } from '../../../shared/files/box-path.ts';

interface Drop {
  /** Into which folder what is held over the list would go; null: nothing is. */
  readonly into: string | null;
  readonly handlers: {
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

/** Files of the desktop over a list: on the row of a folder they go into that, anywhere else into the folder that is shown. */
export function useDrop(folder: string, onDrop: ((into: string) => void) | null): Drop {
  const [into, setInto] = useState<string | null>(null);
  const isOurs = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files');
  return {
    into,
    handlers: {
      onDragOver: (event) => {
        if (!isOurs(event)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = onDrop === null ? 'none' : 'copy';
        setInto(onDrop === null ? null : folderAt(event, folder));
      },
      onDragLeave: ({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)))
          setInto(null);
      },
      onDrop: (event) => {
        if (!isOurs(event)) return;
        event.preventDefault();
        setInto(null);
        onDrop?.(folderAt(event, folder));
      },
    },
  };
}

function folderAt({ target }: DragEvent, folder: string): string {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-folder]') : null;
  const name = row?.dataset['folder'];
  return name === undefined ? folder : joinPath(folder, name);
}
