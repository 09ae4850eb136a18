import type { BlockerKind } from './inspection.ts';

/** What a person can do about each, besides accepting the loss where that can be. */
export const WAY_FORWARD: Readonly<Record<BlockerKind, string>> = {
  'not-looked':
    'Connect to the box, and check it again. If it was ended elsewhere, as your provider’s console shows, remove it from Leasehold: that stops its meter here.',
  'ordered-elsewhere':
    'Find out on the computer that approved it, or in your provider’s console, what came of it. Two such requests may end two machines.',
  'run-alive': 'Wait for it to finish, or end it on the Runs tab.',
  'run-unreadable':
    'Look into its folder on the box, from a terminal. If it has results, add their folder on the Runs tab, and bring it home.',
  'run-unplaced':
    'Find where it wrote, from a terminal. Then add that folder on the Runs tab, and bring it home.',
  'run-missing':
    'Check in a terminal whether its home folder is mounted. Then check the box again.',
  'queue-waiting': 'Let the queue finish, on the Runs tab.',
  'sweep-open': 'Run the missing cells again, or wait for the other boxes of the sweep.',
  'process-alive': 'Wait for it to finish, or end it in a terminal.',
  'processes-unknown':
    'The Alerts tab shows what could not be checked. If this box can never tell, make sure yourself that nothing else runs on it.',
  'tracker-log':
    'Upload it from a terminal, for example with “wandb sync”. What is home can be uploaded from this computer. One that was written to within the last ten minutes may still be uploading: wait, then check again.',
  elsewhere: 'Look through the box on the Files tab or in a terminal.',
  'never-pulled': 'Bring the results home.',
  'not-there':
    'Check the box again once its disk is mounted, or once you have found where it wrote. If nothing more can come from there, accept that.',
  'not-home': 'Bring the results home again.',
  'link-out':
    'Add the folder that it leads to on the Runs tab, and bring it home. If nothing there counts, accept that.',
  damaged: 'Where a file is damaged on the box too, accept it on the page of its run.',
  'proof-below':
    'Load them yourself, for example with your own Python on the page of the run, and accept that; or ask for less under Settings.',
  'copies-unread': 'Read the copies again.',
  'copies-gone': 'Bring the results home again.',
  'other-machine':
    'Make sure that this is the right box. Then read the copies again, to compare them with what it has now.',
  'evidence-broken':
    'Restore the whole of Leasehold’s data folder from your newest backup, not the database alone.',
  'tier-goes': 'Add their folder on the Runs tab, and bring it home.',
  'others-data': 'Choose an action that keeps the shared storage, or move their results first.',
  'bills-on': 'Delete each of them in your provider’s console, or accept that it goes on billing.',
};
