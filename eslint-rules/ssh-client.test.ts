import { RuleTester } from 'eslint';
import { parser } from 'typescript-eslint';
import { describe, it } from 'vitest';
import { sshClient } from './ssh-client.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const unverified = [{ messageId: 'unverified' }];

new RuleTester({ languageOptions: { parser } }).run('ssh-client', sshClient, {
  valid: [
    `import type { Client } from 'ssh2'; function f(client: Client) { client.end(); }`,
    `import { Server } from 'ssh2'; new Server({ hostKeys });`,
    `import ssh2 from 'ssh2'; new ssh2.Server({ hostKeys });`,
    `import { Client } from './other.ts'; new Client();`,
    `const { NodeSSH } = await import('node-ssh'); new NodeSSH().connection = client;`,
    `import { VerifiedClient } from './verified-client.ts'; new VerifiedClient(check);`,
  ],
  invalid: [
    { code: `import { Client } from 'ssh2'; new Client();`, errors: unverified },
    { code: `import { Client as Ssh } from 'ssh2'; new Ssh();`, errors: unverified },
    { code: `import ssh2 from 'ssh2'; new ssh2.Client();`, errors: unverified },
    { code: `import * as all from 'ssh2'; new all['Client']();`, errors: unverified },
    { code: `import ssh2 from 'ssh2'; const { Client: C } = ssh2;`, errors: unverified },
    { code: `import { Client } from 'ssh2'; class Mine extends Client {}`, errors: unverified },
    { code: `import { Client } from 'ssh2'; f(class extends Client {});`, errors: unverified },
    {
      code: `import { NodeSSH } from 'node-ssh'; new NodeSSH().connect(config);`,
      errors: [{ messageId: 'ownConnect' }],
    },
    {
      code: `const { NodeSSH } = await import('node-ssh'); ssh['connect'](config);`,
      errors: [{ messageId: 'ownConnect' }],
    },
    { code: `const { Client } = await import('ssh2');`, errors: unverified },
  ],
});
