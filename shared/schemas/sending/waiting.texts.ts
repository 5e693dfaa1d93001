import { describeFields } from '../fields/field-texts.ts';
import { Waiting, WaitingEntry } from './waiting.ts';

describeFields(Waiting, {
  reason:
    'SCHEDULE: the requested time. BATCH: the next digest. QUIET_HOURS, PAUSED: the user. STEP: the time of its step.',
  until: 'The time when it is evaluated again or sent.',
});

describeFields(WaitingEntry, {
  waitingId: 'Names the entry in PUT and DELETE /waiting/{waitingId}.',
  trackingIds: 'The notifications: one, or the items of a digest.',
  type: 'The notification type.',
  userId: 'The user; absent for a topic.',
  topic: 'The topic.',
  delivery: 'How a digest collects.',
  until: 'When the first of its channels is due.',
  channels: [
    'The channels that wait, earliest first; empty for a topic, whose members are decided then.',
    {
      reason:
        'SCHEDULE: the requested time. BATCH: the next digest. QUIET_HOURS, PAUSED: the user. STEP: the time of its step. RETRY: the next attempt of an email.',
      until: 'The time when it is evaluated again or sent.',
      when: 'The condition of its step.',
    },
  ],
});
