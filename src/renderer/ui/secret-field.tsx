import { Eye, EyeOff } from 'lucide-react';
import { useState, type ComponentProps } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

/** A field whose text is hidden until the person wants to see it. */
export function SecretField(field: Omit<ComponentProps<typeof Field>, 'type' | 'trailing'>) {
  const [isShown, setIsShown] = useState(false);
  const word = isShown ? 'Hide' : 'Show';
  return (
    <Field
      {...field}
      isMono={isShown}
      type={isShown ? 'text' : 'password'}
      trailing={
        <Button
          look="quiet"
          size="small"
          isIcon
          title={word}
          aria-label={`${word} what is typed for ${field.label}`}
          aria-pressed={isShown}
          // The mouse leaves the focus where the person types.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <EyeOff size={15} aria-hidden /> : <Eye size={15} aria-hidden />}
        </Button>
      }
    />
  );
}
