import { startSshd } from '../src/main/ssh/sshd.fixture.ts';
import { startRuntime } from './main-runtime.ts';
const sshd = await startSshd();
const child = await startRuntime('./zz.idle.runtime.ts');
child.on('message', (m) => console.log(m));
child.send({ port: sshd.port, user: sshd.user, privateKey: sshd.privateKey });
await new Promise((r) => child.once('exit', r));
await sshd.stop();
