import {
  classifyGpuToolFailure,
  gpuToolFailureMeaning,
  type GpuToolFailure,
  type GpuToolFailureKind,
} from '../../shared/probes/gpu-tool-failure.ts';
import { nonBlankLines } from '../../shared/probes/probe-output.ts';
import { problem, type Problem, type ProblemCode } from '../../shared/problem.ts';
import { describeEnd, type ExitStatus } from '../ssh/exit-status.ts';

const CODES: Readonly<Record<GpuToolFailureKind, ProblemCode>> = {
  'no-devices': 'no-gpu',
  'tool-missing': 'no-gpu-tool',
  'library-missing': 'no-gpu',
  'driver-not-loaded': 'driver-not-loaded',
  'library-mismatch': 'driver-mismatch',
  'nvml-unknown-error': 'gpu-cut-off',
  'blocked-by-os': 'gpu-denied',
  'no-permission': 'gpu-denied',
  'gpu-lost': 'gpu-lost',
  'field-refused': 'gpu-tool-failed',
  'not-supported': 'gpu-tool-failed',
  'nvml-other': 'driver-broken',
};

/** What a tool's own words come to. */
export function problemOf({ kind, line }: GpuToolFailure): Problem {
  return problem(CODES[kind], gpuToolFailureMeaning[kind], { detail: line });
}

/** nvidia-smi's exit codes, for when it said nothing (facts/nvidia.md §1.5). */
const EXIT_KINDS: Readonly<Record<number, GpuToolFailureKind>> = {
  4: 'no-permission',
  9: 'driver-not-loaded',
  12: 'library-missing',
  15: 'gpu-lost',
  17: 'blocked-by-os',
  18: 'library-mismatch',
  127: 'tool-missing',
};

/** The tool's own words decide; its exit code only where it said nothing. Null: neither tells. */
export function explainEnd(
  said: GpuToolFailure | null,
  stderr: string,
  end: ExitStatus,
): GpuToolFailure | null {
  const failure = said ?? firstFailure(stderr);
  if (failure !== null) return failure;
  const kind = end.kind === 'exited' ? EXIT_KINDS[end.code] : undefined;
  if (kind === undefined) return null;
  return { kind, address: null, field: null, line: describeEnd(end) };
}

/** An end without a reason that is known. */
export function unexplainedEnd(stderr: string, end: ExitStatus): Problem {
  return problem('gpu-stream-ended', 'The GPU stream ended without saying why.', {
    detail: `${describeEnd(end)} ${stderr}`,
  });
}

function firstFailure(stderr: string): GpuToolFailure | null {
  for (const line of nonBlankLines(stderr)) {
    const failure = classifyGpuToolFailure(line);
    if (failure !== null) return failure;
  }
  return null;
}
