import { requestJsonSchema } from '../../../shared/runs/request/request-file-schema.ts';
import { child, isFields, type Path } from '../../../shared/yaml/path.ts';

/** Which fields a request file may have at this place. */
export function fieldsAt(path: Path): readonly string[] {
  const schema = path.reduce<unknown>(
    (within, part) =>
      typeof part === 'number' ? child(within, 'items') : child(child(within, 'properties'), part),
    requestJsonSchema(),
  );
  const fields = child(schema, 'properties');
  return isFields(fields) ? Object.keys(fields).filter((name) => name !== '$schema') : [];
}
