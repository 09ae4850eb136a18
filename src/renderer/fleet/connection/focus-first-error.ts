/** Call after a refused submit: the fields are marked by then, and a fold that hides the wrong one opens. */
export function focusFirstError(form: HTMLFormElement): void {
  setTimeout(() => {
    const field = form.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  });
}
