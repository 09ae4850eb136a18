import type { GpuState } from './gpu-physics.ts';

/** What stays the same for one card of one box. */
export interface GpuIdentity {
  readonly uuid: string;
  /** Eight-digit domain, as nvidia-smi prints it. */
  readonly busId: string;
  readonly serial: string;
}

/** A process that holds a card. */
export interface GpuProcess {
  readonly pid: number;
  readonly name: string;
}

/** The driver whose layouts were recorded (facts/nvidia.md) and which the tools imitate. */
export const DRIVER_VERSION = '590.48.01';
const CUDA_VERSION = '13.1';

const NOT_AVAILABLE = 'N/A';
const DEPRECATED = '[Requested functionality has been deprecated]';

type Cells = Readonly<Record<string, string | number>>;

/**
 * The simulated driver's answers: one line of names, then one line per card, cells separated by tabs. The tools on the box
 * only lay these out. Names are those of `--query-gpu`; `dmon.*` and `q.*` feed the other layouts.
 */
export function renderDriverTable(
  gpus: readonly {
    readonly state: GpuState;
    readonly identity: GpuIdentity;
    readonly isLost: boolean;
  }[],
  now: Date,
): string {
  const rows = gpus.map(({ state, identity, isLost }) => ({
    state: isLost ? 'lost' : 'ok',
    count: gpus.length,
    ...describeTime(now),
    ...describeIdentity(state, identity),
    ...describeMemory(state),
    ...describeLoad(state),
    ...describeReasons(state),
    ...describeTemperatures(state),
    ...describePower(state),
    ...describeDmon(state),
  }));
  const names = Object.keys(rows[0] ?? {});
  const lines = rows.map((row: Cells) => names.map((name) => row[name]).join('\t'));
  return [names.join('\t'), ...lines, ''].join('\n');
}

/** One line per process and card: index, pid, type, name, MiB, sm, mem. */
export function renderProcesses(gpus: readonly GpuState[], process: GpuProcess | null): string {
  if (process === null) return '';
  return gpus
    .map(({ index, memoryUsedMiB, smPct, memPct }) =>
      [index, process.pid, 'C', process.name, memoryUsedMiB, smPct, memPct].join('\t').concat('\n'),
    )
    .join('');
}

/** One line per process and card whose device node it holds open: index, pid, name. What fuser finds. */
export function renderHolders(
  gpus: readonly GpuState[],
  process: GpuProcess | null,
  stray: { readonly pid: number } | null,
): string {
  const lines = gpus.flatMap(({ index }) => [
    ...(process === null ? [] : [[index, process.pid, process.name]]),
    ...(stray === null || index !== 0 ? [] : [[index, stray.pid, 'python3']]),
  ]);
  return lines.map((cells) => cells.join('\t').concat('\n')).join('');
}

function describeTime(now: Date): Cells {
  const [year, month, day] = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())];
  const clock = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':');
  return {
    timestamp: `${year}/${month}/${day} ${clock}.${String(now.getMilliseconds()).padStart(3, '0')}`,
    'q.timestamp': ctime(now),
  };
}

/** As C's ctime prints it: `Tue Jul 14 08:12:53 2026`, the day padded with a blank. */
export function ctime(now: Date): string {
  const clock = [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':');
  const day = String(now.getDate()).padStart(2);
  return `${WEEKDAYS[now.getDay()]} ${MONTHS[now.getMonth()]} ${day} ${clock} ${now.getFullYear()}`;
}

export const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const WEEKDAYS = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ');

function two(value: number): string {
  return String(value).padStart(2, '0');
}

function describeIdentity({ index, card }: GpuState, identity: GpuIdentity): Cells {
  const [domain, bus, device] = identity.busId.split(/[:.]/);
  const isDatacenter = card.brand === 'NVIDIA';
  return {
    index,
    name: card.fullName,
    driver_version: DRIVER_VERSION,
    'q.cuda_version': CUDA_VERSION,
    'q.brand': card.brand,
    'q.architecture': card.architecture,
    compute_cap: card.computeCapability,
    serial: isDatacenter ? identity.serial : NOT_AVAILABLE,
    uuid: identity.uuid,
    'pci.bus_id': identity.busId,
    'pci.domain': `0x${domain?.slice(4) ?? ''}`,
    'pci.bus': `0x${bus ?? ''}`,
    'pci.device': `0x${device ?? ''}`,
    'pci.device_id': NOT_AVAILABLE,
    'pci.sub_device_id': NOT_AVAILABLE,
    vbios_version: card.vbios ?? NOT_AVAILABLE,
    'inforom.img': NOT_AVAILABLE,
    'inforom.oem': NOT_AVAILABLE,
    'inforom.ecc': NOT_AVAILABLE,
    persistence_mode: isDatacenter ? 'Enabled' : 'Disabled',
    'mig.mode.current': card.canMig ? 'Disabled' : NOT_AVAILABLE,
    'mig.mode.pending': card.canMig ? 'Disabled' : NOT_AVAILABLE,
    gpu_recovery_action: 'None',
    edpp_multiplier: card.hasFabric ? '100.00' : NOT_AVAILABLE,
    'q.edpp': card.hasFabric ? '100.00%' : NOT_AVAILABLE,
    'c2c.mode': card.hasFabric ? 'Disabled' : NOT_AVAILABLE,
    'fabric.state': card.hasFabric ? 'Completed' : NOT_AVAILABLE,
    'fabric.status': card.hasFabric ? 'Success' : NOT_AVAILABLE,
    'fabric.cliqueId': card.hasFabric ? 0 : NOT_AVAILABLE,
    'fabric.clusterUuid': card.hasFabric ? '00000000-0000-0000-0000-000000000000' : NOT_AVAILABLE,
    'platform.module_id': index + 1,
  };
}

function describeMemory({ model, card, memoryUsedMiB }: GpuState): Cells {
  const bar1 = bar1Used(card.hasFabric, memoryUsedMiB);
  return {
    'memory.total': model.memoryTotalMiB,
    'memory.reserved': card.reservedMiB,
    'memory.used': memoryUsedMiB,
    'memory.free': model.memoryTotalMiB - card.reservedMiB - memoryUsedMiB,
    'q.bar1.total': card.bar1TotalMiB,
    'q.bar1.free': card.bar1TotalMiB - bar1,
    'ecc.mode.current': model.hasEcc ? 'Enabled' : NOT_AVAILABLE,
    'ecc.mode.pending': model.hasEcc ? 'Enabled' : NOT_AVAILABLE,
    'q.repair': model.hasEcc ? 'No' : NOT_AVAILABLE,
    'remapped_rows.histogram.max': card.remapHistogramMax ?? NOT_AVAILABLE,
  };
}

/** Cards of an NVSwitch board map nearly all of their memory, others a few MiB (recorded with an H100 and an A100). */
function bar1Used(isMapped: boolean, memoryUsedMiB: number): number {
  if (memoryUsedMiB === 0) return 1;
  return isMapped ? memoryUsedMiB - 1 : 4;
}

function describeLoad(state: GpuState): Cells {
  const { model, card, smPct, memPct, smClockMHz, memoryClockMHz, isIdle } = state;
  const isAsleep = isIdle && card.idleMemoryClockMHz === memoryClockMHz;
  const generation = isAsleep ? 1 : card.pcieGeneration;
  return {
    'utilization.gpu': smPct,
    'utilization.memory': memPct,
    'clocks.current.graphics': smClockMHz,
    'clocks.current.sm': smClockMHz,
    'clocks.current.memory': memoryClockMHz,
    'clocks.current.video': Math.round(smClockMHz * 0.78),
    'clocks.max.graphics': model.maxSmClockMHz,
    'clocks.max.sm': model.maxSmClockMHz,
    'clocks.max.memory': model.memoryClockMHz,
    'clocks.applications.graphics': DEPRECATED,
    'clocks.applications.memory': DEPRECATED,
    pstate: isAsleep ? 'P8' : card.brand === 'GeForce' ? 'P2' : 'P0',
    'fan.speed': card.hasFan
      ? Math.round(30 + 0.5 * Math.max(0, state.temperatureC - 35))
      : NOT_AVAILABLE,
    'pcie.link.gen.current': generation,
    'pcie.link.gen.gpucurrent': generation,
    'pcie.link.gen.max': card.pcieGeneration,
    'pcie.link.gen.gpumax': card.pcieGeneration,
    'q.rx': state.pcieRxMBps * 1000,
    'q.tx': state.pcieTxMBps * 1000,
  };
}

/** Bits and names of facts/nvidia.md 2.2. The throttle fault is heat and the power brake at once. */
function describeReasons(state: GpuState): Cells {
  const { isThrottled, isPowerCapped, isIdle } = state;
  const bits =
    (isIdle ? 0x1 : 0) | (isPowerCapped ? 0x4 : 0) | (isThrottled ? 0x8 | 0x20 | 0x40 | 0x80 : 0);
  const reason = (isActive: boolean): string => (isActive ? 'Active' : 'Not Active');
  return {
    'clocks_event_reasons.active': `0x${bits.toString(16).toUpperCase().padStart(16, '0')}`,
    'clocks_event_reasons.gpu_idle': reason(isIdle),
    'clocks_event_reasons.sw_power_cap': reason(isPowerCapped),
    'clocks_event_reasons.hw_slowdown': reason(isThrottled),
    'clocks_event_reasons.hw_thermal_slowdown': reason(isThrottled),
    'clocks_event_reasons.hw_power_brake_slowdown': reason(isThrottled),
    'clocks_event_reasons.sw_thermal_slowdown': reason(isThrottled),
    'clocks_event_reasons_counters.sw_power_cap': Math.round(state.heldByPowerCapUs),
    'clocks_event_reasons_counters.sw_thermal_slowdown': Math.round(state.heldByHeatUs),
    'clocks_event_reasons_counters.hw_thermal_slowdown': Math.round(state.heldByHeatUs),
    'clocks_event_reasons_counters.hw_power_brake_slowdown': Math.round(state.heldByBrakeUs),
  };
}

function describeTemperatures({ card, temperatureC, memoryTemperatureC }: GpuState): Cells {
  const { limits } = card;
  const core = Math.round(temperatureC);
  return {
    'temperature.gpu': core,
    'temperature.memory':
      memoryTemperatureC === null ? NOT_AVAILABLE : Math.round(memoryTemperatureC),
    'temperature.gpu.tlimit':
      limits.kind === 'margin' ? limits.maxOperatingC - core : NOT_AVAILABLE,
    'q.limits': limits.kind,
    'q.limit.shutdown': limits.shutdownC,
    'q.limit.slowdown': limits.slowdownC,
    'q.limit.operating': limits.kind === 'margin' ? 0 : limits.maxOperatingC,
    'q.limit.memory': limits.memoryMaxC ?? NOT_AVAILABLE,
    'q.limit.target': limits.targetC ?? NOT_AVAILABLE,
  };
}

function describePower({ model, card, powerLimitW, powerW, instantPowerW }: GpuState): Cells {
  return {
    'power.draw': powerW.toFixed(2),
    'power.draw.average': powerW.toFixed(2),
    'power.draw.instant': instantPowerW.toFixed(2),
    'power.limit': powerLimitW.toFixed(2),
    'enforced.power.limit': powerLimitW.toFixed(2),
    'power.default_limit': model.powerLimitW.toFixed(2),
    'power.min_limit': card.minPowerW.toFixed(2),
    'power.max_limit': card.maxPowerW.toFixed(2),
  };
}

/** dmon prints "-" for what a card lacks. */
function describeDmon(state: GpuState): Cells {
  const { model, card, memoryTemperatureC, memoryUsedMiB } = state;
  return {
    'dmon.pwr': Math.round(state.powerW),
    'dmon.gtemp': Math.round(state.temperatureC),
    'dmon.mtemp': memoryTemperatureC === null ? '-' : Math.round(memoryTemperatureC),
    'dmon.sm': state.smPct,
    'dmon.mem': state.memPct,
    'dmon.enc': 0,
    'dmon.dec': 0,
    'dmon.jpg': 0,
    'dmon.ofa': 0,
    'dmon.mclk': state.memoryClockMHz,
    'dmon.pclk': state.smClockMHz,
    'dmon.pviol': state.powerViolationPct,
    'dmon.tviol': state.isThrottled ? 1 : 0,
    'dmon.fb': memoryUsedMiB,
    'dmon.bar1': bar1Used(card.hasFabric, memoryUsedMiB),
    'dmon.ccpm': card.hasFabric ? 0 : '-', // recorded only with an H100
    'dmon.sbecc': model.hasEcc ? 0 : '-',
    'dmon.dbecc': model.hasEcc ? 0 : '-',
    'dmon.pci': 0,
    'dmon.rxpci': state.pcieRxMBps,
    'dmon.txpci': state.pcieTxMBps,
  };
}
