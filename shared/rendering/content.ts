import { defined } from '../runtime/values/defined.ts';
import type { Channel, CONTENT_BLOCK } from '../schemas/channel.ts';
import type { TemplateContent } from '../schemas/content/template-content.ts';
import type { DeliveryMode } from '../schemas/delivery/delivery-mode.ts';
import { isSsml } from '../schemas/fields/ssml.ts';
import type { ContentBlocks } from '../schemas/sending/send-request.ts';
import { variablesOf } from './checks/variables.ts';
import { type FieldOptions, type Fields, openFields } from './fields.ts';
import { withLanguage } from './language/html-language.ts';
import type { Language } from './language/language.ts';
import type { Markup } from './liquid/engine.ts';
import { isUsedUp, openBudget, RenderProblem } from './liquid/limits.ts';

type InlineContent<C extends Channel> = NonNullable<ContentBlocks[(typeof CONTENT_BLOCK)[C]]>;

export type RenderInput<C extends Channel> = {
  channel: C;
  /** The request's content block of this channel; field by field it wins over the template. */
  inline?: InlineContent<C> | undefined;
  template?: TemplateContent[C] | undefined;
  user: Readonly<Record<string, unknown>>;
  parameters: Readonly<Record<string, unknown>>;
  /** Literal replacements, applied to every rendered text. */
  replace?: Readonly<Record<string, string>> | undefined;
  unsubscribeUrl?: string | undefined;
  isFixed?: boolean | undefined;
  /** Each collected item's parameters, oldest first; digests only. */
  items?: readonly Record<string, unknown>[] | undefined;
  /** Number of further items, which do not fit into the message. */
  itemsLeft?: number | undefined;
  /** Html of the email components that the content can embed, by id. */
  components?: Readonly<Record<string, string>> | undefined;
  /** The component that the template's html is rendered in. */
  layout?: string | undefined;
  /** App schemes that the account allows in links. */
  linkSchemes?: readonly string[] | undefined;
  /** The product of the user's chat token; Slack if absent. */
  chatProvider?: string | undefined;
  mode: DeliveryMode;
  /** The reader's language; English and UTC if absent. */
  language?: Language | undefined;
  /** The value of `now` in templates. */
  atMs: number;
};

/**
 * Rendered content by channel. A required field without a source is empty; an empty optional one is omitted.
 */
export type Rendered = {
  EMAIL: {
    subject: string;
    html: string;
    text?: string;
    previewText?: string;
    senderName?: string;
    senderEmail?: string;
  };
  INAPP_WEB: {
    title: string;
    body?: string;
    redirectURL?: string;
    imageURL?: string;
    actions?: { label: string; url?: string }[];
  };
  SMS: { message: string; mediaUrls: string[]; autoReply?: { message: string }; from?: string };
  CALL: { message: string; language?: string; voice?: string; repeat?: number };
  PUSH: { title: string; message: string; url?: string; image?: string };
  WEB_PUSH: {
    title: string;
    message: string;
    icon?: string;
    url?: string;
    image?: string;
    badge?: string;
    tag?: string;
    actions?: { action: string; title: string; url?: string }[];
  };
  CHAT: InlineContent<'CHAT'> & { text: string };
};

/**
 * The rendered content with notes on omissions, or the field and reason why there is none. `isTooLong`: fewer items of a digest
 * may fit. `missing`: names of variables without a value, if they were looked for.
 */
export type RenderResult<C extends Channel> =
  | { ok: true; content: Rendered[C]; notes: string[]; missing?: readonly string[] }
  | { ok: false; problem: string; isTooLong?: true };

/**
 * Renders a channel's content from the request's inline block and the template. Only an email's html and chat texts
 * are escaped. A problem names fields, limits and lines, never values.
 */
export function renderContent<C extends Channel>(
  input: RenderInput<C>,
  observed: Pick<FieldOptions, 'budget' | 'onSource'> = {},
): RenderResult<C> {
  const { components, replace, atMs, linkSchemes, language } = input;
  const { budget = openBudget() } = observed;
  const options = { components, replace, atMs, linkSchemes, language, ...observed, budget };
  const fields = openFields(variablesOf(input), options);
  try {
    const content = BUILDERS[input.channel](input, fields);
    return { ok: true, content, notes: fields.notes() };
  } catch (error) {
    if (error instanceof RenderProblem)
      return { ok: false, problem: error.message, ...(isUsedUp(budget) ? { isTooLong: true } : {}) };
    throw error;
  }
}

type Builder<C extends Channel> = (input: RenderInput<C>, fields: Fields) => Rendered[C];

const BUILDERS: { [C in Channel]: Builder<C> } = {
  EMAIL: ({ inline, template, layout, language }, fields) => ({
    subject: fields.line('subject', inline?.subject, template?.subject),
    html: withLanguage(
      fields.html('html', inline?.html ?? template?.html, inline?.html === undefined ? layout : undefined),
      language?.htmlLocale,
    ),
    ...filled({
      text: fields.text('text', inline?.text, inline?.html === undefined ? template?.text : undefined),
      previewText: fields.line('previewText', inline?.previewText, template?.previewText),
      senderName: fields.line('senderName', inline?.senderName, template?.senderName),
      senderEmail: fields.line('senderEmail', inline?.senderEmail, template?.senderEmail).trim(),
    }),
  }),
  INAPP_WEB: ({ inline, template, mode }, fields) => {
    const variant = mode === 'instant' ? template?.instant : (template?.batch ?? template?.instant);
    return {
      title: fields.text('title', inline?.title, variant?.title, template?.title),
      ...filled({
        body: fields.text('body', inline?.body, template?.body),
        redirectURL: fields.link('url', inline?.url, variant?.redirectURL, template?.redirectURL),
        imageURL: fields.link('image', inline?.image, variant?.imageURL, template?.imageURL),
      }),
      ...defined({
        actions: (inline?.actions ?? template?.actions)?.map(({ label, url }, index) => ({
          label: fields.line(`actions[${index}].label`, label),
          ...filled({ url: fields.link(`actions[${index}].url`, url) }),
        })),
      }),
    };
  },
  SMS: ({ inline, template }, fields) => {
    const reply = fields.text('autoReply.message', inline?.autoReply?.message);
    return {
      message: fields.text('message', inline?.message, template?.text),
      mediaUrls: fields.json('mediaUrls', inline?.mediaUrls ?? []).filter((url) => url.trim() !== ''),
      ...defined({ autoReply: reply.trim() ? { message: reply } : undefined }),
      ...filled({ from: fields.line('from', inline?.from) }),
    };
  },
  CALL: ({ inline, template, language }, fields) => {
    const source = inline?.message ?? template?.text;
    const { language: stated = language?.htmlLocale && language.locale, voice, repeat } = inline ?? {};
    return {
      message: isSsml(source) ? fields.html('message', source, undefined) : fields.text('message', source),
      ...defined({ language: stated, voice, repeat }),
    };
  },
  PUSH: ({ inline, template }, fields) => ({
    title: fields.text('title', inline?.title, template?.title),
    message: fields.text('message', inline?.message, template?.message),
    ...filled({
      url: fields.link('url', inline?.url, template?.url),
      image: fields.link('image', inline?.image, template?.image),
    }),
  }),
  WEB_PUSH: ({ inline, template }, fields) => ({
    title: fields.text('title', inline?.title, template?.title),
    message: fields.text('message', inline?.message, template?.message),
    ...filled({
      icon: fields.link('icon', inline?.icon, template?.icon),
      url: fields.link('url', inline?.url, template?.url),
      image: fields.link('image', inline?.image),
      badge: fields.link('badge', inline?.badge),
      tag: fields.line('tag', inline?.tag),
    }),
    ...defined({
      actions: inline?.actions?.map(({ action, title, url }, index) => ({
        action,
        title: fields.line(`actions[${index}].title`, title),
        ...filled({ url: fields.link(`actions[${index}].url`, url) }),
      })),
    }),
  }),
  CHAT: ({ inline, template, chatProvider }, fields) => {
    const { text, blocks, username, icon, thread_ts, metadata, ...flags } = inline ?? {};
    const rich = blocks ?? template?.blocks;
    return {
      ...flags,
      text: fields.chat('text', MARKUP_OF_PRODUCT[chatProvider ?? ''] ?? 'chat', text, template?.text),
      ...defined({ blocks: rich ? fields.json('blocks', rich, markupOfBlock) : undefined }),
      ...filled({
        username: fields.line('username', username, template?.username),
        icon: fields.line('icon', icon, template?.icon),
        thread_ts: fields.line('thread_ts', thread_ts),
      }),
      ...defined({ metadata: metadata ? fields.json('metadata', metadata) : undefined }),
    };
  },
};

/** A card of Teams shows its text as it is. */
const MARKUP_OF_PRODUCT: Readonly<Record<string, Markup>> = { discord: 'markdown', teams: 'plain' };

/** Links, and what an app gets back from a chat product, are read as they are. */
const markupOfBlock = (key: string) => {
  if (key === 'markdown') return 'markdown';
  return /(?:^|_)(?:url|id|value)$/.test(key) ? 'plain' : 'chat';
};

/** The fields that have more than white space. */
function filled<K extends string>(fields: Record<K, string>): { [Field in K]?: string };
function filled(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text.trim() !== ''));
}
