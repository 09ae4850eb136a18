/** What a value must look like, and what is left of it under the name that `--query-gpu` has for it. */
export type FieldKind =
  /** A figure in this unit. */
  | { readonly kind: 'figure'; readonly unit: string; readonly max: number }
  /** CSV gives temperatures without their unit. */
  | { readonly kind: 'celsius' }
  | { readonly kind: 'count' }
  /** `16x` */
  | { readonly kind: 'lanes' }
  /** `2560 bank(s)` */
  | { readonly kind: 'banks' }
  | { readonly kind: 'word'; readonly words: RegExp }
  | { readonly kind: 'text' };

export interface ReportField {
  readonly field: string;
  readonly kind: FieldKind;
  /** Where it stands; the first one that says something counts. */
  readonly paths: readonly string[];
}

// Far beyond any card, so that only damage is refused.
const PERCENT: FieldKind = { kind: 'figure', unit: '%', max: 100 };
// More than 100 % is what the manual allows of a fan.
const FAN: FieldKind = { kind: 'figure', unit: '%', max: 999 };
const WATTS: FieldKind = { kind: 'figure', unit: 'W', max: 100_000 };
const CLOCK: FieldKind = { kind: 'figure', unit: 'MHz', max: 100_000 };
const MEMORY: FieldKind = { kind: 'figure', unit: 'MiB', max: 2 ** 24 };
const MICROSECONDS: FieldKind = { kind: 'figure', unit: 'us', max: Number.MAX_SAFE_INTEGER };
const CELSIUS: FieldKind = { kind: 'celsius' };
const COUNT: FieldKind = { kind: 'count' };
const LANES: FieldKind = { kind: 'lanes' };
const BANKS: FieldKind = { kind: 'banks' };
const TEXT: FieldKind = { kind: 'text' };
const SWITCH: FieldKind = { kind: 'word', words: /^(?:Enabled|Disabled)$/ };
const YES_NO: FieldKind = { kind: 'word', words: /^(?:Yes|No)$/ };
const ACTIVE: FieldKind = { kind: 'word', words: /^(?:Not )?Active$/ };
const PSTATE: FieldKind = { kind: 'word', words: /^P\d{1,2}$/ };

function at(field: string, kind: FieldKind, ...paths: string[]): ReportField {
  return { field, kind, paths };
}

/** Text and XML name clocks differently: `Clocks / SM`, `<clocks><sm_clock>`. */
function clocks(section: string, field: string): readonly ReportField[] {
  return [
    at(`${field}.graphics`, CLOCK, `${section}/graphics`, `${section}/graphics_clock`),
    at(`${field}.sm`, CLOCK, `${section}/sm`, `${section}/sm_clock`),
    at(`${field}.memory`, CLOCK, `${section}/memory`, `${section}/mem_clock`),
    at(`${field}.video`, CLOCK, `${section}/video`, `${section}/video_clock`),
  ];
}

/**
 * Until R535 there is one group of power readings; then the card's and the module's, whose names are the same, and from
 * 610 on the limits stand one level deeper (facts/nvidia.md §2.3). The module's are never the card's.
 */
function power(field: string, ...names: string[]): ReportField {
  const paths = names.flatMap((name) => [
    `gpu_power_readings/${name}`,
    `gpu_power_readings/gpu_ceiling_power_limit/${name}`,
    `power_readings/${name}`,
  ]);
  return at(field, WATTS, ...paths);
}

/** The reasons by their bits (facts/nvidia.md §2.2). */
export const REASON_BITS: readonly (readonly [name: string, bit: number])[] = [
  ['gpu_idle', 0x1],
  ['applications_clocks_setting', 0x2],
  ['sw_power_cap', 0x4],
  ['hw_slowdown', 0x8],
  ['sync_boost', 0x10],
  ['sw_thermal_slowdown', 0x20],
  ['hw_thermal_slowdown', 0x40],
  ['hw_power_brake_slowdown', 0x80],
  ['display_clock_setting', 0x100],
];

const REASON_NAMES_IN_TEXT: Readonly<Record<string, string>> = {
  gpu_idle: 'idle',
  hw_thermal_slowdown: 'hw_slowdown/hw_thermal_slowdown',
  hw_power_brake_slowdown: 'hw_slowdown/hw_power_brake_slowdown',
};

function reason(name: string): ReportField {
  // The XML says "display_clocks_setting" where the query says "display_clock_setting".
  const xml = name === 'display_clock_setting' ? 'display_clocks_setting' : name;
  const paths = ['event', 'throttle'].flatMap((word) => [
    `clocks_${word}_reasons/${REASON_NAMES_IN_TEXT[name] ?? name}`,
    `clocks_${word}_reasons/clocks_${word}_reason_${xml}`,
  ]);
  return at(`clocks_event_reasons.${name}`, ACTIVE, ...paths);
}

function counter(name: string, inText: string, inXml: string): ReportField {
  const section = 'clocks_event_reasons_counters';
  const paths = [`${section}/${inText}`, `${section}/${section}_${inXml}`];
  return at(`${section}.${name}`, MICROSECONDS, ...paths);
}

/** A copied part of a report may begin below its `PCI`. */
const LINK_IN_TEXT = ['pci/gpu_link_info', 'gpu_link_info'];
const LINK_IN_XML = 'pci/pci_gpu_link_info';

function generation(field: string, inText: string, inXml: string): ReportField {
  return at(
    `pcie.link.gen.${field}`,
    COUNT,
    ...LINK_IN_TEXT.map((link) => `${link}/pcie_generation/${inText}`),
    `${LINK_IN_XML}/pcie_gen/${inXml}`,
  );
}

function histogram(name: string): ReportField {
  return at(
    `remapped_rows.histogram.${name}`,
    BANKS,
    `remapped_rows/bank_remap_availability_histogram/${name}`,
    `remapped_rows/row_remapper_histogram/row_remapper_histogram_${name}`,
  );
}

/** Everything of `nvidia-smi -q` that has a name in `--query-gpu`. */
export const REPORT_FIELDS: readonly ReportField[] = [
  at('name', TEXT, 'product_name'),
  at('uuid', TEXT, 'gpu_uuid', 'uuid'),
  at('serial', TEXT, 'serial_number', 'serial'),
  at('pci.bus_id', TEXT, 'pci/bus_id', 'pci/pci_bus_id'),
  at('vbios_version', TEXT, 'vbios_version'),
  at('persistence_mode', SWITCH, 'persistence_mode'),
  at('compute_mode', TEXT, 'compute_mode'),
  at('mig.mode.current', SWITCH, 'mig_mode/current', 'mig_mode/current_mig'),
  at('mig.mode.pending', SWITCH, 'mig_mode/pending', 'mig_mode/pending_mig'),
  at('fan.speed', FAN, 'fan_speed'),
  at('pstate', PSTATE, 'performance_state'),
  at('memory.total', MEMORY, 'fb_memory_usage/total'),
  at('memory.reserved', MEMORY, 'fb_memory_usage/reserved'),
  at('memory.used', MEMORY, 'fb_memory_usage/used'),
  at('memory.free', MEMORY, 'fb_memory_usage/free'),
  at('utilization.gpu', PERCENT, 'utilization/gpu', 'utilization/gpu_util'),
  at('utilization.memory', PERCENT, 'utilization/memory', 'utilization/memory_util'),
  at('utilization.encoder', PERCENT, 'utilization/encoder', 'utilization/encoder_util'),
  at('utilization.decoder', PERCENT, 'utilization/decoder', 'utilization/decoder_util'),
  at('utilization.jpeg', PERCENT, 'utilization/jpeg', 'utilization/jpeg_util'),
  at('utilization.ofa', PERCENT, 'utilization/ofa', 'utilization/ofa_util'),
  at('temperature.gpu', CELSIUS, 'temperature/gpu_current_temp', 'temperature/gpu_temp'),
  at('temperature.memory', CELSIUS, 'temperature/memory_current_temp', 'temperature/memory_temp'),
  at(
    'temperature.gpu.tlimit',
    CELSIUS,
    'temperature/gpu_t_limit_temp',
    'temperature/gpu_current_t_limit_temp',
    'temperature/gpu_temp_tlimit',
  ),
  // CSV has no names for these two.
  at(
    'temperature.gpu.slowdown',
    CELSIUS,
    'temperature/gpu_slowdown_temp',
    'temperature/gpu_temp_slow_threshold',
  ),
  at(
    'temperature.gpu.max_operating',
    CELSIUS,
    'temperature/gpu_max_operating_temp',
    'temperature/gpu_temp_max_gpu_threshold',
  ),
  // The mean where the card gives one; some GeForce give the moment only (610).
  power(
    'power.draw',
    'average_power_draw',
    'power_draw',
    'instantaneous_power_draw',
    'instant_power_draw',
  ),
  power('power.draw.average', 'average_power_draw'),
  power('power.draw.instant', 'instantaneous_power_draw', 'instant_power_draw'),
  power('power.limit', 'requested_power_limit', 'power_limit', 'current_power_limit'),
  power('enforced.power.limit', 'current_power_limit', 'enforced_power_limit'),
  power('power.default_limit', 'default_power_limit'),
  power('power.min_limit', 'min_power_limit'),
  power('power.max_limit', 'max_power_limit'),
  ...clocks('clocks', 'clocks.current'),
  ...clocks('max_clocks', 'clocks.max'),
  ...clocks('applications_clocks', 'clocks.applications'),
  ...clocks('default_applications_clocks', 'clocks.default_applications'),
  ...REASON_BITS.map(([name]) => reason(name)),
  counter('sw_power_cap', 'sw_power_capping', 'sw_power_cap'),
  counter('sw_thermal_slowdown', 'sw_thermal_slowdown', 'sw_therm_slowdown'),
  counter('hw_thermal_slowdown', 'hw_thermal_slowdown', 'hw_therm_slowdown'),
  counter('hw_power_brake_slowdown', 'hw_power_braking', 'hw_power_brake'),
  counter('sync_boost', 'sync_boost', 'sync_boost'),
  at('ecc.mode.current', SWITCH, 'ecc_mode/current', 'ecc_mode/current_ecc'),
  at('ecc.mode.pending', SWITCH, 'ecc_mode/pending', 'ecc_mode/pending_ecc'),
  at(
    'ecc.errors.uncorrected.aggregate.sram.thresholdExceeded',
    YES_NO,
    'ecc_errors/aggregate/sram_threshold_exceeded',
  ),
  at(
    'retired_pages.single_bit_ecc.count',
    COUNT,
    'retired_pages/single_bit_ecc',
    'retired_pages/multiple_single_bit_retirement/retired_count',
  ),
  at(
    'retired_pages.double_bit.count',
    COUNT,
    'retired_pages/double_bit_ecc',
    'retired_pages/double_bit_retirement/retired_count',
  ),
  at(
    'retired_pages.pending',
    YES_NO,
    'retired_pages/pending_page_blacklist',
    'retired_pages/pending_retirement',
    'retired_pages/pending_blacklist',
    'retired_pages/pending',
  ),
  at(
    'remapped_rows.correctable',
    COUNT,
    'remapped_rows/correctable_error',
    'remapped_rows/remapped_row_corr',
  ),
  at(
    'remapped_rows.uncorrectable',
    COUNT,
    'remapped_rows/uncorrectable_error',
    'remapped_rows/remapped_row_unc',
  ),
  at(
    'remapped_rows.pending',
    YES_NO,
    'remapped_rows/pending',
    'remapped_rows/remapped_row_pending',
  ),
  at(
    'remapped_rows.failure',
    YES_NO,
    'remapped_rows/remapping_failure_occurred',
    'remapped_rows/remapped_row_failure',
  ),
  ...['max', 'high', 'partial', 'low', 'none'].map(histogram),
  at('gpu_recovery_action', TEXT, 'gpu_recovery_action'),
  at('fabric.state', TEXT, 'fabric/state'),
  at('fabric.status', TEXT, 'fabric/status'),
  generation('current', 'current', 'current_link_gen'),
  generation('max', 'max', 'max_link_gen'),
  generation('gpucurrent', 'device_current', 'device_current_link_gen'),
  generation('gpumax', 'device_max', 'max_device_link_gen'),
  generation('hostmax', 'host_max', 'max_host_link_gen'),
  at(
    'pcie.link.width.current',
    LANES,
    ...LINK_IN_TEXT.map((link) => `${link}/link_width/current`),
    `${LINK_IN_XML}/link_widths/current_link_width`,
  ),
  at(
    'pcie.link.width.max',
    LANES,
    ...LINK_IN_TEXT.map((link) => `${link}/link_width/max`),
    `${LINK_IN_XML}/link_widths/max_link_width`,
  ),
];
