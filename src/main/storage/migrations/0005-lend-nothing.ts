import type { Migration } from '../migrations.ts';

/**
 * SECURITY: until now `forwardAgent` only noted what an SSH config or a pasted command said, and nothing came of it. From
 * now on it lends the person's agent, which is theirs to say for each box, after a warning.
 */
export const lendNothingMigration: Migration = {
  version: 5,
  sql: `UPDATE boxes SET login = json_set(login, '$.forwardAgent', json('false')) WHERE json_valid(login)`,
};
