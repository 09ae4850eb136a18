import { memo } from 'react';
import { Segmented } from '../../ui/segmented.tsx';
import { gpuChosen, type GpuChoice } from './gpu-choice.ts';
import styles from './overview.module.css';

/** More buttons would not fit beside the time ranges. */
const MAX_BUTTONS = 8;
/** More lines over each other cannot be told apart. */
const MAX_LINES = 8;

/** What is shown: what was chosen, as long as it is there, and otherwise what suits the number of GPUs. */
export function shownChoice(wanted: GpuChoice | null, indexes: readonly number[]): GpuChoice {
  const [only, second] = indexes;
  if (only !== undefined && second === undefined) return wanted === 'heat' ? 'heat' : only;
  if (wanted === 'all' || wanted === 'heat') return wanted;
  if (wanted !== null && indexes.includes(wanted)) return wanted;
  return indexes.length > MAX_LINES ? 'heat' : 'all';
}

interface GpuPickerProps {
  readonly boxId: string;
  readonly choice: GpuChoice;
  readonly indexes: readonly number[];
}

export const GpuPicker = memo(function GpuPicker({ boxId, choice, indexes }: GpuPickerProps) {
  if (indexes.length < 2) return null;
  const choose = (next: GpuChoice): void => gpuChosen(boxId, next);
  const isLong = indexes.length <= 4;
  const listed = indexes.length <= MAX_BUTTONS ? indexes : [];
  const options: { readonly value: GpuChoice; readonly label: string; readonly name?: string }[] = [
    { value: 'all', label: 'All GPUs' },
    ...listed.map((index) => ({
      value: index,
      label: isLong ? `GPU ${String(index)}` : String(index),
      name: `GPU ${String(index)}`,
    })),
    { value: 'heat', label: 'Heat strip' },
  ];
  return (
    <>
      <Segmented label="GPU" options={options} value={choice} onChange={choose} />
      {listed.length === 0 && (
        <select
          className={styles['select']}
          aria-label="One GPU"
          value={typeof choice === 'number' ? choice : ''}
          onChange={(event) => choose(Number(event.target.value))}
        >
          <option value="" disabled hidden>
            One GPU…
          </option>
          {indexes.map((index) => (
            <option key={index} value={index}>
              GPU {index}
            </option>
          ))}
        </select>
      )}
    </>
  );
});
