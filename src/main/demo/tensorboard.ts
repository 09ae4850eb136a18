import { createServer, type Server, type ServerResponse } from 'node:http';
import type { RunScalars, ScalarPoint } from './run-files.ts';

/** Where TensorBoard listens by default. */
export const TENSORBOARD_PORT = 6006;

const WINDOW_TITLE = '';

/**
 * Answers like TensorBoard 2's HTTP API for scalars, over the runs of the toy training. It never listens: the SSH server hands
 * it the channels that clients open to localhost:6006 on the box.
 */
export function createTensorboard(logdir: string, readRuns: () => readonly RunScalars[]): Server {
  return createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      respond(response, 405, 'text/plain', 'Method not allowed');
      return;
    }
    answer(response, url, logdir, readRuns());
  });
}

function answer(
  response: ServerResponse,
  { pathname, searchParams }: URL,
  logdir: string,
  runs: readonly RunScalars[],
): void {
  switch (pathname) {
    case '/':
    case '/index.html':
      respond(response, 200, 'text/html; charset=utf-8', renderIndex(runs));
      return;
    case '/data/logdir':
      respondJson(response, { logdir });
      return;
    case '/data/environment':
      respondJson(response, {
        data_location: logdir,
        window_title: WINDOW_TITLE,
        experiment_name: '',
        experiment_description: '',
        creation_time: 0,
      });
      return;
    case '/data/plugins_listing':
      respondJson(response, { scalars: SCALARS_PLUGIN });
      return;
    case '/data/runs':
      respondJson(
        response,
        runs.map(({ name }) => name),
      );
      return;
    case '/data/experiments':
      respondJson(response, []);
      return;
    case '/data/plugin/scalars/tags':
      respondJson(response, listTags(runs));
      return;
    case '/data/plugin/scalars/scalars':
      answerScalars(response, searchParams, runs);
      return;
    default:
      respond(response, 404, 'text/plain', 'Not found');
  }
}

const SCALARS_PLUGIN = {
  enabled: true,
  loading_mechanism: { type: 'CUSTOM_ELEMENT', element_name: 'tf-scalar-dashboard' },
  tab_name: 'scalars',
  remove_dom: false,
  disable_reload: false,
};

function listTags(runs: readonly RunScalars[]): Record<string, Record<string, unknown>> {
  const describe = (tag: string): [string, unknown] => [tag, { displayName: tag, description: '' }];
  return Object.fromEntries(
    runs.map(({ name, byTag }) => [name, Object.fromEntries([...byTag.keys()].map(describe))]),
  );
}

function answerScalars(
  response: ServerResponse,
  query: URLSearchParams,
  runs: readonly RunScalars[],
): void {
  const [run, tag] = [query.get('run'), query.get('tag')];
  if (run === null || tag === null) {
    const asked = `tag=${quote(tag)}, run=${quote(run)}`;
    const text = `Invalid argument: Both run and tag must be specified: ${asked}`;
    respond(response, 400, 'text/plain', text);
    return;
  }
  const points = runs.find(({ name }) => name === run)?.byTag.get(tag);
  if (points === undefined) {
    const text = `Not found: No scalar data for run=${quote(run)}, tag=${quote(tag)}`;
    respond(response, 404, 'text/plain', text);
    return;
  }
  if (query.get('format') === 'csv') respond(response, 200, 'text/csv', renderCsv(points));
  else respondJson(response, points);
}

function renderCsv(points: readonly ScalarPoint[]): string {
  return ['Wall time,Step,Value', ...points.map((point) => point.join(',')), ''].join('\r\n');
}

/** As Python's %r shows it in TensorBoard's messages. */
function quote(value: string | null): string {
  return value === null ? 'None' : `'${value}'`;
}

function renderIndex(runs: readonly RunScalars[]): string {
  const rows = runs.map(({ name, byTag }) => {
    const last = byTag.get('train/loss')?.at(-1);
    const loss =
      last === undefined ? 'no steps yet' : `step ${last[1]}, loss ${last[2].toFixed(4)}`;
    return `<li><code>${escapeHtml(name)}</code>: ${loss}</li>`;
  });
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>TensorBoard (demo box)</title>
<h1>Demo box</h1>
<p>This server answers TensorBoard’s data requests; it has no charts of its own.</p>
<ul>${rows.join('')}</ul>
<p><a href="data/runs">data/runs</a> · <a href="data/plugin/scalars/tags">data/plugin/scalars/tags</a></p>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function respondJson(response: ServerResponse, value: unknown): void {
  respond(response, 200, 'application/json', JSON.stringify(value));
}

function respond(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}
