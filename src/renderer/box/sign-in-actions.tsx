import { Copy, KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { PublicKeyChoice } from '../../shared/login/public-key.ts';
import { call } from '../state/bridge.ts';
import { overlayOpened } from '../state/view.ts';
import { Button } from '../ui/button.tsx';
import { copyText } from '../ui/copy-text.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';

const NO_CHOICES: readonly PublicKeyChoice[] = [];

/** The two ways into a box that refused: another key here, or a key of this computer there. */
export function SignInActions({ boxId }: { readonly boxId: string }) {
  const [choices, setChoices] = useState(NO_CHOICES);
  useEffect(() => {
    let isCurrent = true;
    void call('key:choices', {}).then((answer) => {
      if (isCurrent && answer.ok) setChoices(answer.value);
    });
    return () => {
      isCurrent = false;
    };
  }, []);
  return (
    <>
      <Button onClick={() => overlayOpened({ kind: 'edit-connection', boxId })}>
        <KeyRound size={15} aria-hidden /> Choose another key…
      </Button>
      {choices.length > 0 && (
        <Menu
          trigger={
            <Button title="To add it on your provider’s page, or to ~/.ssh/authorized_keys on the box">
              <Copy size={15} aria-hidden /> Copy public key
            </Button>
          }
        >
          {choices.map(({ file, type, line }) => (
            <MenuItem key={file} hint={type} onSelect={() => copyText(line)}>
              {file}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  );
}
