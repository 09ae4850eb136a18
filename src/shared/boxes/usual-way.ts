import type { BoxOptions } from './box-options.ts';
import type { Login } from './login.ts';
import type { Route } from './route.ts';

// Apart from the schemas, so that the window does not load the schema library for three constants.

export const DIRECT: Route = { kind: 'direct' };

export const USUAL_LOGIN: Login = {
  identityFiles: [],
  certificateFiles: [],
  isOnlyIdentities: false,
  forwardAgent: false,
};

export const USUAL_OPTIONS: BoxOptions = {
  hostKeyAlias: null,
  knownHostsFiles: [],
  keepaliveEveryS: null,
  configHost: null,
  configDigest: null,
};

/** What an address alone says: straight there, with the agent and the usual keys. */
export const USUAL_WAY = { route: DIRECT, login: USUAL_LOGIN, options: USUAL_OPTIONS };
