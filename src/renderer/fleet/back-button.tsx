import { ArrowLeft } from 'lucide-react';
import { useEffect } from 'react';
import { backChosen, isOverlayOpen, selectCanGoBack, useView } from '../state/view.ts';
import { Button } from '../ui/button.tsx';

const IS_MAC = navigator.platform.startsWith('Mac');
const BACK_KEYS = IS_MAC ? '⌘[' : 'Alt+Left';

/** Where there is a page to go back to, by press, by key, and by the fourth button of a mouse. */
export function BackButton() {
  const canGoBack = useView(selectCanGoBack);
  useEffect(() => {
    window.addEventListener('keydown', goBackOnKeys);
    window.addEventListener('mouseup', goBackOnButton);
    return () => {
      window.removeEventListener('keydown', goBackOnKeys);
      window.removeEventListener('mouseup', goBackOnButton);
    };
  }, []);
  return (
    <Button
      look="quiet"
      size="small"
      isIcon
      aria-label="Previous page"
      title={`Back (${BACK_KEYS})`}
      disabled={!canGoBack}
      onClick={backChosen}
    >
      <ArrowLeft size={15} aria-hidden />
    </Button>
  );
}

/** Where text is typed, a terminal among that, the keys belong to the text. */
function goBackOnKeys(event: KeyboardEvent): void {
  const { key, altKey, metaKey, ctrlKey, shiftKey, target } = event;
  if (ctrlKey || shiftKey) return;
  const isAsked = IS_MAC
    ? metaKey && !altKey && key === '['
    : altKey && !metaKey && key === 'ArrowLeft';
  const isTyping = target instanceof Element && target.closest('input, textarea, select') !== null;
  if (!isAsked || isTyping || isOverlayOpen()) return;
  event.preventDefault();
  backChosen();
}

function goBackOnButton({ button }: MouseEvent): void {
  if (button === 3 && !isOverlayOpen()) backChosen();
}
