import { describeFields } from './field-texts.ts';
import { InappMarks } from './inapp.ts';

describeFields(InappMarks, {
  trackingIds: 'The items to mark, by tracking ID.',
  opened: 'When it was opened: a time, true for now, or null to clear.',
  clicked: 'When it was clicked: a time, true for now, or null to clear.',
  archived: 'When it was archived: a time, true for now, or null to clear.',
  actioned1: 'When its first action was used: a time, true for now, or null to clear.',
  actioned2: 'When its second action was used: a time, true for now, or null to clear.',
  reply: [
    "The user's reply.",
    {
      message: 'The text of the reply.',
      date: 'When the user replied.',
    },
  ],
  snoozedUntil: 'Until when the item is hidden: a time within a year, or null to end it.',
});
