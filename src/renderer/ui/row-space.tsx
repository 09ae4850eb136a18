/** Where rows of a table are that nobody sees. */
export function RowSpace({ heightPx }: { readonly heightPx: number }) {
  if (heightPx === 0) return null;
  return (
    <tr aria-hidden="true">
      <td style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  );
}
