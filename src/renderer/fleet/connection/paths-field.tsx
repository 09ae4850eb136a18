import { Plus } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { ConnectionForm } from './use-connection-form.ts';
import styles from './connection.module.css';

interface PathsFieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly name: 'identityFiles' | 'certificateFiles' | 'knownHostsFiles';
  readonly form: ConnectionForm;
}

/** One line for each file, and one more on request; an empty line is no file. */
export function PathsField({ label, hint, name, form }: PathsFieldProps) {
  const paths = form.values[name].length === 0 ? [''] : form.values[name];
  return (
    <div className={styles['list']}>
      {paths.map((path, index) => (
        <Field
          key={index}
          label={index === 0 ? label : `${label} ${index + 1}`}
          isMono
          value={path}
          error={form.shownError(`${name}.${index}`)}
          {...(index === paths.length - 1 && hint !== undefined && { hint })}
          onValue={(value) =>
            form.change({ [name]: paths.map((each, i) => (i === index ? value : each)) })
          }
          onBlur={() => {
            if (path !== '') form.touch([`${name}.${index}`]);
          }}
        />
      ))}
      {paths.at(-1) !== '' && (
        <Button
          look="quiet"
          size="small"
          aria-label={`Add another: ${label}`}
          onClick={() => form.change({ [name]: [...paths, ''] })}
        >
          <Plus size={13} aria-hidden /> Another
        </Button>
      )}
    </div>
  );
}
