import type { LeaseholdBridge } from '../shared/ipc/contract.ts';

declare global {
  interface Window {
    /** Put there by preload; the only way from the window to main. */
    readonly leasehold: LeaseholdBridge;
  }
}
