import * as v from 'valibot';
import { Channel } from '../channel.ts';
import { DELIVERY_MODES, type DeliveryMode, DIGEST_MODES } from '../delivery/delivery-mode.ts';
import { clearable } from '../fields/clearable.ts';
import { DATES } from '../fields/dates.ts';
import { FreeForm, Id } from '../fields/text.ts';
import { ContentLocale, Locale } from '../users/locale.ts';
import { Attributes } from '../users/user.ts';
import { TEMPLATE_CONTENT } from './template-content.ts';

const COLLECTING_MODES = ['instant', ...DIGEST_MODES] as const;
const INAPP_MODES = ['instant', 'batch'] as const;

export function modesOf(channel: Channel): readonly DeliveryMode[] {
  return channel === 'INAPP_WEB' ? INAPP_MODES : COLLECTING_MODES;
}

/** Path segments of operations, which no template may have as its ID. */
const RESERVED_IDS = ['default-selection', 'preview'];

/** A template as returned. `default`: it is used for instant delivery. */
export const Template = v.object({
  envId: v.string(),
  notificationId: v.string(),
  templateId: v.string(),
  locale: v.optional(v.string()),
  channel: Channel,
  default: v.boolean(),
  isDefaultFor: v.optional(v.record(v.string(), v.boolean())),
  ...DATES,
});
export type Template = v.InferOutput<typeof Template>;

/** Maximum length of a template's samples as JSON, and of the items of a digest. */
export const SAMPLES_LENGTH_MAX = 32 * 1024;
const ITEMS_MAX = 1000;

const items = v.pipe(v.array(FreeForm), v.maxLength(ITEMS_MAX, `must have at most ${ITEMS_MAX} entries`));

/** Values of a template's variables for previews and tests; `_items` has the values of collected notifications. */
const Samples = v.pipe(
  FreeForm,
  v.check(
    (samples) => JSON.stringify(samples).length <= SAMPLES_LENGTH_MAX,
    `must be at most ${SAMPLES_LENGTH_MAX} characters as JSON`,
  ),
  v.check(({ _items }) => _items === undefined || v.is(items, _items), '_items must be a list of objects'),
);

const CONTENT_FIELDS = {
  samples: v.optional(Samples),
  ...TEMPLATE_CONTENT.EMAIL.entries,
  ...TEMPLATE_CONTENT.INAPP_WEB.entries,
  ...TEMPLATE_CONTENT.SMS.entries,
  ...TEMPLATE_CONTENT.PUSH.entries,
  ...TEMPLATE_CONTENT.WEB_PUSH.entries,
  ...TEMPLATE_CONTENT.CHAT.entries,
};

export const TemplateWithContent = v.object({ ...Template.entries, ...CONTENT_FIELDS });
export type TemplateWithContent = v.InferOutput<typeof TemplateWithContent>;

/** A version of a template, or its draft, with its channel's content. */
export const TemplateVersion = v.object({
  version: v.number(),
  createdAt: v.optional(v.string()),
  by: v.optional(v.string()),
});
export type TemplateVersion = v.InferOutput<typeof TemplateVersion>;
export const TemplateVersionWithContent = v.object({ ...TemplateVersion.entries, ...CONTENT_FIELDS });

/** Content fields of all channels, to be checked by the channel of the path: absent stays, null clears. */
export const TemplateChange = v.object(clearable(CONTENT_FIELDS));

/** Body of POST …/templates: the channel's content; without an id the template gets one. */
export const NewTemplate = v.object({
  templateId: v.optional(
    v.pipe(
      Id,
      v.check((id) => !RESERVED_IDS.includes(id), `must not be ${RESERVED_IDS.join(' or ')}`),
    ),
  ),
  locale: v.optional(ContentLocale),
  ...clearable(CONTENT_FIELDS),
});

/** Query of a template's endpoints: the variant of a language; without it, the variant without a locale. */
export const VariantQuery = v.object({ locale: v.optional(ContentLocale) });

/** Body of PATCH …/templates/default-selection. */
export const DefaultSelection = v.object({
  templateId: Id,
  modes: v.pipe(
    v.array(v.picklist(DELIVERY_MODES)),
    v.minLength(1),
    v.maxLength(50),
    v.transform((modes) => [...new Set(modes)]),
  ),
});

/** Body of POST …/templates/preview: a content, and the values to render it with. */
export const TemplatePreview = v.object({
  template: v.object(clearable(CONTENT_FIELDS)),
  parameters: v.optional(FreeForm),
  attributes: v.optional(Attributes),
  items: v.optional(items),
  mode: v.optional(v.picklist(DELIVERY_MODES)),
  locale: v.optional(Locale),
});
