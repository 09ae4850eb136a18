import type { Session } from 'electron';
import { expect, it } from 'vitest';
import { silentLog } from '../demo/demo-box.fixture.ts';
import { lockDownSession } from './lock-session.ts';

// There is no device here that Chromium could ask about; the other handlers are tried in real Electron (security.spec.ts).
it('gives no page a device, whatever it is and whoever asks', () => {
  const handlers: Parameters<Session['setDevicePermissionHandler']>[0][] = [];
  const session = {
    setPermissionRequestHandler: () => {},
    setPermissionCheckHandler: () => {},
    setDevicePermissionHandler: (handler: (typeof handlers)[number]) => handlers.push(handler),
    setSpellCheckerEnabled: () => {},
    webRequest: { onBeforeRequest: () => {} },
    on: () => {},
  };
  lockDownSession(session as unknown as Session, silentLog);
  expect(handlers).toHaveLength(1);
  const device = { deviceId: '1', name: 'a key', guid: '', vendorId: 1, productId: 1 };
  for (const deviceType of ['hid', 'serial', 'usb'] as const) {
    const asked = { deviceType, origin: 'leasehold://app', device };
    expect(handlers[0]?.(asked as never)).toBe(false);
  }
});
