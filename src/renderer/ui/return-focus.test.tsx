import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useReturnFocus } from './return-focus.ts';

afterEach(cleanup);

let close: (event: Event) => void;
function Closing() {
  const returnFocus = useReturnFocus();
  return (
    <button
      onClick={(event) => {
        close = returnFocus;
        event.currentTarget.blur();
      }}
    >
      choose
    </button>
  );
}

function open(): HTMLElement {
  render(
    <>
      <button>opener</button>
      <input aria-label="led to" />
    </>,
  );
  const opener = screen.getByRole('button', { name: 'opener' });
  opener.focus();
  render(<Closing />);
  const choose = screen.getByRole('button', { name: 'choose' });
  choose.focus();
  choose.click();
  return opener;
}

it('goes back to what opened the dialog', () => {
  const opener = open();
  close(new Event('close'));
  expect(document.activeElement).toBe(opener);
});

it('stays where the choice in the dialog has led', () => {
  open();
  const field = screen.getByLabelText('led to');
  field.focus();
  close(new Event('close'));
  expect(document.activeElement).toBe(field);
});
