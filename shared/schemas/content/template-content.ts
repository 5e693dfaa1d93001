import * as v from 'valibot';
import { CHANNELS, type Channel } from '../channel.ts';
import { FreeForm, Id, textUpTo } from '../fields/text.ts';
import { InappActions } from '../sending/send-request.ts';

/** Maximum length of one text of a template. */
const TEMPLATE_TEXT_CHARACTERS_MAX = 1024 * 1024;

const text = textUpTo(TEMPLATE_TEXT_CHARACTERS_MAX);
const optionalText = v.optional(text);

const Spoken = v.object({ text: optionalText });

/**
 * A template's properties on each channel: the body of PATCH …/templates/{templateId}, and the stored form.
 * Every text is Liquid. Of INAPP_WEB's `instant` only the image is required, of its `batch` all three.
 */
export const TEMPLATE_CONTENT = {
  EMAIL: v.object({
    html: optionalText,
    text: optionalText,
    layout: v.optional(v.nullable(v.union([Id, v.literal('')]))),
    previewText: optionalText,
    internal: optionalText,
    subject: optionalText,
    senderName: optionalText,
    senderEmail: optionalText,
  }),
  INAPP_WEB: v.object({
    title: optionalText,
    body: optionalText,
    actions: v.optional(InappActions),
    redirectURL: optionalText,
    imageURL: optionalText,
    instant: v.optional(v.object({ title: optionalText, redirectURL: optionalText, imageURL: text })),
    batch: v.optional(v.object({ title: text, redirectURL: text, imageURL: text })),
  }),
  SMS: Spoken,
  CALL: Spoken,
  PUSH: v.object({ title: optionalText, message: optionalText, url: optionalText, image: optionalText }),
  WEB_PUSH: v.object({
    title: optionalText,
    message: optionalText,
    icon: optionalText,
    url: optionalText,
  }),
  CHAT: v.object({
    text: optionalText,
    blocks: v.optional(v.pipe(v.array(FreeForm), v.maxLength(50, 'must have at most 50 entries'))),
    username: optionalText,
    icon: optionalText,
  }),
} as const satisfies Record<Channel, v.GenericSchema>;

export type TemplateContent = { [C in Channel]: v.InferOutput<(typeof TEMPLATE_CONTENT)[C]> };

/**
 * Fields of `body` that belong only to templates of other channels. PATCH accepts only fields of its channel, and rejects the
 * others with INVALID_FIELD_FOR_CHANNEL. Unknown fields are reported earlier.
 */
export function fieldsOfOtherChannels(channel: Channel, body: Record<string, unknown>): string[] {
  return Object.keys(body).filter(
    (field) => !hasField(channel, field) && CHANNELS.some((c) => hasField(c, field)),
  );
}

function hasField(channel: Channel, field: string): boolean {
  return Object.hasOwn(TEMPLATE_CONTENT[channel].entries, field);
}
