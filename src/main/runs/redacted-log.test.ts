import { appendFileSync, statSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRedactor } from '../log/redact.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { BOX, RunBox } from './run-box.fixture.ts';

const TOKEN = `hf_${'a1B2c3D4e5'.repeat(4)}`;
/** Of the token, wherever it was cut: what is shorter tells nobody anything. */
const PART = /a1B2|B2c3|c3D4|D4e5|e5a1/;
const KEY_LINE = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB';
const KEY = ['-----BEGIN OPENSSH PRIVATE KEY-----', KEY_LINE, KEY_LINE];
const LAST = ['-----END OPENSSH PRIVATE KEY-----', 'step 9'];

// Over a real link: what the box writes comes in the pieces that its disk, its sshd and the channel make of it.
describe.skipIf(!hasSshd || process.platform !== 'linux')('the log that a window gets', () => {
  let box: RunBox;
  let sent = '';
  /** In characters, of what is looked through for secrets in one turn. */
  let longest = 0;
  beforeEach(async () => {
    sent = '';
    box = new RunBox();
    longest = 0;
    const { redact } = createRedactor();
    box.redact = (text) => {
      longest = Math.max(longest, text.length);
      return redact(text);
    };
    await box.open();
    box.hub.addClient(2, ({ deltas }) => {
      sent += JSON.stringify(deltas);
    });
  });
  afterEach(() => box.close());

  it('has no half of a secret, wherever and for however long the box stops writing it', async () => {
    const { id } = await box.launch({ command: 'echo begun; exec >/dev/null 2>&1; sleep 1000' });
    const log = box.openLog(id);
    box.hub.open(2, 'run-log', `${BOX.id} ${id}`);
    const write = (text: string): void => appendFileSync(box.place(id, 'log'), text);
    const until = (text: string): Promise<void> =>
      vi.waitFor(() => expect(log().text).toContain(text), { interval: 20 });
    await until('begun');
    for (const cut of [3, 4, 20, 33, TOKEN.length - 1]) {
      write(`cut at ${String(cut)}: ${TOKEN.slice(0, cut)}`);
      // The half line came, nothing more did for a while, and it was shown.
      await until(`cut at ${String(cut)}: `);
      write(`${TOKEN.slice(cut)} end of ${String(cut)}\n`);
      await until(`end of ${String(cut)}\n`);
      expect(log().text).toContain(`cut at ${String(cut)}: [redacted] end of ${String(cut)}\n`);
    }
    // A key, line by line: nothing of it is ever shown, so what was read tells that a line has come.
    for (const line of KEY) {
      write(`${line}\n`);
      await vi.waitFor(() => expect(log().bytes).toBe(statSync(box.place(id, 'log')).size));
    }
    write(`${LAST.join('\n')}\n`);
    await until('step 9');
    await vi.waitFor(() => expect(sent).toContain('step 9'));
    expect(log().text).toMatch(/end of 42\n\[redacted\]\nstep 9\n$/);
    expect(sent + log().text).not.toMatch(PART);
    expect(sent + log().text).not.toContain('b3Blb');
  });

  it('has no half of one at the end of a piece of a line without end', async () => {
    const { id } = await box.launch({ command: 'echo begun; exec >/dev/null 2>&1; sleep 1000' });
    const log = box.openLog(id);
    box.hub.open(2, 'run-log', `${BOX.id} ${id}`);
    await vi.waitFor(() => expect(log().text).toContain('begun'));
    // Nearly wherever it is cut, a token is.
    const line = `${TOKEN} `.repeat(3000);
    appendFileSync(box.place(id, 'log'), `${line}over\n`);
    await vi.waitFor(() => expect(sent).toContain('over'));
    expect(sent + log().text).not.toMatch(PART);
    expect(sent.length).toBeGreaterThan(30_000);
    expect(longest).toBeLessThan(40_000);
  });
});
