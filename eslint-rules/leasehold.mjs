import { gatePass } from './gate-pass.mjs';
import { importDirection } from './import-direction.mjs';
import { linearRegexp } from './linear-regexp.mjs';
import { noRawColour } from './no-raw-colour.mjs';
import { rawIpc } from './raw-ipc.mjs';
import { sshClient } from './ssh-client.mjs';

// A plugin's shape: tools load it by its default export.
export default {
  meta: { name: 'leasehold' },
  rules: {
    'gate-pass': gatePass,
    'import-direction': importDirection,
    'linear-regexp': linearRegexp,
    'no-raw-colour': noRawColour,
    'raw-ipc': rawIpc,
    'ssh-client': sshClient,
  },
};
