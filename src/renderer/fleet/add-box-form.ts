import { DIRECT, USUAL_LOGIN, USUAL_OPTIONS } from '../../shared/boxes/usual-way.ts';
import {
  judgeHost,
  judgeIdentityFile,
  judgePort,
  judgeUser,
  parsePort,
} from '../../shared/boxes/ssh-address.ts';
import { suggestBoxName, type SshCommand, type SshField } from '../../shared/boxes/ssh-command.ts';

/** What stands in the fields of the Add-box dialog. */
export type AddBoxValues = Readonly<Record<SshField | 'name', string>>;
export type AddBoxErrors = Readonly<Partial<Record<keyof AddBoxValues, string>>>;

export const EMPTY_FORM: AddBoxValues = {
  host: '',
  port: '22',
  user: '',
  identityFile: '',
  name: '',
};

const MAX_NAME = 80;

/** A pasted command fills every field anew, so that nothing of an earlier paste is left between the new values. */
export function fillFromCommand(command: SshCommand, old: AddBoxValues): AddBoxValues {
  const badPort = command.problems.find(({ field }) => field === 'port')?.value;
  return {
    host: command.host ?? '',
    port: badPort ?? String(command.port ?? EMPTY_FORM.port),
    user: command.user ?? '',
    identityFile: command.identityFile ?? '',
    name: old.name,
  };
}

/** The name that is used when the field is left empty. */
export function defaultName({ host, port }: AddBoxValues): string {
  return host === '' ? '' : suggestBoxName(host.trim(), parsePort(port.trim()) ?? 22);
}

export function judgeForm(values: AddBoxValues): AddBoxErrors {
  const { host, port, user, identityFile, name } = trimmed(values);
  const found = {
    host: judgeHost(host),
    port: judgePort(port),
    user: judgeUser(user),
    identityFile: identityFile === '' ? null : judgeIdentityFile(identityFile),
    name: name.length > MAX_NAME ? `A name has at most ${MAX_NAME} characters.` : null,
  };
  return Object.fromEntries(Object.entries(found).filter(([, message]) => message !== null));
}

/** What `box:add` takes; only for values without errors. */
export function toBoxInput(values: AddBoxValues) {
  const { host, port, user, identityFile, name } = trimmed(values);
  return {
    name: (name === '' ? defaultName(values) : name).slice(0, MAX_NAME),
    connection: {
      address: { host, port: parsePort(port) ?? 22, user },
      route: DIRECT,
      login: { ...USUAL_LOGIN, identityFiles: identityFile === '' ? [] : [identityFile] },
      options: USUAL_OPTIONS,
    },
  };
}

function trimmed(values: AddBoxValues): AddBoxValues {
  return {
    host: values.host.trim(),
    port: values.port.trim(),
    user: values.user.trim(),
    identityFile: values.identityFile.trim(),
    name: values.name.trim(),
  };
}
