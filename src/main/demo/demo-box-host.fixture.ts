import { startTestBox } from './demo-box.fixture.ts';

// A process of its own that hosts a demo box, tells its parent how to log in, and waits to be killed.
const box = await startTestBox();
process.send?.({ address: box.address, clientKey: box.clientKey });
