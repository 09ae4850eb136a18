import { describe, expect, it } from 'vitest';
import { problem } from '../../shared/problem.ts';
import { ok } from '../../shared/result.ts';
import { Login } from './login.ts';

describe('an answer that came after its connection had gone', () => {
  const stopper = new AbortController();

  async function held(): Promise<Login> {
    const login = await Login.open(
      [{ kind: 'note', text: 'nothing' }],
      { host: 'h', port: 22, user: 'u' },
      stopper.signal,
    );
    login.meets('the key that asked');
    login.questionOpened('Code?', {
      answered: Promise.resolve(ok(['123456'])),
      loginLost: () => undefined,
    });
    expect(await login.settle(problem('link-lost', 'It is gone.'))).toBeNull();
    return login;
  }

  it('goes to the server that asked, once', async () => {
    const login = await held();
    login.meets('the key that asked');
    expect(login.takeHeld('Code?')).toEqual(['123456']);
    expect(login.takeHeld('Code?')).toBeNull();
  });

  it('goes to no other server, although that one is trusted too', async () => {
    const login = await held();
    login.meets('another key');
    expect(login.takeHeld('Code?')).toBeNull();
    login.meets('the key that asked');
    expect(login.takeHeld('Code?')).toBeNull();
  });
});
