import { describeFields } from './field-texts.ts';
import { InappMarks } from './inapp.ts';

describeFields(InappMarks, {
  trackingIds: 'The items to mark, by tracking ID.',
  opened: 'Time it was opened; true for now, null to clear.',
  clicked: 'Time it was clicked; true for now, null to clear.',
  archived: 'Time it was archived; true for now, null to clear.',
  actioned1: 'Time its first action was used; true for now, null to clear.',
  actioned2: 'Time its second action was used; true for now, null to clear.',
  reply: [
    "The user's reply.",
    {
      message: 'The text of the reply.',
      date: 'Time of the reply.',
    },
  ],
  snoozedUntil: 'Time until which the item is hidden, at most one year ahead; null to show it again.',
});
