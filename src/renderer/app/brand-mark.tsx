/** The mark of resources/icon/app.svg; index.html draws the same one before the script runs. */
export function BrandMark({ size = 18 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true">
      <rect className="mark-ground" width="64" height="64" rx="16" />
      <path className="mark-ring" d="M51 32A19 19 0 1 1 32 13" />
      <path className="mark-hands" d="M32 22.5V32.5H42" />
    </svg>
  );
}
