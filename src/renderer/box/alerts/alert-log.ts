import { alertLogStream, type AlertLog } from '../../../shared/streams/alerts-stream.ts';

/** Main takes this stream for the sign that the person looks at the alerts of the box. */
export const ALERT_LOG = {
  stream: 'alert-log',
  kind: alertLogStream,
  fromWire: (wire: AlertLog) => wire,
} as const;
