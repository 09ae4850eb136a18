import type { LogLine } from './log-lines.ts';

const BAR = /\d{1,3}%\|.{0,200}?\|\s{0,3}([\d.]{1,12}[kMGT]?\/[\d.?]{1,12}[kMGT]?)\s{0,3}\[/;

/** How far a progress bar has come; null: the line is none. */
export function isProgressBar(text: string): string | null {
  return BAR.exec(text)?.[1] ?? null;
}

const STEP =
  /(?:^|[\s[({|,'"])(?:epochs?|steps?|iter(?:ation)?s?|global_step|batch|it|trial|episode)['"]?\s{0,2}[:=#[(|/ ]\s{0,3}\d/i;
const LOSS =
  /(?:^|[\s{'"|,(])(?:\w{1,20}[_/ -])?loss['"]?\s{0,2}[:=]?\s{0,2}['"]?(?:-?\d|nan|inf)/i;

/** Figures of a run that goes on: a step, an epoch, a loss. */
export function hasFigures({ text }: LogLine): boolean {
  return STEP.test(text) || LOSS.test(text);
}

/** A run that says it begins, goes on after what it caught, or ends as it should. */
const GOES_ON =
  /^\W{0,6}(?:(?:re)?start(?:ing|ed)|start (?:running|train)|(?:re)?loading|resum(?:e|ing|ed)|retry(?:ing)?|restart|(?:re)?launch(?:ing|ed)|begin(?:ning)?|continu(?:e|ing)|recover(?:ed|ing)|fall(?:ing|s)? back|skipping|reduc(?:ing|ed)|trying again|(?:all )?done\b|finish(?:ed)?\b|complete(?:d)?\b|success|saved?\b|saving|(?:training|run|job|all \w{1,20}) (?:is |was )?(?:done|finished|complete|ended|started|begins)|evaluating|validating|sanity checking|world size|using (?:device|gpu|seed|\d)|gpu available)|^[=\-#*>]{2,12}\s?.{0,80}\b(?:run|start(?:ed|ing)?|attempt|cell|launch(?:ed|ing)?|resum(?:e|ed|ing)|experiment)\b|^[+$] {0,2}(?:python|torchrun|accelerate|deepspeed|bash|srun|mpirun|nohup|\w{1,40}=)/i;
const TAKEN_UP =
  /\b(?:caught(?! collective)|will retry|will restart|retrying|restarting|restart_count=|resum(?:ing|ed) from|recovered|continuing with|falling back)\b/i;

const ENDED_WELL =
  /^\W{0,6}(?:(?:all )?done\b|finish(?:ed)?\b|complete(?:d)?\b|success|(?:training|run|job|all \w{1,20}) (?:is |was )?(?:done|finished|complete))/i;
const BEGINS =
  /^\W{0,6}(?:(?:re)?(?:start|load|launch)(?:ing|ed)|resum(?:e|ing|ed)|retry|restart|begin|continu|world size)|^[=\-#*>]{2,12}\s?.{0,80}\b(?:run|start|attempt|launch|resum)|^[+$] {0,2}\w/i;

/** Whether a run had said that it is over, and well, and nothing began after that. */
export function hasEndedWell(lines: readonly LogLine[]): boolean {
  const last = lines
    .filter((line) => hasFigures(line) || BEGINS.test(line.text) || ENDED_WELL.test(line.text))
    .at(-1);
  return last !== undefined && !hasFigures(last) && ENDED_WELL.test(last.text);
}

/** Not what a traceback prints, nor a launcher that ends. */
export function doesGoOn(line: LogLine): boolean {
  if (isEpilogue(line)) return TAKEN_UP.test(line.text);
  return hasFigures(line) || GOES_ON.test(line.text) || TAKEN_UP.test(line.text);
}

/** The words of something that was caught, and is tried once more. */
const RETRIED =
  /\bretrying\b|\bretry (?:in|with|after|at|\d)|\bwill retry\b|\btrying again\b|\bfall(?:ing|s)? back\b|\bskipp(?:ing|ed)\b|\bleft out\b|\bignor(?:ing|ed)\b|\bcaught\b(?! collective)|\brecover(?:ed|ing)\b|\bhandled\b|\b(?:attempt|try|retry) #?\d{1,4} ?(?:\/|of) ?\d/i;

export const isRetried = ({ text }: LogLine): boolean => RETRIED.test(text);

const COMMENT =
  /^\s{0,8}(?:#|\/\/|--\s|\*\s|>{1,3}\s|(?:note|hint|tip|example|faq|todo|docs?|usage note|reminder)\b\s{0,2}:)/i;

/** It speaks of a failure, and tells of none. */
export const isComment = ({ text }: LogLine): boolean => COMMENT.test(text);

/** What is printed around an end: a launcher's summary, a tracker that closes, a shell, the rest of a C++ exception. */
const EPILOGUE =
  /^\s{0,8}(?:wandb:|(?:time|host|rank|exitcode|error_file|traceback|msg)\s{0,8}:|\[\d{1,4}\]:?$|[=\-*~#^_]{3,}$|Failures:$|Root Cause|<NO_OTHER_FAILURES>|srun:|slurmstepd:|salloc:|sbatch:|mpirun|Primary job|prterun|frame #\d|Exception raised from|\*\*\* |terminate called|what\(\):|CUDA kernel errors might|For debugging consider|Compile with|Device-side assertion|Please |See |See: |Run `|make: \*\*\*|real\b|user\b|sys\b|warnings\.warn\(|\(raylet|The above exception|During handling|Set the environment variable|Detected at node|(?:Last State|State|Reason|Message|Exit Code|Started|Finished|Ready|Restart Count|Status):\s{2}|[{}\][]{1,3},?$|"\w{1,40}"\s?:\s?(?:[{[]|"[^"]{0,300}",?$|\d{3},?$)|Stalled ops:|Node: |Hint: |\[\[|\d{1,3} root error|\d{1,3} (?:successful operations|derived errors)|Function call stack|\(\d\) )|torch[./]distributed|elastic[./]|closing signal SIG|resource_tracker|leaked (?:semaphore|shared_memory)|Warning: |destroy_process_group|ProcessGroup(?:NCCL|Gloo)|core dumped|Exception ignored|Killing subprocess|launch\.py|exits with return code|exit(?:ed)? (?:with )?(?:code|status)\b|failed \(exitcode|\bNCCL INFO\b| FAILED$|exitcode|^\[[\w.-]{1,60}:\d{1,10}\] /i;

export const isEpilogue = ({ text, raw }: LogLine): boolean =>
  EPILOGUE.test(text) || EPILOGUE.test(raw);
