import { createHash } from 'node:crypto';
import type { Account } from '../../shared/database/entities/accounts/accounts.ts';
import type { StoredType } from '../../shared/database/entities/content/notification-types.ts';
import {
  marketingChoice,
  type Preferences,
  preferredDelivery,
} from '../../shared/database/entities/users/preferences.ts';
import { inCategories } from '../../shared/domain/content/type-texts.ts';
import { effectiveDelivery, mayBeOff, optionsOn } from '../../shared/domain/timing/delivery-options.ts';
import { MARKETING } from '../../shared/domain/users/opt-outs.ts';
import { escapeHtml } from '../../shared/http/pages/escape-html.ts';
import { renderPage } from '../../shared/http/pages/page.ts';
import type { PageLanguage, PageTexts } from '../../shared/http/pages/page-language.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { CHANNELS, type Channel } from '../../shared/schemas/channel.ts';
import { DELIVERY_OPTIONS, type DeliveryOption } from '../../shared/schemas/delivery/delivery-mode.ts';
import type { Preference } from '../../shared/schemas/users/preference.ts';
import { fixedNote } from './page.ts';
import type { QuietChange, QuietFacts, SubmittedFields } from './quiet-choices.ts';
import { quietFields } from './quiet-form.ts';

/** Of 64 characters each: two of a hundred thousand choices are hardly ever alike. */
const KEY_LENGTH = 8;

/** One choice on the page: a type's channel with its value and options. */
type Choice = {
  notificationId: string;
  subNotificationId?: string;
  channel: Channel;
  current: DeliveryOption;
  options: DeliveryOption[];
};

/** All marketing on the channels that have some. */
function marketingChoices(types: readonly StoredType[], preferences: Preferences): Choice[] {
  const marketing = types.filter(({ enabled, purpose }) => enabled && purpose === 'marketing');
  return CHANNELS.filter((channel) => marketing.some(({ channels }) => channels.includes(channel))).map(
    (channel) => ({
      ...MARKETING,
      channel,
      current: marketingChoice(preferences, channel)?.delivery === 'off' ? 'off' : 'instant',
      options: ['instant', 'off'],
    }),
  );
}

/** Choices of the enabled types, without types that have a single option, and of all marketing. */
export function choicesOf(types: readonly StoredType[], preferences: Preferences): Choice[] {
  return [...choicesOfTypes(types, preferences), ...marketingChoices(types, preferences)];
}

function choicesOfTypes(types: readonly StoredType[], preferences: Preferences): Choice[] {
  return types
    .filter(({ enabled }) => enabled)
    .flatMap((type) =>
      CHANNELS.filter((channel) => type.channels.includes(channel)).map((channel) => {
        const options = optionsOn(type, channel);
        const preference = preferredDelivery(preferences, type.notificationId, '', channel);
        return {
          notificationId: type.notificationId,
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

/** The page's data in addition to its choices. */
export type PreferencesFacts = Omit<QuietFacts, 'types'> & {
  types: readonly StoredType[];
  account: Account | undefined;
};

/** A text of the account's, in its language or, as it was written, in whatever language and direction. */
const named = (text: string, language: string) => `<bdi lang="${language}">${escapeHtml(text)}</bdi>`;

export function preferencesPage(
  facts: PreferencesFacts,
  choices: readonly Choice[],
  language: PageLanguage,
  result?: QuietChange,
): string {
  const { account, types } = facts;
  const { texts } = language;
  const accountName = account?.name ?? '';
  const byType = Map.groupBy(choices, (choice) => choice.notificationId);
  let heading: string | undefined;
  const groups = inCategories(types, language.locales).flatMap((type) => {
    const selects = (byType.get(type.notificationId) ?? []).map((choice) => selectOf(choice, texts));
    const fixed = CHANNELS.filter((each) => type.channels.includes(each) && !mayBeOff(type, each));
    const isFixed = type.enabled && fixed.length > 0;
    if (selects.length === 0 && !isFixed) return [];
    const isFirst = type.category !== undefined && type.category !== heading;
    heading = type.category;
    return [
      ...(isFirst ? [`<h2>${named(type.category ?? '', type.languages.category)}</h2>`] : []),
      '<fieldset>',
      `<legend>${named(type.title, type.languages.title)}</legend>`,
      ...selects,
      ...(isFixed ? [fixedNote({ accountName, type, channels: fixed }, language)] : []),
      '</fieldset>',
    ];
  });
  const all = (byType.get(MARKETING.notificationId) ?? []).map((choice) => selectOf(choice, texts));
  if (all.length > 0)
    groups.push('<fieldset>', `<legend>${escapeHtml(texts.allMarketing)}</legend>`, ...all, '</fieldset>');
  const notice = result ? noticeOf(result, texts) : '';
  const empty = groups.length > 0 ? '' : `<p>${escapeHtml(texts.nothingToChoose)}</p>\n`;
  const form = `<form method="post">
${[...groups, quietFields(facts, language, result?.submitted)].join('\n')}
<button type="submit">${escapeHtml(texts.save)}</button>
</form>`;
  const brand = { accountName, logo: account?.logo };
  return renderPage({ ...brand, heading: texts.preferences, body: notice + empty + form, language });
}

function noticeOf({ problem }: QuietChange, texts: PageTexts): string {
  if (!problem) return `<p class="notice" role="status">${escapeHtml(texts.saved)}</p>\n`;
  const text = problem === 'times' ? texts.quietInvalid : texts.quietUnchosen;
  return `<p class="notice" role="alert">${escapeHtml(text)}</p>\n`;
}

function selectOf(choice: Choice, { channels, options: names }: PageTexts): string {
  const options = choice.options.map((option) => {
    const selected = option === choice.current ? ' selected' : '';
    return `<option value="${option}"${selected}>${escapeHtml(names[option])}</option>`;
  });
  const channel = escapeHtml(channels[choice.channel]);
  return `<label>${channel} <select name="${nameOf(choice)}">${options.join('')}</select></label>`;
}

/** The values of each field of a submitted form; none if the body is not a form. */
export function submittedFields(body: unknown): SubmittedFields {
  const form = new URLSearchParams(typeof body === 'string' ? body : '');
  const fields = new Map<string, string[]>();
  for (const [name, value] of form) {
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}

/** The offered choices that differ from what the form showed: others may have changed since, and stay. */
export function submittedChoices(form: SubmittedFields, choices: readonly Choice[]): Preference[] {
  const offered = new Map(choices.map((choice) => [keyOf(choice), choice]));
  return [...form].flatMap(([name, [delivery]]) => {
    const [key = '', shown] = name.split('.');
    const choice = offered.get(key);
    const chosen = choice?.options.find((option) => option === delivery);
    if (!choice || !chosen || chosen === shown || chosen === choice.current) return [];
    const { notificationId, subNotificationId, channel } = choice;
    return [{ notificationId, ...defined({ subNotificationId }), channel, delivery: chosen }];
  });
}

/** The name of a field: the choice, and what the page shows of it. */
const nameOf = (choice: Choice) => `${keyOf(choice)}.${choice.current}`;

/** Short, because a page may have thousands of choices. */
function keyOf({ notificationId, channel }: Choice): string {
  return createHash('sha256')
    .update(JSON.stringify([notificationId, channel]))
    .digest('base64url')
    .slice(0, KEY_LENGTH);
}
