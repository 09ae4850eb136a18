const ADDRESS = /^([0-9a-f]{4,8}):([0-9a-f]{2}):([0-9a-f]{2})(?:\.[0-7])?$/i;

/**
 * The kernel log writes `0000:3b:00`, nvidia-smi `00000000:3B:00.0`, lspci `0000:3b:00.0`: one card. Domain, bus and device
 * in lower case, the domain with at least four digits; null: no PCI address.
 */
export function normalPciAddress(text: string): string | null {
  const [, domain, bus, device] = ADDRESS.exec(text.trim()) ?? [];
  if (domain === undefined || bus === undefined || device === undefined) return null;
  return `${parseInt(domain, 16).toString(16).padStart(4, '0')}:${bus}:${device}`.toLowerCase();
}
