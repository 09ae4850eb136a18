import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { startRuntime } from './main-runtime.ts';
const sshd = await startSshd();
const child = await startRuntime('./tunnels.runtime.ts');
child.on('message', (m: any) => { console.log(JSON.stringify(m)); child.send(m.kind === 'ready' ? 'idle' : 'end'); });
child.send({ sshdPort: sshd.port, user: sshd.user, privateKey: sshd.privateKey, sourcePort: sshd.port, linkPort: 32900, bulkPort: 32901, idlePort: 32000, idleCount: 200 });
await new Promise((r) => child.once('exit', r));
await sshd.stop();
