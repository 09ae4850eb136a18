import { judgeCopy } from './checks/copy-checks.ts';
import {
  END,
  judgeEnd,
  judgeGpuNeed,
  judgePlatform,
  judgeRoutes,
  judgeSecrets,
  judgeTime,
} from './checks/need-checks.ts';
import {
  judgeFetch,
  judgeFetchFailures,
  judgeFetchPlaces,
  judgeFetchPrograms,
} from './checks/fetch-checks.ts';
import { judgeFabric, judgeFaults, judgeGpus, judgeHolders } from './checks/gpu-checks.ts';
import type { Judged } from './checks/judged.ts';
import { judgeKeys } from './checks/key-checks.ts';
import { judgeClock, judgeMemory, judgeShared, judgeThreads } from './checks/machine-checks.ts';
import {
  judgeDataSpace,
  judgeFiles,
  judgeFolderFiles,
  judgeFolderStorage,
  judgeFolder,
  judgeInodes,
  judgeLogSpace,
  judgeNamedFiles,
  judgeNamedStorage,
  judgeResults,
  judgeResultsSpace,
  judgeSpace,
  judgeState,
  judgeStorage,
} from './checks/place-checks.ts';
import {
  judgeFreePart,
  judgeIdleStop,
  judgeLeftProxy,
  judgeMirror,
  judgeProxy,
  judgeTier,
} from './checks/platform-checks.ts';
import {
  judgeActivate,
  judgeLineEnds,
  judgeProgram,
  judgeShell,
  judgeSrun,
  judgeTable,
  judgeUnbuffered,
  judgeUnheard,
} from './checks/shell-checks.ts';
import {
  judgeCuda,
  judgeLock,
  judgeTorchBuild,
  judgeTorchCopy,
  judgeTorchPin,
} from './checks/torch-checks.ts';
import { judgePodNames, judgeTracker } from './checks/tracker-checks.ts';
import { doAtOnce } from '../../steps.ts';
import { commandWords, type CommandWords } from './command-words.ts';
import type { KnownBox } from './known-box.ts';
import type { PreflightCheck } from './launch-plan.ts';
import type { RunPreflight } from './run-preflight.ts';
import type { RunRequest } from './run-request.ts';
import { atOnceOf, ONE_RUN, type Workload } from '../queue/workload.ts';
import { STARTERS } from './starters.ts';

/** Every question that a launch has, with its answer. One that does not arise is left out. `words`: of its cells, where the command stands for them. */
export function judgePreflight(
  request: RunRequest,
  look: RunPreflight,
  known: KnownBox,
  work: Workload = ONE_RUN,
  words: CommandWords = doAtOnce(commandWords([request.command])),
): readonly PreflightCheck[] {
  const checks: readonly (readonly [id: string, title: string, judged: Judged | null])[] = [
    ['folder', 'Working folder', judgeFolder(request.folder, look.folder)],
    ['state', 'Run folder', judgeState(look)],
    ['table', 'Process table', judgeTable(look)],
    ['detacher', 'Outlives the connection', STARTERS[look.detacher].outlives],
    ['shell', 'Login shell', judgeShell(look)],
    ['line-ends', 'Line endings', judgeLineEnds(request, look)],
    ['activate', 'Environment', judgeActivate(request, look)],
    ['program', 'Program', judgeProgram(request, look, known)],
    ['unheard', 'Failures that count', judgeUnheard(request, words)],
    ['gpus', 'GPUs', judgeGpus(known)],
    ['gpu-need', 'GPUs that it needs', judgeGpuNeed(request, known)],
    ['faults', 'GPU faults', judgeFaults(known)],
    ['fabric', 'Fabric of the GPUs', judgeFabric(look, known)],
    ['holders', 'GPUs are free', judgeHolders(request, known, work)],
    ['torch', 'torch and driver', judgeTorchBuild(look, known)],
    ['cuda', 'CUDA from Python', judgeCuda(look, known)],
    ['torch-pin', 'torch pin', judgeTorchPin(request, look, known)],
    ['torch-copy', 'Copy of torch', judgeTorchCopy(look, known)],
    ['lock', 'Lock file', judgeLock(look)],
    ['results', 'Results folder', judgeResults(request, look)],
    ['copy', 'Copy of the results', judgeCopy(request, look, known)],
    ['tier', 'Survives a stop', judgeTier(request, look, known)],
    ['free-part', 'Free part of the storage', judgeFreePart(request, look, known, work)],
    ['space', 'Disk space', judgeSpace(look, known)],
    ['inodes', 'Inodes', judgeInodes(look)],
    ['results-space', 'Space for the results', judgeResultsSpace(look)],
    ['data-space', 'Space for the data', judgeDataSpace(look)],
    ['log-space', 'Space for the log', judgeLogSpace(look)],
    ['storage', 'Storage', judgeStorage(request, look)],
    ['folder-storage', 'Storage of the folder', judgeFolderStorage(request, look)],
    ['files', 'Number of files', judgeFiles(request, look)],
    ['folder-files', 'Number of files in the folder', judgeFolderFiles(request, look)],
    ['named-storage', 'Storage of named folders', judgeNamedStorage(look)],
    ['named-files', 'Number of files in named folders', judgeNamedFiles(look)],
    ['fetch', 'Downloads', judgeFetch(request)],
    ['fetch-failures', 'Failed downloads', judgeFetchFailures(request)],
    ['fetch-places', 'Where downloads land', judgeFetchPlaces(request)],
    ['fetch-programs', 'Programs of downloads', judgeFetchPrograms(request, look)],
    ['clock', 'Clock', judgeClock(look)],
    ['memory', 'Memory', judgeMemory(request, look, atOnceOf(work))],
    ['shared-memory', 'Shared memory', judgeShared(look)],
    ['threads', 'CPUs and threads', judgeThreads(request, look, atOnceOf(work))],
    ['platform', 'Platform', judgePlatform(request, known)],
    [END.id, END.title, judgeEnd(known)],
    ['time', 'Time', judgeTime(request, known, work)],
    ['idle-stop', 'Idle stop', judgeIdleStop(known)],
    ['proxy', 'Proxy', judgeProxy(request, look, known)],
    ['left-proxy', 'Proxy left on', judgeLeftProxy(request, look, known)],
    ['mirror', 'Model mirror', judgeMirror(request, look, known)],
    ['keys', 'Keys in the request', judgeKeys(request, known.nowMs)],
    ['secrets', 'Secrets', judgeSecrets(request, look)],
    ['routes', 'Reached from the box', judgeRoutes(request, look, known)],
    ['tracker', 'Tracker', judgeTracker(request, look, words)],
    ['pod-names', 'Keys of the Pod', judgePodNames(request, look, known)],
    ['srun', 'CPUs of srun', judgeSrun(request, look, words)],
    ['unbuffered', 'Unbuffered output', judgeUnbuffered(request)],
  ];
  return checks.flatMap(([id, title, judged]) =>
    judged === null ? [] : [{ id, title, ...judged }],
  );
}
