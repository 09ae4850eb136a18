import { states } from '../../shared/teardown/gate-cases.fixture.ts';
import { inspectionOf } from '../../shared/teardown/gate.fixture.ts';
import { approvedEnd, type TeardownStep } from '../../shared/teardown/teardown-record.ts';

/** As the evidence has it from before the verb is called. */
export const APPROVED_STEP: TeardownStep = {
  step: 'approved',
  ...approvedEnd('act-1', states.approved.approval, inspectionOf('seen'), {
    ...{ secrets: null, who: null },
  }),
};
