import { describe, expect, it } from 'vitest';
import { RESTART_URL } from './app-url.ts';
import { renderCrashPage } from './crash-page.ts';

describe('renderCrashPage', () => {
  it('says what happened, where the log is, and offers the one way on', () => {
    const page = renderCrashPage({ what: 'main', reason: 'Error: boom', logFile: '/x/main.log' });
    expect(page).toContain('Error: boom');
    expect(page).toContain('/x/main.log');
    expect(page).toContain(`href="${RESTART_URL}"`);
  });

  it('never lets a reason become markup', () => {
    const page = renderCrashPage({
      what: 'window',
      reason: '</pre><script>alert("x")</script><a href=\'evil\'>',
      logFile: '<b>',
    });
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<b>');
    expect(page.match(/<a /g)).toHaveLength(1);
  });
});
