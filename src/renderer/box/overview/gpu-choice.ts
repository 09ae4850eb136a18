import { create } from 'zustand';

/** What the charts of a box show: all GPUs over each other, one of them by its index, or the heat strip. */
export type GpuChoice = 'all' | 'heat' | number;

/** By box id. A box that is not in it shows what suits the number of its GPUs. */
export const useGpuChoices = create<Readonly<Record<string, GpuChoice>>>(() => ({}));

/** What the person chose for this box; null: nothing yet. It outlives the panel, so a change of tab forgets nothing. */
export function useGpuChoice(boxId: string): GpuChoice | null {
  return useGpuChoices((choices) => choices[boxId] ?? null);
}

/** The index of the one GPU that the Overview tab is about; null: all of them. */
export function useChosenGpu(boxId: string): number | null {
  const choice = useGpuChoice(boxId);
  return typeof choice === 'number' ? choice : null;
}

export function gpuChosen(boxId: string, choice: GpuChoice): void {
  useGpuChoices.setState({ [boxId]: choice });
}
