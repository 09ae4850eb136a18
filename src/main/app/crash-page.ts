import { RESTART_URL, INDEX_URL } from './app-url.ts';

/** What broke: the window's process (a reload heals it) or main itself (only a restart does). */
export interface Crash {
  readonly what: 'window' | 'main';
  /** Redacted; shown as technical detail. */
  readonly reason: string;
  readonly logFile: string;
}

/** A page without script, because whatever broke may break again: plain words, the log's place, one link. */
export function renderCrashPage({ what, reason, logFile }: Crash): string {
  const action =
    what === 'window'
      ? `<a href="${INDEX_URL}">Open the window again</a>`
      : `<a href="${RESTART_URL}">Restart Leasehold</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Leasehold stopped</title>
<link rel="stylesheet" href="/crash.css">
</head>
<body>
<main>
<h1>Leasehold made a mistake and stopped.</h1>
<p>Your boxes are not affected: what runs there goes on, and so do their meters. Until you continue, nothing is watched
from this machine.</p>
<p class="action">${action}</p>
<h2>What happened</h2>
<pre>${escapeHtml(reason)}</pre>
<p>The log has the details and is kept: <code>${escapeHtml(logFile)}</code></p>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (character) => `&#${String(character.charCodeAt(0))};`, // entities need no table of names
  );
}
