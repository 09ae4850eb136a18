/**
 * What a person's own Python says of a file of torch. It is a knowledge of its own, beside how far the file is proven: no file is loaded, or
 * damaged, because of it.
 */
export type PythonAnswer =
  | {
      readonly kind: 'loads';
      readonly torch: string;
      readonly tensors: number;
      /** Whether the system itself let it have no network and write nothing. */
      readonly isAlone: boolean;
    }
  | {
      readonly kind: 'refused' | 'failed';
      readonly torch: string;
      readonly says: string;
      readonly isAlone: boolean;
    }
  | { readonly kind: 'no-torch'; readonly says: string; readonly isAlone: boolean }
  /** It ended or was ended without one. */
  | { readonly kind: 'no-answer'; readonly says: string };

/** In a clause, with what said it. */
export function pythonWords(answer: PythonAnswer): string {
  switch (answer.kind) {
    case 'loads':
      return `torch ${answer.torch} loads it, ${String(answer.tensors)} tensors`;
    case 'refused':
      return `torch ${answer.torch} does not load it with weights_only: ${answer.says}`;
    case 'failed':
      return `torch ${answer.torch} cannot load it: ${answer.says}`;
    case 'no-torch':
      return `it has no torch: ${answer.says}`;
    case 'no-answer':
      return answer.says;
  }
}

/** Null: each was closed in by the system, as far as it answered. */
export const opennessWords = (answers: readonly PythonAnswer[]): string | null =>
  answers.some((answer) => 'isAlone' in answer && !answer.isAlone)
    ? 'Python itself was told to refuse network and writing; this machine does not allow a closed process, so nothing else held it back.'
    : null;
