import { describeFields } from '../fields/field-texts.ts';
import { InappMarks } from './inapp.ts';

describeFields(InappMarks, {
  trackingIds: 'The items to mark: up to 100 tracking IDs.',
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
  snoozedUntil:
    'Time until which the item is hidden from the list and the count, at most one year ahead. It then returns unread, at the top, with that time as its date. null returns it now, unchanged; archiving it ends the snooze.',
});
