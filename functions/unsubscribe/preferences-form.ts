import type { StoredType } from '../../shared/database/entities/notification-types.ts';
import {
  type Preference,
  type Preferences,
  preferredDelivery,
} from '../../shared/database/entities/preferences.ts';
import { effectiveDelivery } from '../../shared/domain/delivery-options.ts';
import { escapeHtml } from '../../shared/http/escape-html.ts';
import { renderPage } from '../../shared/http/page.ts';
import type { Channel } from '../../shared/schemas/channel.ts';
import { DELIVERY_OPTIONS, type DeliveryOption } from '../../shared/schemas/delivery-mode.ts';

const CHANNEL_NAMES: Record<Channel, string> = {
  EMAIL: 'Email',
  INAPP_WEB: 'In the app',
  SMS: 'Text message',
  CALL: 'Call',
  PUSH: 'Push notification',
  WEB_PUSH: 'Browser notification',
  CHAT: 'Chat',
};
const OPTION_NAMES: Record<DeliveryOption, string> = {
  off: 'Off',
  instant: 'Immediately',
  hourly: 'Once an hour',
  daily: 'Once a day',
  weekly: 'Once a week',
  monthly: 'Once a month',
};
const BODY_LENGTH_MAX = 64 * 1024;

/** One choice on the page: a type's channel, what it is set to and what it can be set to. */
type Choice = {
  notificationId: string;
  channel: Channel;
  current: DeliveryOption;
  options: DeliveryOption[];
};

/** Choices of the enabled types, those with a single option left out. */
export function choicesOf(types: readonly StoredType[], preferences: Preferences): Choice[] {
  return types
    .filter(({ enabled }) => enabled)
    .flatMap(({ notificationId, channels, options: ofType }) =>
      channels.map((channel) => {
        const options = ofType?.[channel];
        const preference = preferredDelivery(preferences, notificationId, '', channel);
        return {
          notificationId,
          channel,
          current: effectiveDelivery({ options, preference }),
          options: DELIVERY_OPTIONS.filter(
            (each) => effectiveDelivery({ options, preference: each }) === each,
          ),
        };
      }),
    )
    .filter(({ options }) => options.length > 1);
}

/** The form with every choice. */
export function preferencesPage(
  brand: { accountName: string; logo?: string | undefined },
  types: readonly StoredType[],
  choices: readonly Choice[],
  isSaved: boolean,
): string {
  const titles = new Map(types.map(({ notificationId, title }) => [notificationId, title]));
  const groups = [...Map.groupBy(choices, (choice) => choice.notificationId)].map(
    ([notificationId, ofType]) => `<fieldset>
<legend>${escapeHtml(titles.get(notificationId) ?? notificationId)}</legend>
${ofType.map(selectOf).join('\n')}
</fieldset>`,
  );
  const saved = isSaved ? '<p role="status">Your choices are saved.</p>\n' : '';
  const form = `<form method="post">
${groups.join('\n')}
<button type="submit">Save</button>
</form>`;
  const empty = '<p>There is nothing to choose at the moment.</p>';
  return renderPage({ ...brand, heading: 'What you get', body: saved + (groups.length > 0 ? form : empty) });
}

function selectOf(choice: Choice): string {
  const options = choice.options.map((option) => {
    const selected = option === choice.current ? ' selected' : '';
    return `<option value="${option}"${selected}>${OPTION_NAMES[option]}</option>`;
  });
  return `<label>${CHANNEL_NAMES[choice.channel]} <select name="${nameOf(choice)}">${options.join('')}</select></label>`;
}

/** The offered choices that a submitted form changes. */
export function submittedChoices(body: unknown, choices: readonly Choice[]): Preference[] {
  if (typeof body !== 'string' || body.length > BODY_LENGTH_MAX) return [];
  const given = new URLSearchParams(body);
  return choices.flatMap((choice) => {
    const wanted = given.get(nameOf(choice));
    const delivery = choice.options.find((option) => option === wanted);
    const { notificationId, channel, current } = choice;
    return delivery === undefined || delivery === current ? [] : [{ notificationId, channel, delivery }];
  });
}

const nameOf = ({ notificationId, channel }: Choice) =>
  Buffer.from(JSON.stringify([notificationId, channel])).toString('base64url');
