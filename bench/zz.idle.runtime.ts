import { openConnection } from '../src/main/ssh/ssh-connection.ts';
import { StreamHub } from '../src/main/streams/stream-hub.ts';
import { BoxTunnels } from '../src/main/tunnels/box-tunnels.ts';
import { SESSION_STORE } from '../src/main/tunnels/tunnel-store.ts';
process.once('message', (m) => void run(m as any));
const wait = (ms: number) => new Promise((r) => setTimeout(r, ms));
async function run(setUp: any) {
  const opened = await openConnection({ address: { host: '127.0.0.1', port: setUp.port, user: setUp.user }, credentials: [{ kind: 'key', privateKey: setUp.privateKey }], judgeHostKey: () => 'accept', signal: new AbortController().signal });
  if (!opened.ok) throw new Error('no');
  const connection = opened.value;
  const windows = async (label: string, n: number) => {
    const out: string[] = [];
    for (let i = 0; i < n; i += 1) {
      const before = process.cpuUsage(); const t = performance.now();
      await wait(5000);
      const { user, system } = process.cpuUsage(before);
      out.push(((user + system) / 10 / (performance.now() - t)).toFixed(3));
    }
    process.send?.(`${label}: ${out.join(' ')}`);
  };
  await windows('none', 6);
  for (let round = 0; round < 2; round += 1) {
    const hub = new StreamHub();
    const tunnels = new BoxTunnels({ boxId: 'b', hub, store: SESSION_STORE, log: { info: () => undefined }, onProblem: () => undefined });
    tunnels.useConnection(connection);
    for (let i = 0; i < 200; i += 1) { const added = tunnels.add({ name: String(i), kind: 'local', service: 'tcp', listenPort: 31000 + i, isExposed: false, target: { host: '127.0.0.1', port: setUp.port } }); if (!added.ok) throw new Error(); await tunnels.settled(added.value.id); }
    await windows('200', 8);
    await tunnels.close(); hub.dispose();
    await windows('none', 6);
  }
  process.exit(0);
}
