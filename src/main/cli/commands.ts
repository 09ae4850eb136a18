import type { Command } from './command.ts';
import { alerts } from './alerts.ts';
import { detect } from './detect.ts';
import { doctor } from './doctor.ts';
import { evidenceCheck } from './evidence-check.ts';
import { evidenceExport } from './evidence-export.ts';
import { gotchasCheck } from './gotchas-check.ts';
import { gotchasCoverage } from './gotchas-coverage.ts';
import { gotchasDraft } from './gotchas-draft.ts';
import { gotchasExport } from './gotchas-export.ts';
import { gotchasKeep } from './gotchas-keep.ts';
import { gotchasList } from './gotchas-list.ts';
import { gotchasSearch } from './gotchas-search.ts';
import { gotchasShow } from './gotchas-show.ts';
import { home } from './home.ts';
import { teardownInspect, teardownPlan } from './teardown-inspect.ts';
import { meterLedger } from './meter-ledger.ts';
import { meterSums } from './meter-sums.ts';
import { patrol } from './patrol.ts';
import { preflight } from './preflight.ts';
import { profilesCheck } from './profiles-check.ts';
import { profilesShow } from './profiles-show.ts';
import { profilesTable } from './profiles-table.ts';
import { profilesVerbs } from './profiles-verbs.ts';
import { pull } from './pull.ts';
import { queueAdd } from './queue-add.ts';
import { queueList } from './queue-list.ts';
import { queuePause, queueResume, queueStop } from './queue-wish.ts';
import { readAuto } from './read-auto.ts';
import { readCgroup } from './read-cgroup.ts';
import { readDf } from './read-df.ts';
import { readDmon } from './read-dmon.ts';
import { readQuery } from './read-query.ts';
import { readXid } from './read-xid.ts';
import { recovery } from './recovery.ts';
import { requestCheck } from './request-check.ts';
import { requestNew } from './request-new.ts';
import { requestPlan } from './request-plan.ts';
import { requestRehearse } from './request-rehearse.ts';
import { requestSchema } from './request-schema.ts';
import { runsKill } from './runs-kill.ts';
import { runsList } from './runs-list.ts';
import { runsLog } from './runs-log.ts';
import { runsMachineGone } from './runs-machine-gone.ts';
import { runsSaves } from './runs-saves.ts';
import { runsStart } from './runs-start.ts';
import { runsResume } from './runs-resume.ts';
import { sweepPlan } from './sweep-plan.ts';
import { sweepStart } from './sweep-start.ts';
import { sweepStatus } from './sweep-status.ts';
import { triage } from './triage.ts';
import { verify } from './verify.ts';
import { version } from './version.ts';

/** Every command in the order of the help. A new one is its own file and a line here. */
export const commands: readonly Command[] = [
  readAuto,
  readDmon,
  readQuery,
  readXid,
  readDf,
  readCgroup,
  detect,
  patrol,
  preflight,
  alerts,
  recovery,
  runsStart,
  runsList,
  runsLog,
  runsKill,
  runsResume,
  runsMachineGone,
  runsSaves,
  queueList,
  queueAdd,
  queuePause,
  queueResume,
  queueStop,
  sweepPlan,
  sweepStart,
  sweepStatus,
  pull,
  home,
  teardownInspect,
  teardownPlan,
  verify,
  evidenceCheck,
  evidenceExport,
  requestNew,
  requestCheck,
  requestPlan,
  requestRehearse,
  requestSchema,
  profilesCheck,
  profilesTable,
  profilesVerbs,
  profilesShow,
  gotchasList,
  gotchasShow,
  gotchasSearch,
  gotchasDraft,
  gotchasKeep,
  gotchasExport,
  gotchasCheck,
  gotchasCoverage,
  triage,
  meterSums,
  meterLedger,
  doctor,
  version,
];
