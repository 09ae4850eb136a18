import { problem, type Problem } from '../../shared/problem.ts';

export function gone(): Problem {
  return problem('not-connected', 'The box is not connected, or the run is not known any more.');
}

export function stopped(): Problem {
  return problem('aborted', 'Bringing the results home was stopped.', {
    nextStep: 'Bring them home again to go on: what has arrived is not sent twice.',
  });
}

export function isPaused(): Problem {
  return problem('results-not-pulled', 'Results of this box are paused on their way.', {
    nextStep: 'Resume or stop them first.',
  });
}
