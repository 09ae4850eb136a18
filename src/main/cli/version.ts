import pkg from '../../../package.json' with { type: 'json' };
import type { Command } from './command.ts';

export const version: Command = {
  name: 'version',
  summary: 'prints the versions of Leasehold and of the runtime it runs on',
  operands: [],
  flags: {},
  details: [],
  async run({ isJson }, { out, platform }) {
    const runtime: Readonly<Record<string, string | undefined>> = process.versions;
    const versions = {
      version: pkg.version,
      node: process.versions.node,
      electron: runtime['electron'] ?? null,
      platform: `${platform} ${process.arch}`,
    };
    if (isJson) await out.json(versions);
    else
      await out.line(`Leasehold ${versions.version} (Node ${versions.node}, ${versions.platform})`);
    return 0;
  },
};
