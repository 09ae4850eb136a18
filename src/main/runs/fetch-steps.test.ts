import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endPass } from '../../shared/teardown/change-pass.fixture.ts';
import type { RunRequest } from '../../shared/runs/launch/run-request.ts';
import { hasSshd } from '../ssh/sshd.fixture.ts';
import { FetchServer } from './fetch-server.fixture.ts';
import { BOX, RunBox, value } from './run-box.fixture.ts';

const isLinux = process.platform === 'linux';
const MIB = 1024 * 1024;
/** hf and aws write in pieces of 10 and 8 MiB, so that less leaves nothing to go on from. */
const HOLD_AT = 16 * MIB;
const TOKEN = 'swordfish7';

interface Tool {
  readonly name: string;
  /** Null: it is not here, and this script stands in for it. */
  readonly folder: string | null;
  readonly standIn: string;
  readonly run: (address: string) => string;
  readonly env: (address: string) => Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** Within a file. Null: of some versions so, of others not. */
  readonly goesOn: boolean | null;
  /** What the server is shown of the secret; null: the tool takes none from its environment. */
  readonly shows: RegExp | null;
}

/** The folder in which a program lies that works without its owner's home folder. */
function folderOf(name: string): string | null {
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  if (found === '') return null;
  const env = { PATH: `${dirname(found)}:/usr/bin:/bin`, HOME: '/nonexistent' };
  return spawnSync(found, ['--version'], { env }).status === 0 ? dirname(found) : null;
}

const NOTHING = { env: () => ({}), secrets: [], standIn: 'exit 127', shows: null } as const;
const TOOLS: readonly Tool[] = [
  {
    ...NOTHING,
    ...{ name: 'wget', folder: folderOf('wget'), goesOn: true },
    run: (address) => `wget -qc ${address}/web/data.bin`,
  },
  {
    ...NOTHING,
    ...{ name: 'curl', folder: folderOf('curl'), goesOn: true },
    run: (address) =>
      `[ -e data.bin ] || { curl -fsSL -C - -o data.bin.part ${address}/web/data.bin && mv data.bin.part data.bin; }`,
  },
  {
    ...{ name: 'hf', folder: folderOf('hf'), goesOn: null },
    run: () => 'hf download org/model --local-dir .',
    env: (address) => ({ HF_ENDPOINT: address, HF_HUB_DISABLE_XET: '1' }),
    secrets: ['HF_TOKEN'],
    shows: /^Bearer swordfish7$/,
    standIn: `printf 'header = "Authorization: Bearer %s"\\n' "$HF_TOKEN" | curl -fsS -C - -o part -K - "$HF_ENDPOINT/org/model/resolve/main/data.bin" && mv part data.bin`,
  },
  {
    ...{ name: 'aws', folder: folderOf('aws'), goesOn: false },
    run: (address) => `aws --endpoint-url ${address} s3 sync s3://bucket/set .`,
    env: () => ({ AWS_DEFAULT_REGION: 'us-east-1', AWS_EC2_METADATA_DISABLED: 'true' }),
    secrets: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
    shows: /^AWS4-HMAC-SHA256 Credential=swordfish7\//,
    standIn: `printf 'header = "Authorization: AWS4-HMAC-SHA256 Credential=%s/"\\n' "$AWS_ACCESS_KEY_ID" | curl -fsS -o data.bin.part -K - "$2/bucket/set/data.bin" && mv data.bin.part data.bin`,
  },
];

describe.skipIf(!hasSshd || !isLinux)('a step that fetches', () => {
  let box: RunBox;
  let server: FetchServer;
  beforeEach(async () => {
    server = await FetchServer.start();
    box = new RunBox();
    await box.open();
  });
  afterEach(async () => {
    await box.close();
    await server.stop();
  });

  const data = (): string => join(box.home, 'work/data');
  const asked = (tool: Tool, run = tool.run(server.address)): Partial<RunRequest> => {
    const bin = tool.folder ?? join(box.home, 'bin');
    if (tool.folder === null) {
      mkdirSync(bin, { recursive: true });
      writeFileSync(join(bin, tool.name), `#!/bin/sh\n${tool.standIn}\n`, { mode: 0o755 });
    }
    const secrets = join(box.home, '.config/leasehold');
    mkdirSync(secrets, { recursive: true });
    for (const name of tool.secrets) writeFileSync(join(secrets, name), TOKEN, { mode: 0o600 });
    return {
      command: 'echo trains',
      activate: `export PATH="${bin}:$PATH"`,
      env: tool.env(server.address),
      ...(tool.secrets.length === 0 ? {} : { secrets: tool.secrets }),
      fetch: [{ into: 'data', run }],
    };
  };
  const gets = () =>
    server.asked.filter(({ method, path }) => method === 'GET' && path.endsWith('.bin'));
  const inData = (): number =>
    existsSync(data())
      ? readdirSync(data(), { recursive: true, encoding: 'utf8' }).reduce(
          (sum, name) => sum + statSync(join(data(), name)).size,
          0,
        )
      : 0;

  it.each(TOOLS)(
    'by $name brings it into its folder, goes on after a cut, and shows no secret (U13, U34)',
    async (tool) => {
      server.holdAt = HOLD_AT;
      const cut = await box.launch(asked(tool));
      await vi.waitFor(() => {
        expect(server.heldCount).toBeGreaterThan(0);
        expect(inData(), box.read(cut.id, 'log')).toBeGreaterThan(MIB);
      });
      const shown = spawnSync('ps', ['-ewwo', 'args'], { encoding: 'utf8' }).stdout;
      expect(shown).toContain(tool.name);
      expect(shown).not.toContain(TOKEN);
      value(await box.launcher.end(BOX.id, cut.id, endPass(cut.id)));
      expect(existsSync(join(data(), 'data.bin')) && inData() >= server.bytes.length).toBe(false);
      expect(box.read(cut.id, 'log')).not.toContain('trains');

      server.holdAt = null;
      server.asked.length = 0;
      const { id } = await box.launch(asked(tool));
      await box.until(id, 'done');
      expect(readFileSync(join(data(), 'data.bin')).equals(server.bytes)).toBe(true);
      const hasGoneOn = Math.min(...gets().map(({ from }) => from)) > 0;
      expect(hasGoneOn).toBe(tool.goesOn ?? hasGoneOn);
      if (tool.shows !== null) {
        expect(gets()[0]?.authorization).toMatch(tool.shows);
      }
      for (const name of readdirSync(box.place(id))) {
        expect(`${name}: ${box.read(id, name)}`).not.toContain(TOKEN);
      }
      // What is whole is not fetched again, and that is no failure.
      server.asked.length = 0;
      const again = await box.launch(asked(tool));
      await box.until(again.id, 'done');
      if (tool.folder !== null)
        expect(gets().filter(({ from }) => from < server.bytes.length)).toEqual([]);
    },
  );

  it('by rsync --partial keeps what it has where it is asked to end, and goes on from it', async ({
    skip,
  }) => {
    skip(folderOf('rsync') === null, 'rsync is not installed');
    const [rsync, source] = [TOOLS[0] as Tool, join(box.home, 'source.bin')];
    writeFileSync(source, server.bytes);
    // At a mebibyte a second, so that it is cut off long before its end.
    truncateSync(source, 90 * MIB);
    const run = (rate: string): string => `rsync -a --partial --bwlimit=${rate} ${source} data.bin`;
    const { id } = await box.launch(asked(rsync, run('1m')));
    await vi.waitFor(() => expect(inData(), box.read(id, 'log')).toBeGreaterThan(MIB));
    value(await box.launcher.end(BOX.id, id, endPass(id)));
    expect(readdirSync(data())).toEqual(['data.bin']);
    const kept = inData();
    expect(kept).toBeGreaterThan(MIB);
    expect(kept).toBeLessThan(90 * MIB);
    await box.until((await box.launch(asked(rsync, run('0')))).id, 'done');
    expect(readFileSync(join(data(), 'data.bin')).equals(readFileSync(source))).toBe(true);
  });

  it('that fails ends the run with its exit code, and says so (U13)', async () => {
    const wget = TOOLS[0] as Tool;
    const { id } = await box.launch(asked(wget, `wget -q ${server.address}/none`));
    expect((await box.until(id, 'failed')).status).toMatchObject({ exitCode: 8 });
    expect(box.read(id, 'log')).toBe(
      'Fetching into data\nThis step failed (exit code 8), so the run does not begin.\n',
    );
  });

  it('that syncs from a name that is no folder brings nothing, and the log says so', async ({
    skip,
  }) => {
    skip(folderOf('aws') === null, 'aws is not installed');
    const aws = TOOLS.find(({ name }) => name === 'aws') as Tool;
    const run = `aws --endpoint-url ${server.address} s3 sync s3://bucket/set/data.bin .`;
    const request = asked(aws, run);
    const plan = value(await box.plan(request));
    expect(plan.checks.find(({ id }) => id === 'fetch-places')).toMatchObject({ answer: 'warn' });
    const { id } = await box.launch(request);
    await box.until(id, 'done');
    expect(box.read(id, 'log')).toContain('Nothing lies there after this step.');
  });

  it('that names no folder to hf leaves its own one empty, and both plan and log say so', async ({
    skip,
  }) => {
    skip(folderOf('hf') === null, 'hf is not installed');
    const hf = TOOLS.find(({ name }) => name === 'hf') as Tool;
    const request = asked(hf, 'hf download org/model');
    const plan = value(await box.plan(request));
    expect(plan.checks.find(({ id }) => id === 'fetch-places')).toMatchObject({ answer: 'warn' });
    const { id } = await box.launch(request);
    await box.until(id, 'done');
    expect(box.read(id, 'log')).toContain('Nothing lies there after this step.');
  });
});
