import type { RequestTexts } from '../../../../shared/runs/launch/request-form.ts';
import { Field } from '../../../ui/field.tsx';
import { TextArea } from '../../../ui/text-area.tsx';

interface CopyFieldsProps {
  /** Each cell copies its own folder, and is done by itself. */
  readonly areOfCells: boolean;
  readonly field: (name: keyof RequestTexts) => {
    readonly value: string;
    readonly error: string | null;
    readonly onValue: (value: string) => void;
    readonly onBlur?: () => void;
  };
}

/** Where results are copied to before a run, or each cell of one, is done. */
export function CopyFields({ areOfCells, field }: CopyFieldsProps) {
  const where =
    'Optional. A folder on the box that survives it, or the word durable: the storage of the platform that does.';
  return (
    <>
      <Field
        label="Copy results to"
        hint={`${where} ${areOfCells ? 'Each cell gets a folder of its own there, and is' : 'The run is'} done only once the copy was read back.`}
        placeholder="durable"
        isMono
        {...field('copyTo')}
      />
      <TextArea
        label="Then remove from the results"
        hint="Optional. One pattern per line, from the results folder. Only what is in the copy is removed."
        placeholder="checkpoints/*"
        isMono
        spellCheck={false}
        {...field('prune')}
      />
    </>
  );
}
