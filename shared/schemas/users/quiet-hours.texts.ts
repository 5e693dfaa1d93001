import { describeFields } from '../fields/field-texts.ts';
import { QuietHours, QuietWindow } from './quiet-hours.ts';

describeFields(QuietHours, {
  from: "Start time in the user's timezone, such as 22:00 or 10:00 pm.",
  to: "End time in the user's timezone; a time not after from is on the next day.",
  days: 'Weekdays when quiet hours begin; every day if absent.',
  channels: 'The channels that they apply to; without it, all but INAPP_WEB, which is never held.',
  mode: 'hold sends when they end, drop never sends.',
});

describeFields(
  QuietWindow,
  {
    floor: "True if it overrides the user's settings, for example for hours that the law sets.",
    timezone:
      "recipient: the timezone of the number's country for users without one; of its most westerly and easterly timezones, the stricter. Without it, the account's.",
  },
  QuietHours,
);
