import { expect, it } from 'vitest';
import { pickKnownNames } from './debian-packages.mjs';

const GTK = ['libgtk-3-0', 'libgtk-3-0t64'];
const NSS = ['libnss3'];

// As `apt-cache policy` of Debian 12 prints it; it leaves out names that it has never heard of.
const BEFORE_T64 = `libgtk-3-0:
  Installed: (none)
  Candidate: 3.24.38-2~deb12u3
  Version table:
     3.24.38-2~deb12u3 500
libnss3:
  Installed: 2:3.87.1-1+deb12u1
  Candidate: 2:3.87.1-1+deb12u1
  Version table:
`;
// The same form where the old name is only one that another package stands for.
const SINCE_T64 = `libgtk-3-0:
  Installed: (none)
  Candidate: (none)
  Version table:
libgtk-3-0t64:
  Installed: (none)
  Candidate: 3.24.49-3
  Version table:
     3.24.49-3 500
`;

it('takes the name that this release knows', () => {
  expect(pickKnownNames([GTK, NSS], BEFORE_T64)).toEqual(['libgtk-3-0', 'libnss3']);
  expect(pickKnownNames([GTK], SINCE_T64)).toEqual(['libgtk-3-0t64']);
});

it('lets apt say what is wrong with a name that nobody knows', () => {
  expect(pickKnownNames([NSS], '')).toEqual(['libnss3']);
});
