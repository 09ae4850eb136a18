import { tell } from '../storage/disk.fixture.ts';
import { postJson } from './post-json.ts';

// `<proxy port> <url>…`: posts to each through the proxy and tells what became of it. A process of its own, because whom Node
// trusts beside the usual authorities (NODE_EXTRA_CA_CERTS) it asks only when it starts.

const [, , port = '', ...urls] = process.argv;
for (const url of urls) {
  const outcome = await postJson({
    url: new URL(url),
    body: '{"source":"leasehold"}',
    id: '1',
    authorization: 'Bearer of-the-topic',
    findProxies: () => Promise.resolve(`PROXY 127.0.0.1:${port}`),
    signal: new AbortController().signal,
  });
  tell(JSON.stringify(outcome));
}
