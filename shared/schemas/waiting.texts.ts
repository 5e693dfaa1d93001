import { describeFields } from './field-texts.ts';
import { Waiting } from './waiting.ts';

describeFields(Waiting, {
  channel: 'The channel.',
  reason:
    'SCHEDULE: the requested time. BATCH: the next digest. QUIET_HOURS, PAUSED: the user. STEP: the time of its step.',
  until: 'The time at which it is evaluated again or sent.',
});
