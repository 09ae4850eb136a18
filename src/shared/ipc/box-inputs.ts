import { z } from 'zod';
import { boxConnection } from '../boxes/box.ts';
import { planRef } from '../plan/plan-schema.ts';
import { MAX_EXPECTED_CHARS } from '../boxes/known-hosts/compare-expected.ts';
import { tags } from '../boxes/tags.ts';
import { demoFaults } from '../demo/faults.ts';
import type { IpcOutputs } from './contract.ts';
import { boxId } from './box-id.ts';

/** More would hold up everything else while they are written. */
const MAX_IMPORT = 200;
const configHost = z.string().min(1).max(255);
const configDigest = z.string().min(1).max(100);
const boxName = z.string().trim().min(1).max(80);

/** Boxes, where they come from, and the links to them. */
export const boxInputs = {
  /** Remembers a box. Nothing is sent to it. */
  'box:add': z.strictObject({
    name: boxName,
    connection: boxConnection,
  }),
  /** Changes where and how a box is reached; a link that is up is made anew. */
  'box:edit': z.strictObject({ boxId, connection: boxConnection }),
  /** Reads the SSH config of this machine. Nothing in it is run, and no box is touched. */
  'ssh-config:read': z.strictObject({}),
  /** Remembers these entries as boxes, as far as they still say what the person saw. */
  'ssh-config:import': z.strictObject({
    hosts: z
      .array(z.strictObject({ host: configHost, digest: configDigest }))
      .min(1)
      .max(MAX_IMPORT),
  }),
  /** A box from the SSH config takes over what its entry says now. */
  'ssh-config:apply': z.strictObject({ boxId, digest: configDigest }),
  /** The box stays as it is, and this content is not offered again. */
  'ssh-config:decline': z.strictObject({ boxId, digest: configDigest }),
  'box:rename': z.strictObject({ boxId, name: boxName }),
  /** The person's own words for it, instead of those it had. */
  'box:tag': z.strictObject({ boxId, tags }),
  /** Says whose machine it is; main takes the id of a profile and nothing else. */
  'box:set-platform': z.strictObject({ boxId, platform: z.string().min(1).max(100) }),
  /** Forgets the box in Leasehold. The machine itself is not touched and goes on billing. */
  'box:forget': z.strictObject({ boxId }),
  'link:connect': z.strictObject({ boxId }),
  'link:disconnect': z.strictObject({ boxId }),
  /**
   * The person compared this very fingerprint. Main stores it only if it is the one in question, and `expected` (what
   * they pasted to compare, or nothing) does not contradict it.
   */
  'link:trust-host-key': z.strictObject({
    boxId,
    fingerprint: z.string().max(100),
    expected: z.string().max(MAX_EXPECTED_CHARS),
  }),
  /**
   * "This is a new machine": gives the box a new identity. Main compares `phrase`, asks the server again, and replaces
   * the key only when the server proves that it owns this one.
   */
  'link:replace-host-key': z.strictObject({
    boxId,
    plan: planRef,
    phrase: z.string().max(MAX_EXPECTED_CHARS),
  }),
  /** Every host key the box was known by. */
  'box:identity': z.strictObject({ boxId }),
  /** Asks the box again what its SSH can do: one short command, one tunnel to nowhere, one hello to its file channel. */
  'box:check-ssh': z.strictObject({ boxId }),
  /** Read-only: what is mounted on the box, how full it is, and where the folders of its platform's tiers lie. */
  'box:mounts': z.strictObject({ boxId }),
  'demo:set-fault': z.strictObject({ fault: z.enum(demoFaults), isOn: z.boolean() }),
} satisfies Partial<Record<keyof IpcOutputs, z.ZodType>>;
