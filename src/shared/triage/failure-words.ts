import { xidEntry, type XidClass } from '../probes/xid-classes.ts';
import type { FailureId } from './failures.ts';

/** What the end of a run's own log can prove about how it ended. */
export type LogEnding =
  | 'disk-full'
  | 'walltime'
  | 'preempted'
  /** In the words of whoever counts such kills. */
  | 'oom-kill'
  | 'worker-killed'
  | 'killed'
  | 'terminated'
  | 'hang-up'
  | 'interrupted'
  | 'error';

/** One way in which a log says what ended a run. */
export interface FailureWords {
  /** Null: it says that a process ended, and not why. */
  readonly failure: FailureId | null;
  readonly ending: LogEnding;
  /** The entry that tells of exactly this; null: the one of its class. */
  readonly gotcha: string | null;
  readonly pattern: RegExp;
  /** Nobody but the kernel, a scheduler, a shell or a launcher writes so: it needs no exception's name before it. */
  readonly isOwnWord: boolean;
  /** What others say when one ends: it counts only where nothing tells the cause. */
  readonly isEcho: boolean;
  /** Its program prints it as a warning, although nothing may come after it. */
  readonly isAlsoWarning: boolean;
  /** A rank says it also where another one ended well and first: alone it proves nothing. */
  readonly needsError: boolean;
  /** What could make it something else. */
  readonly caveat: string | null;
}

interface Traits {
  readonly ending?: LogEnding;
  readonly gotcha?: string;
  readonly isOwnWord?: true;
  readonly isEcho?: true;
  readonly isAlsoWarning?: true;
  readonly needsError?: true;
  readonly caveat?: string;
}

/** What a CUDA call answers, as programs print it: "CUDA error: …", "CUDA error (a.cu:1): …", "cuda runtime error (2) : …", "CUDA: …". */
function cudaSays(said: string): RegExp {
  const call = '(?: (?:driver|runtime))?(?: (?:error|failure))?(?: ?\\([^)]{1,160}\\)| \\d{1,4})?';
  return new RegExp(`\\b(?:CUDA|HIP)${call}(?: at \\S{1,120})?\\s?[:,]?\\s?'?(?:${said})`, 'i');
}

const words = (
  failure: FailureId | null,
  pattern: RegExp,
  { ending = 'error', gotcha, isOwnWord, isEcho, isAlsoWarning, needsError, caveat }: Traits = {},
): FailureWords => ({
  failure,
  ending,
  gotcha: gotcha ?? null,
  pattern,
  isOwnWord: isOwnWord === true,
  isEcho: isEcho === true,
  isAlsoWarning: isAlsoWarning === true,
  needsError: needsError === true,
  caveat: caveat ?? null,
});

const NOT_PROVEN_MEMORY =
  'Proven only if the box’s count of such kills rose: grep oom_kill /sys/fs/cgroup/memory.events';
const OR_GPU_MEMORY = 'A card whose memory is full says the same: look first who else holds it.';
const OR_BROKEN_CARD =
  'Look for an Xid in the kernel log: with one of a broken card it is the card.';
const OR_DRIVER = 'A driver that does not fit the card says the same: look at dmesg | grep NVRM.';
const SHARED_MEMORY = 'It is the shared memory of the workers: look at df -h /dev/shm.';
const MISSING_KEY = 'A key, a licence or a name is missing: the same run meets the same answer.';
const DAMAGED_FILE =
  'A file may be cut short or another one: compare its size and hash with its source.';
const OPEN_FILES = 'It is the limit of open files: look at ulimit -n.';
const CONTAINED =
  'The card’s memory failed and hit this program only: it may be started again, and the card is reset at leisure.';
/** A memory error that was contained: its first advice is for the program, and it is no fault of it. */
const CONTAINED_XID = 94;

/** Lines of the kernel about a card, as people paste them, by what their code asks for. */
function xidOf(...classes: readonly XidClass[]): RegExp {
  const codes = Array.from({ length: 256 }, (_, code) => code);
  return xidLine(
    codes.filter((code) => code !== CONTAINED_XID && classes.includes(xidEntry(code).class)),
  );
}

function xidLine(codes: readonly number[]): RegExp {
  return new RegExp(`NVRM: Xid \\(.{1,60}\\): (?:${codes.join('|')}),`);
}

/**
 * What programs print when a run ends, the most telling first: of a line that fits several the first one counts. It is the only
 * such list: the triage of a pasted text and the ladder of a vanished run both read it. Every pattern is bounded, for the lines
 * are hostile.
 */
export const FAILURE_WORDS: readonly FailureWords[] = [
  // A scheduler's own words.
  words(
    'time-limit',
    /slurmstepd\S{0,64}: error: .{0,200}CANCELLED AT .{0,60}DUE TO TIME LIMIT|PBS: job killed: walltime|TERM_RUNLIMIT: job killed|^(?:MOAB_INFO:\s{1,4})?[Jj]ob exceeded (?:its )?(?:hard )?wall ?(?:time|clock)(?: time)? limit\b(?!\s+[a-z])/,
    { ending: 'walltime', isOwnWord: true },
  ),
  words(
    'time-limit',
    /slurmstepd\S{0,64}: error: .{0,200}CANCELLED AT .{0,60}DUE TO (?:PREEMPTION|NODE FAILURE|JOB REQUEUE)|^(?:srun|salloc|sbatch|slurmstepd\S{0,64}): error: (?:.{0,80}: )?Node failure on |\bCaught signal SIG\w{1,8} on .{1,80}: this job is (?:preempted|timed-out)|\bExiting gracefully after preemption\/timeout|^(?:submitit [A-Z]{4,8} \(.{1,40}\) - )?(?:Requeued job \d|Handling (?:auto-)?requeue signal(?:: \d{1,2})?\s{0,8}$|[Rr]eque(?:ue?)?ing job \d)/,
    { ending: 'preempted', isOwnWord: true },
  ),
  // Of a job that ended so: in sacct's columns, as scontrol shows it, in the mail of the scheduler.
  words(
    'time-limit',
    /^\d{1,12}\S{0,40}(?:\s.{0,160}\s|\|.{0,160}\|)NODE_FAIL(?:\s{1,20}(?:\d|$)|\||$)|\bJobState=NODE_FAIL\b|\bJob_id=\d.{0,200} NODE_FAIL\b/,
    { ending: 'preempted', isOwnWord: true },
  ),
  words(
    'time-limit',
    /(?:^|\W)(?:spot|preemptible) (?:instance|vm|node)\b(?:(?!\b(?:may|might|can|could|would|if|when|because)\b).){0,60}\b(?:interrupt(?:ed|ion)|preempt(?:ed|ion)|reclaimed|terminat(?:ed|ion))\b|^(?:instance|pod|node|task|job|worker)\b.{0,60}\b(?:was|has been|is being|got) preempted\b|preemption notice received|\bspot (?:instance )?(?:interruption|termination) (?:payload|notice|warning|signal)\b|\b(?:instance|vm|node) is (?:going|about) to be (?:interrupted|preempted|reclaimed|evicted)\b|"(?:event)?type":\s?"preempt"|\bPreempted in order to admit critical pod|\bTaintManagerEviction\b/i,
    { ending: 'preempted', isOwnWord: true },
  ),

  // A card that is broken.
  words(
    'hardware',
    /uncorrectable (?:ECC|NVLINK|NVLink) error|CUDA_ERROR_(?:ECC_UNCORRECTABLE|NVLINK_UNCORRECTABLE)|cudaErrorECCUncorrectable|Double Bit ECC|(?:^|[:'"(]\s{0,2})GPU is lost\b|GPU has fallen off the bus|Unable to determine the device handle for (?:gpu|GPU)|CUDA error: hardware stack error/,
    { isOwnWord: true },
  ),

  words('hardware', /^(?:NVRM: )?.{0,80}\bfallen off the bus\b/, { isOwnWord: true }),
  words('hardware', /\bNVRM: .{0,80}\bRmInitAdapter failed\b/, {
    isOwnWord: true,
    caveat: OR_DRIVER,
  }),
  words('hardware', xidOf('reset', 're-rent'), { isOwnWord: true }),
  words('hardware', xidLine([CONTAINED_XID]), { isOwnWord: true, caveat: CONTAINED }),

  // The kernel and schedulers count these themselves.
  words(
    'host-memory',
    /slurmstepd\S{0,64}: error: .{0,80}Detected \d{1,9} oom[-_ ]kill event|: task \d{1,9}: Out Of Memory$|^\d{1,12}\S{0,40}(?:\s.{0,160}\s|\|.{0,160}\|)OUT_OF_ME(?:MORY|\+)(?:\s{1,20}(?:\d|$)|\||$)|\b(?:[Jj]ob)?(?:[Ss]tate|[Ss]tatus|[Rr]eason)(?: is)?\W{1,4}OUT_OF_MEMORY\b|\bJob_id=\d.{0,200} OUT_OF_MEMORY\b/,
    { ending: 'oom-kill', gotcha: 'SLURM4', isOwnWord: true },
  ),
  words(
    'host-memory',
    /\boom-kill:constraint=|Out of memory: Kill(?:ed)? process|Memory cgroup out of memory|(?<!['"])\bOOMKilled\b(?!['"])|\breason\W{1,6}OOMKilled\b|killed due to (?:the node running low on memory|memory pressure \(OOM\))|running low on memory.{0,200}(?:killed|terminated)|TERM_MEMLIMIT: job killed|crashed after using all available RAM|PBS: job killed: v?mem\b|\bTask in \S{1,300} killed as a result of limit of /i,
    { ending: 'oom-kill', isOwnWord: true },
  ),
  words('host-memory', /\bPod Node didn.{1,2}t have enough resource: memory\b/, {
    isOwnWord: true,
  }),
  words(
    'host-memory',
    /killed by signal: Bus error|insufficient shared memory|out of shared memory|unable to (?:allocate shared memory|mmap \d{1,18} bytes from file|write to file <\/torch_|open shared memory object <\/torch_)|No space left on device.{0,40}\/dev\/shm|\/dev\/shm.{0,120}No space left on device|Error while creating shared memory segment/i,
    { caveat: SHARED_MEMORY },
  ),

  // A node that ends its pods, before what is said of disks and of memory in general.
  words(
    'disk-full',
    /low on resource: (?:ephemeral-storage|nodefs|imagefs|inodes)|ephemeral(?: local|-)? ?storage usage exceeds|had condition: \[DiskPressure\]/i,
    { ending: 'disk-full', gotcha: 'K8S5', isOwnWord: true, isAlsoWarning: true },
  ),
  words('host-memory', /low on resource: memory\b|had condition: \[MemoryPressure\]/i, {
    isOwnWord: true,
    isAlsoWarning: true,
  }),

  words(
    'disk-full',
    /: (?:No space left on device|Disk quota exceeded|设备上没有空间|超出磁盘限额|Auf dem Gerät ist kein Speicherplatz mehr verfügbar)(?: \(\d{1,3}\))?\s{0,8}$/,
    {
      ending: 'disk-full',
      isOwnWord: true,
    },
  ),
  words(
    'disk-full',
    /No space left on device|\[Errno (?:28|122)\]|\bENOSPC\b|\bEDQUOT\b|Disk quota exceeded|basic_ios::clear: iostream error|unexpected pos \d{1,18} vs \d{1,18}|PytorchStreamWriter failed (?:writing|closing)|Not enough (?:free )?disk space|not enough space on the disk|No usable temporary directory found|Os \{ code: (?:28|122)\b|errno = 28\b|no free inodes/i,
    { ending: 'disk-full' },
  ),

  // The card's memory, before the host's: both speak of "memory".
  words(
    'gpu-memory',
    /(?:CUDA|HIP|GPU|ROCm) (?:ran )?out of memory|ran out of memory on GPU|(?:cuda|hip)ErrorMemoryAllocation|(?:CUDA|HIP)_ERROR_OUT_OF_MEMORY|CU(?:BLAS|DNN|SOLVER|SPARSE)_STATUS_ALLOC_FAILED|\bOOM when allocating tensor|RESOURCE[_ ]EXHAUSTED: (?:.{0,120}(?:out of memory|allocat|to reserve)|Out\s{0,4}$)|No available memory for the cache blocks|larger than the maximum number of tokens that can be stored in KV cache|KV cache is needed, which is larger than the available KV cache memory|To serve at least one request with the models?.{0,3}s max seq len|\b(?:Prefill|Decode|alloc_\w{1,40})(?: runs)? out of memory|increase --mem-fraction-static|Free memory on device .{0,120}is less than desired GPU memory utilization|Out of memory error on GPU \d{1,3}|Cuda failure (?:2 )?'out of memory'|cupy\.cuda\.memory\.OutOfMemoryError|BFCArena::AllocateRawInternal|Failed to allocate memory for requested buffer/i,
  ),
  words('gpu-memory', cudaSays('out of memory')),
  words('gpu-memory', /\bcudaSuccess \(2 vs\. 0\)|\bErrStr ?: ?out of memory/, { isOwnWord: true }),
  words('gpu-memory', /^(?:torch\.(?:cuda\.)?)?OutOfMemoryError\b/),
  // llama.cpp and MXNet, without an exception's name before it.
  words('gpu-memory', /\bcudaMalloc (?:retry )?failed: out of memory/, { isOwnWord: true }),

  words(
    'host-memory',
    /DefaultCPUAllocator: (?:can't allocate memory|not enough memory)|^(?:[\w.]{1,100}\.)?_?(?:Array)?MemoryError\b|\bstd::bad_alloc\b|\[Errno 12\] Cannot allocate memory|fork: (?:retry: )?Cannot allocate memory|enforce fail at alloc_cpu\.cpp/,
  ),
  words(
    'host-memory',
    /DataLoader worker .{0,80}(?:is killed by signal: Killed|exited unexpectedly)|killed by signal: Killed|\bBrokenProcessPool\b|\bTerminatedWorkerError\b|Signal 9 \(SIGKILL\) received by PID|exitcode {0,4}: {0,2}-9\b|exits with return code = (?:-9|137)\b|(?:exit(?:ed)? (?:with )?(?:code|status)|returned non-zero exit status):? (?:137|-9)\b|died with <Signals\.SIGKILL: 9>|terminated with signal SIGKILL|Command terminated by signal 9\b|due to SIGKILL|signal: 9, SIGKILL|\bsignale?d\b.{0,40}\bsignal 9(?=\s{0,8}(?:$|rank=))|\bWTERMSIG 9\b/,
    { ending: 'worker-killed', caveat: NOT_PROVEN_MEMORY, isOwnWord: true },
  ),
  words(
    'host-memory',
    /^.{0,200}: (?:line|行|Zeile) \d{1,9}: +\d{1,10} (?:Killed|已杀死|Getötet)(?!\w)|^(?:\[\d{1,3}\] {0,2}[+-]? +(?:\d{1,10} )?)?(?:[Kk]illed|已杀死|Getötet)(?:$| {2,}\S)/,
    {
      ending: 'killed',
      caveat: NOT_PROVEN_MEMORY,
      isOwnWord: true,
    },
  ),

  // Driver, CUDA, torch, libraries, interpreter.
  words(
    'environment',
    /Error 802: system not yet initialized|CUDA error: system not yet initialized|CUDA_ERROR_SYSTEM_NOT_READY/,
    {
      gotcha: 'MN1',
    },
  ),
  words(
    'environment',
    /Torch not compiled with CUDA enabled|No CUDA GPUs are available|Found no NVIDIA driver on your system|could not select device driver|no CUDA-capable device is detected|CUDA_ERROR_NO_DEVICE|cudaErrorNoDevice|Attempting to deserialize object on a CUDA device but torch\.cuda\.is_available\(\) is False|No supported gpu backend found|no supported devices found for platform CUDA|Failed to infer device type|all CUDA-capable devices are busy or unavailable/i,
    { gotcha: 'U31' },
  ),
  words('environment', /\bis not compatible with the current PyTorch installation\b/, {
    isOwnWord: true,
  }),
  words('environment', /\bnvidia-smi: (?:command )?not found$/, { gotcha: 'U31', isOwnWord: true }),
  words(
    'environment',
    /\bnvidia-container-cli: |^Failed to initialize NVML: |^\s{0,4}\(\d\) \w{1,40}: {1,4}DNN library (?:is not found|initialization failed)/,
    { isOwnWord: true },
  ),
  words(
    'environment',
    /\$'[^']{0,200}\\r': |\\r'?: No such file or directory|unexpected token .{0,3}\$'[^']{0,200}\\r'|: set: -: invalid option|\^M: bad interpreter|bad interpreter: .{0,200}\^M|: invalid option name: pipefail$|^: (?:invalid option(?: name)?|(?:command )?not found|No such file or directory|numeric argument required)$|: set: Illegal option -$/,
    {
      gotcha: 'U26',
      isOwnWord: true,
    },
  ),
  words(
    'environment',
    /no kernel image is available|CUDA failure 804|forward compatibility was attempted|please update your (?:GPU )?driver|OCI runtime create failed|unsatisfied condition: cuda|Could not load library libcud|libcudnn.{0,80}not found|detected CUDA version .{0,80}mismatches|CUDA driver version is insufficient|driver on your system is too old|unsupported display driver|the provided PTX was compiled with an unsupported toolchain|CUDA (?:error: (?:invalid device function|initialization error|unknown error)|unknown error)|MissingCUDAException|CUDA_HOME does not exist|Driver\/library version mismatch|couldn't communicate with the NVIDIA driver|CUDA Setup failed|source was compiled with: [\d.]{1,12}\.|CUDA_HOME environment variable is not set|FlashAttention only supports|Bfloat16 is only supported on GPUs|requires? (?:a )?GPUs? with compute capability|PyTorch and torchvision (?:were|was) compiled with different CUDA|operator torchvision::nms does not exist|Numpy is not available|numpy\.core\.multiarray failed to import|numpy\.(?:dtype|ufunc) size changed/i,
  ),
  words(
    'environment',
    /^Unable to load any of \{lib|\b(?:Cannot|Could not) load symbol cu\w{1,60}|^nvcc fatal\s{0,4}:|\bout of resource: shared memory\b|^(?:RuntimeError: )?Error (?:building extension|compiling objects for extension)|\bCommand '\['ninja'|^Unable to dynamically load the "?(?:cu|nccl|nv)\w{0,20}"? shared library|^Could not locate cud\w{1,60}\.dll/,
    { isOwnWord: true },
  ),
  words(
    'environment',
    /\blib[\w.+-]{1,80}: cannot open shared object file|lib(?:cud|cublas|nccl|nvrtc|nvJitLink|nvToolsExt|cusparse|cufft|curand|cusolver|cupti|nvinfer|torch|c10)[\w.+-]{0,60}: (?:cannot open shared object|undefined symbol|version .{0,60}not found)|version `(?:GLIBC|GLIBCXX|CXXABI)_[\d.]{1,12}' not found|undefined symbol: \w{1,200}(?:cuda|cudnn|cublas|nvjit|nccl|c10|torch|at6|ncclComm)\w{0,200}|undefined symbol: (?:_ZN?K?(?:3c10|2at|5torch)|nccl|cu)\w{0,200}|Could not load dynamic library 'lib/i,
  ),
  words(
    'environment',
    /CU(?:BLAS|DNN|SOLVER|SPARSE)_STATUS_(?:NOT_INITIALIZED|INVALID_VALUE|INTERNAL_ERROR|ARCH_MISMATCH|VERSION_MISMATCH|LIBRARY_NOT_FOUND|SUBLIBRARY_\w{1,30}|EXECUTION_FAILED|NOT_SUPPORTED)|DNN library (?:is not found|initialization failed)|Unable to find an engine to execute this computation|Could not create cud?nn handle|unable to find a valid cuDNN algorithm|failed to create cublas handle/i,
    { caveat: OR_GPU_MEMORY },
  ),

  // Numbers and data.
  words(
    'numbers',
    /\bloss (?:is|was|became|has become|went to) (?:nan|inf|not finite|non-finite)\b|\bnan (?:or inf )?(?:loss|found|detected|encountered)\b|(?:NaN|Inf)(?: or (?:NaN|Inf))?(?: values?)? (?:found|detected|encountered) in|found NaN in (?:local|global)? ?(?:forward|grad|loss|param)|contains? (?:nan|infinity)\b|returned nan values in its|The loss returned in `training_step` is|minimum loss scale reached|loss scale already at minimum|Minimum loss scale|Rerun(?:ning)? .{0,60}unexpected result nan|Expected parameter .{0,200}to satisfy the constraint|(?:gradient|grad)(?: norm)? (?:is|contains|became) (?:nan|inf)|non-finite (?:loss|grad)|probability tensor contains either `?inf`?|invalid value encountered in loss/i,
  ),
  words('numbers', /computed checksums? did NOT match|DO NOT MATCH THE HASHES/, {
    isOwnWord: true,
  }),
  words(
    'numbers',
    /\bDecoding error \(36\)|zstd(?:\.\w{1,40})?:? (?:de)?compress(?:ion)? error: (?:[Ii]nvalid input|Data corruption|Corrupted block|Unknown frame|Restored data)|^(?:\w{1,20}: )?corrupted -- |\binvalid (?:deflate|compressed) data\b|\b(?:zstd|gzip|zlib|lz4|xz) uncompress failed|^tar: Unexpected EOF in archive/,
    { isOwnWord: true, caveat: DAMAGED_FILE },
  ),
  words(
    'numbers',
    /(?:hash|sha-?\d{1,3}|md5|checksum|crc(?:32)?|digest|etag)(?: sum| value)?s? (?:(?:does|do) not match|mismatch(?:ed)?|(?:verification|check) failed)|(?:mismatch(?:ed)?|invalid|bad|wrong|incorrect) (?:hash|checksum|sha-?\d{1,3}|md5|crc(?:32)?|digest)\b|(?:expected|got) (?:sha256|md5) .{0,160}(?:got|expected)|NonMatchingChecksumError|PytorchStreamReader failed|invalid header or archive is corrupted|header too (?:large|small)|incomplete metadata, file not fully covered|MetadataIncompleteBuffer|InvalidHeaderDeserialization|Bad CRC-32|not a gzip file|unexpected EOF, expected \d{1,18} more bytes|corrupted? record at|DataLossError|\bBadZipFile\b|Error while deserializing header|Parquet magic bytes not found|\bcorrupt(?:ed)? (?:\w{1,20} ){0,2}(?:data|file|block|archive|record|shard|checkpoint|stream)\b|\b(?:file|archive|image|record|shard|checkpoint|stream) (?:is|was|seems|appears|(?:may|might|could) be)(?: to be)? (?:truncated|corrupt(?:ed)?|damaged)\b|\btruncated file\b|incomplete or truncated stream|unexpected end of (?:data|file|stream)\b|\bunexpected EOF\b|storage has wrong size|ended before the end-of-stream marker|Zstd decompression error|Error -[35] while decompressing|cannot identify image file|\binvalid load key\b|Ran out of input$|file signature not found/i,
    { caveat: DAMAGED_FILE },
  ),

  // A proxy that refuses says 403, and so does who wants a key.
  words('network', /\bProxyError\b|Tunnel connection failed|Cannot connect to proxy/i),

  // A store that is asked too often says 403, too.
  words(
    'network',
    /\bRate limit exceeded\b|\bError 403: .{0,60}Rate ?Limit|\b(?:userR|r)ateLimitExceeded\b|\bSlowDown\b/,
  ),

  // Code and configuration.
  words(
    'code-or-config',
    /GatedRepoError|gated repo|Access to model .{0,120}is restricted|(?:401|403) Client Error|RepositoryNotFoundError|Repository Not Found|\bEntryNotFoundError|(?:Invalid user token|Invalid username or password|invalid api key|User Access Token .{0,60}(?:expired|invalid))|is not a local folder and is not a valid model identifier|permission_denied|AccessDenied\b|(?:HTTP )?(?:401 Unauthorized|403 Forbidden)|googleapi: Error 40[134]\b|HTTP response code 40[134]\b|batch response: (?:Access forbidden|This repository is over its data quota)|PERMISSION_DENIED: |bad response: 40[134]\b|Error while calling W&B API: .{0,60}(?:permission|40[134])|OfflineModeIsEnabled|\bNoSuch(?:Key|Bucket)\b|\bthe bucket (?:path|permission)\b|requires? you to (?:be authenticated|execute the)|(?:option|argument|pass|passing|set|setting|use|using|with) [`'"]?trust_remote_code=True|api_key not configured|No API key configured/i,
    { caveat: MISSING_KEY },
  ),
  words(
    'code-or-config',
    /\bUnable to locate credentials\b|\bNoCredentialsError\b|\bDefaultCredentialsError\b|Could not automatically determine credentials|\bAn error occurred \((?:Expired|Invalid|Access|Signature|Auth|Unrecognized|Forbidden)\w{0,40}\) when calling|The AWS Access Key Id you provided does not exist|(?:^|: )Permission denied \((?:publickey|password|keyboard-interactive|gssapi)[\w,-]{0,80}\)|^Host key verification failed\.?$|^fatal: Could not read from remote repository|^fatal: Authentication failed for /,
    { isOwnWord: true, caveat: MISSING_KEY },
  ),
  words(
    'code-or-config',
    /\[Errno 24\]|\bToo many open files\b|received \d{1,4} items of ancdata/,
    {
      caveat: OPEN_FILES,
    },
  ),
  words(
    'code-or-config',
    /ConfigAttributeError|ConfigKeyError|ConfigCompositionException|ConfigTypeError|OverrideParseException|MissingMandatoryValue|InterpolationKeyError|Could not override|Override path .{0,120}is not a mapping|is not in struct/,
    { gotcha: 'U27' },
  ),
  words(
    'code-or-config',
    /^[\w./-]{0,200}: error: (?:unrecognized arguments|the following arguments are required|argument |invalid choice|ambiguous option|one of the arguments|Parser key|Key |No action for)|Error: No such option|Error: Missing option|Error: Invalid value for|MisconfigurationException|DeepSpeedConfigError|Check batch related parameters|InstantiationException|Error locating target|Error in call to target|validation errors? for \w{1,100}|unknown backend|Unrecognized (?:configuration class|model in)|unexpected keyword argument/i,
    { isOwnWord: true },
  ),
  words(
    'code-or-config',
    /^ERROR: (?:Could not find a version that satisfies|No matching distribution found|ResolutionImpossible|Cannot install)|^(?:Could not find a version that satisfies|No matching distribution found)/,
    { isOwnWord: true },
  ),
  words(
    'code-or-config',
    /^(?:sbatch|srun|salloc): error: (?:Batch job submission failed|Unable to allocate resources): (?!Socket timed out|Unable to contact|Zero Bytes|Unexpected message|Job\/step already)|^(?:conda\.\w{1,40}\.)?(?:LibMamba)?(?:UnsatisfiableError|PackagesNotFoundError|ResolvePackageNotFound)\b/,
    { isOwnWord: true },
  ),
  words(
    'code-or-config',
    /\[Errno (?:1|13)\] |^(?:[\w./+-]{1,120}: ){1,3}.{0,300}: Permission denied$/,
    {
      isOwnWord: true,
    },
  ),
  words(
    'code-or-config',
    /\bncclInvalid(?:Usage|Argument)\b|NCCL error in: .{0,200}, invalid (?:usage|argument)\b|Duplicate GPU detected/,
  ),
  words('code-or-config', xidOf('app'), { isOwnWord: true }),
  words(
    'code-or-config',
    /^Memory access fault by GPU node-\d|\bHSA_STATUS_ERROR_(?:MEMORY_APERTURE_VIOLATION|MEMORY_FAULT|ILLEGAL_INSTRUCTION)\b|\bNCCL WARN Cuda failure (?:\d{1,4} )?'(?:device-side assert|an illegal|misaligned|unspecified launch)/,
    { isOwnWord: true, caveat: OR_BROKEN_CARD },
  ),
  words(
    'code-or-config',
    /(?:CUDA error|cuda runtime error \(\d{1,3}\)|CUDA failure(?: \d{1,4})?) ?: '?(?:device-side assert triggered|an illegal memory access was encountered|misaligned address|invalid device ordinal|invalid configuration argument|invalid argument|invalid resource handle|unspecified launch failure|an illegal instruction was encountered|operation not permitted)|cudaErrorIllegalAddress|cudaErrorAssert|CUDA_ERROR_(?:ILLEGAL_ADDRESS|ASSERT|LAUNCH_FAILED|MISALIGNED_ADDRESS)|ScatterGatherKernel\.cu.{0,120}Assertion|Assertion `.{0,120}` failed/,
    { caveat: OR_BROKEN_CARD },
  ),
  words(
    'code-or-config',
    /Error\(s\) in loading state_dict|size mismatch for |mat1 and mat2 (?:shapes|must)|Expected all tensors to be on the same device|The size of tensor .{0,40}must match|Trying to backward through the graph a second time|element \d{1,6} of tensors does not require grad|Expected (?:input batch_size|target size|object of|.{0,60}to have the same dtype)|expected scalar type|shape '.{0,80}' is invalid for input|Given groups=|Sizes of tensors must match|Input type .{0,80}and weight type|one of the variables needed for gradient computation has been modified|stack expects each tensor to be equal size|Unable to create tensor, you should probably|Expected to have finished reduction in the prior iteration|EADDRINUSE|Address already in use|has failed to (?:bind to|listen on any)|\bnot implemented for '\w{1,20}'|DDP expects same model|context has already been set|finished its bootstrapping phase|Cannot re-initialize CUDA in forked subprocess|is not divisible by|must be divisible by|index out of range in self|Token indices sequence length|Attempted to use .{0,60}but|Loss does not have .{0,20}grad/i,
  ),
  words(
    'code-or-config',
    /^(?:.{0,200}: line \d{1,9}: +\d{1,10} )?(?:Segmentation fault|Illegal instruction|Floating point exception)\b|Signal: Segmentation fault|Fatal Python error: Segmentation fault|(?:signal 11 \(SIGSEGV\)|Signal 11 \(SIGSEGV\)|exitcode {0,4}: {0,2}-11\b|return code = -11\b|<Signals\.SIGSEGV: 11>)|terminated with signal SIGSEGV|\bsignale?d\b.{0,40}\bsignal (?:4|8|11)(?=\s{0,8}(?:$|rank=))/i,
    {
      isOwnWord: true,
    },
  ),
  words(
    'code-or-config',
    /^(?:.{0,120}: )?(?:line \d{1,9}: )?(?:[\w./+-]{1,120}: )?(?:command not found|can't open file '.{0,300}': \[Errno 2\]|No module named [\w.]{1,100}$|cannot access '.{0,300}': No such file or directory)/,
    { isOwnWord: true },
  ),

  // Others that waited for one.
  words(
    'collective-timeout',
    /Timed out waiting for (?:minimum number of |\d{1,6} )?slots to become available/,
    {
      gotcha: 'MN6',
      isEcho: true,
    },
  ),
  words(
    'collective-timeout',
    /tensors were submitted to be reduced, gathered or broadcasted|^\S{1,300} \[missing ranks: [\d, ]{1,200}|\bHorovodInternalError\b|Horovod has been shut down/,
    { isOwnWord: true, isEcho: true, isAlsoWarning: true },
  ),
  words(
    'collective-timeout',
    /^An MPI communication peer process has unexpectedly disconnected|^\s{1,4}Peer host: {1,4}\S/,
    { isOwnWord: true, isEcho: true },
  ),
  words(
    'collective-timeout',
    /NCCL WARN .{0,80}(?:Got completion (?:from peer|with error)|Call to ibv_\w{1,40} failed|Connection closed by remote peer|Socket recv failed|socketStartConnect: Connect to |Failed to execute operation)/,
    { isOwnWord: true, isEcho: true, isAlsoWarning: true, needsError: true },
  ),
  words(
    'collective-timeout',
    /Watchdog caught collective operation timeout|Caught collective operation timeout|collective operation timeout|NCCL timeout|collective .{0,80}timed out|Some NCCL operations have failed or timed out|NCCL watchdog thread terminated|Watchdog (?:timeout|got stuck|hang)|heartbeat (?:monitor|timeout)|has been set to ERROR in coordination service|connect\(\) timed out|\bDistBackendError\b|NCCL error\b|ncclSystemError|ncclInternalError|ncclRemoteError|ncclUnhandledCudaError|unhandled (?:system|cuda) error|NCCL communicator was aborted|\bsocketStartConnect: Connect to |remote process (?:has )?(?:exited|terminated)|Connection closed by (?:remote )?peer|recvValue failed|\bDist(?:Store|Network)Error\b|Timed out after \d{1,9} ?(?:ms|seconds) waiting for clients|wait timeout after \d{1,9}ms|Wait timeout\b|Socket Timeout|monitoredBarrier|Gloo connectFullMesh failed|gloo\/transport.{0,160}(?:Connection reset|Timed out|closed by peer)|\bRendezvous(?:Timeout|Connection|Closed|State|GracefulExit)Error\b|The client socket has (?:timed out|failed to connect)|barrier timed out|CoordinationService.{0,80}(?:timed out|DEADLINE_EXCEEDED)|DEADLINE_EXCEEDED: Barrier|got completion from peer .{0,80}status=12|RPC call to sample_tokens timed out|RPC call to execute_model timed out/i,
    { isEcho: true },
  ),

  // What lies outside of the box.
  words(
    'network',
    /\[Errno (?:107|116)\]|: (?:Stale (?:NFS )?file handle|Transport endpoint is not connected)$/,
    { isOwnWord: true },
  ),
  words(
    'network',
    /error code: 524|524: A timeout occurred|HTTP (?:Error |status )?524\b|\b(?:Connect|Read|Pool|Connection)Timeout(?:Error)?\b|Read timed out|The (?:read|write|handshake) operation timed out|Max retries exceeded with url|NewConnectionError|NameResolutionError|Failed to (?:establish a new connection|resolve)|Temporary failure in name resolution|Name or service not known|nodename nor servname provided|Could not resolve (?:host|proxy)|Network is unreachable|No route to host|Connection timed out|connect(?:ion)? to .{0,160}(?:timed out|refused)|Unable to contact slurm controller|Socket timed out on send\/recv operation|requests\.exceptions\.(?:ConnectionError|ChunkedEncodingError|SSLError)|urllib\.error\.URLError|<urlopen error|RemoteDisconnected|IncompleteRead|SSLEOFError|SSLError|CERTIFICATE_VERIFY_FAILED|\bgaierror\b|LocalEntryNotFoundError|trying to locate the files? on the Hub|couldn't connect to '?https?:\/\/|(?:429|50[0-4]|524) (?:Client|Server) Error|HTTP Error (?:429|50[0-4])|Too Many Requests|wandb\.(?:errors\.)?(?:[\w.]{0,60}\.)?CommError|wandb.{0,80}(?:timed out|timeout)|EndpointConnectionError|ConnectTimeoutError|ClientConnectorError|ServerDisconnectedError|fatal: unable to access|curl: \((?:5|6|7|18|28|35|52|55|56|92)\)|Unable to connect to (?:the )?(?:proxy|server)|Could not fetch URL|forcibly closed by the remote host|\b(?:read|write|dial) tcp \S{1,120}: .{0,80}(?:reset by peer|broken pipe|timeout|refused|no such host)|httpx\.\w{1,40}(?:Error|Timeout)|httpcore\.\w{1,40}(?:Error|Timeout)|Connection aborted\.|Consistency check failed: file should be of size|CAS service error|OSError: We couldn't connect|Failed to download|wget: unable to resolve/i,
  ),

  // The way to the box.
  words(
    'transport',
    /client_loop: send disconnect|Connection to \S{1,200} closed(?: by remote host)?\.?$|closed by remote host|packet_write_wait|kex_exchange_identification|^ssh: connect to host|^rsync:? ?(?:\[\w{1,20}\] )?(?:read|write) error: (?:Broken pipe|Connection (?:reset|timed out))|rsync error: .{0,160}(?:connection|timeout|protocol|socket IO|unexplained error \(code 255\))|connection unexpectedly closed \(|scp: .{0,80}lost connection|^lost connection$|Write failed: Broken pipe|\bCommand '\[?'?ssh\b.{0,300} exit status 255\b/i,
    { isOwnWord: true, isEcho: true },
  ),

  // Somebody told it to end.
  words(
    'hang-up',
    /got signal: 1\b|\b\d{1,3} jobs? SIGHUPed\b|Received (?:(?:OS )?signal '?hangup|1 death signal|SIGHUP|Signals\.SIGHUP)|signal 1\b \(SIGHUP\)|Signal 1 \(SIGHUP\)|closing signal SIGHUP|^.{0,200}: line \d{1,9}: +\d{1,10} Hangup\b|^Hangup(?:$| {2,}\S)/,
    { ending: 'hang-up', isOwnWord: true },
  ),
  words(
    'ended-by-signal',
    /got signal: 15\b|Received (?:15 death signal|SIGTERM|Signals\.SIGTERM|signal 15\b|termination signal)|(?<!\bfor )signal 15\b|Signal 15 \(SIGTERM\)|exitcode {0,4}: {0,2}-15\b|(?:exits? with return code =|(?:exit(?:ed)? (?:with )?(?:code|status)|returned non-zero exit status):?) (?:143|-15)\b|<Signals\.SIGTERM: 15>|terminated with signal SIGTERM|^.{0,200}: (?:line|行|Zeile) \d{1,9}: +\d{1,10} (?:Terminated|已终止|Beendet)(?!\w)|(?:^|[\\/|-] ?)Terminated(?:$| {2,}\S)|slurmstepd\S{0,64}: error: .{0,120}CANCELLED AT |SIGTERM received/i,
    { ending: 'terminated', isOwnWord: true, isEcho: true },
  ),
  words(
    'ended-by-signal',
    /^KeyboardInterrupt\b|^Aborted!$|Received (?:SIGINT|Signals\.SIGINT|2 death signal)|got signal: 2\b/,
    {
      ending: 'interrupted',
      isOwnWord: true,
      isEcho: true,
    },
  ),

  // What says that a process ended, and not why.
  words(
    null,
    /^(?:.{0,200}: line \d{1,9}: +\d{1,10} )?(?:Bus error|Aborted)\b|ChildFailedError|ProcessExitedException|ProcessRaisedException|CalledProcessError|Root Cause \(first observed failure\)|died with <Signals\.SIG(?:ABRT|BUS)|exitcode {0,4}: {0,2}-(?:6|7)\b|srun: error: .{0,200}(?:Exited with exit code|Aborted|Killed)|exits with return code = -?[1-9]|\bsmudge filter lfs failed|\bexternal filter .{1,60} failed|\bEngineDeadError\b|Engine core initialization failed|EngineCore (?:died|failed)/,
    { isOwnWord: true, isEcho: true },
  ),
];
