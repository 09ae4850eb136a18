import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { copyText } from './copy-text.ts';

/** How long the button says that it worked. */
const SAID_MS = 2000;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (outcome === null) return undefined;
    const timer = setTimeout(() => setOutcome(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <Button size="small" onClick={() => setOutcome(copyText(text) ? 'copied' : 'refused')}>
      {outcome === 'copied' ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
      <span role="status">
        {outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Could not copy' : label}
      </span>
    </Button>
  );
}
