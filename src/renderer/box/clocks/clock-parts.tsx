import type { Clock } from '../../../shared/clocks/clock.ts';

/** Which data is gone then. */
export function LostData({ clock: { loses } }: { readonly clock: Clock }) {
  if (loses.length === 0) return null;
  return (
    <>
      At risk:{' '}
      {loses.map(({ name, path }, i) => (
        <span key={name}>
          {i > 0 && ', '}
          <strong>{name}</strong>
          {path !== null && <span className="mono"> {path}</span>}
        </span>
      ))}
      .
    </>
  );
}
