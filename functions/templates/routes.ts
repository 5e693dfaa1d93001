import * as v from 'valibot';
import { SERVER_ACCESS } from '../../shared/http/access.ts';
import { type Route, route } from '../../shared/http/route.ts';
import { ChannelText } from '../../shared/schemas/channel.ts';
import { TextFacts } from '../../shared/schemas/phone-settings.ts';
import {
  DefaultSelection,
  NewTemplate,
  Template,
  TemplateChange,
  TemplatePreview,
  TemplateWithContent,
  VariantQuery,
} from '../../shared/schemas/template.ts';
import { Id } from '../../shared/schemas/text.ts';
import { MissingTranslation } from '../../shared/schemas/translations.ts';

const exampleTemplate = {
  envId: 'x7Yc2LmN0pQrStUv',
  notificationId: 'new-comment',
  templateId: 'default',
  channel: 'EMAIL',
  default: true,
  isDefaultFor: { instant: true, hourly: true, daily: true, weekly: true, monthly: true },
};

const exampleContent = {
  subject: '{{ author }} commented',
  html: "<p>Hello {{ user.id }}, {{ author }} wrote: {{ comment }}</p>{% component 'footer' %}",
  previewText: 'A new comment',
  senderName: 'Example',
  senderEmail: 'hello@example.com',
};

/** The operation checks the channel: an unknown one has its own error code. */
const channelPath = v.object({ notificationId: Id, channel: ChannelText });
const templatePath = v.object({ ...channelPath.entries, templateId: Id });

const CONTENT_TEXT =
  'Each channel accepts only its own fields: EMAIL html, text, previewText, internal, subject, senderName, senderEmail; INAPP_WEB title, redirectURL, imageURL, instant, batch; SMS and CALL text; PUSH title, message; WEB_PUSH title, message, icon, url; CHAT text, blocks, username, icon. samples, on every channel, has values of the variables for previews and tests, at most 32 KB; without it, they are derived from the texts when the template is first saved, and again with null. Every text is Liquid and is checked; internal, the editor representation, is not rendered. The html of emails may embed up to 20 components.';

const VARIANT_TEXT =
  'The query locale selects the variant in that language; without it, the variant without a locale.';

const DELETE_GRANTS = { table: ['get', 'put', 'update', 'delete'] } as const;
const WRITE_GRANTS = { table: [...DELETE_GRANTS.table, 'batchGet', 'query'] } as const;
const ERRORS = ['INVALID_CHANNEL', 'RESOURCE_NOT_FOUND', 'FORBIDDEN_KEY_TYPE'] as const;
const CONTENT_ERRORS = [...ERRORS, 'INVALID_FIELD_FOR_CHANNEL', 'INVALID_TEMPLATE'] as const;

const row = { resource: 'templates', access: SERVER_ACCESS } as const satisfies Partial<Route>;

export const listTemplatesRoute = route({
  ...row,
  id: 'listTemplates',
  method: 'GET',
  path: '/notifications/{notificationId}/{channel}/templates',
  pathParameters: channelPath,
  answer: { kind: 'json', body: v.object({ templates: v.array(Template) }) },
  grants: { table: ['get', 'update'] },
  summary: "List the templates of a notification type's channel",
  description: 'Lists all templates with their variants, oldest first, without their content.',
  example: { answer: { templates: [exampleTemplate] } },
  errors: ERRORS,
});

export const createTemplateRoute = route({
  ...row,
  id: 'createTemplate',
  method: 'POST',
  path: '/notifications/{notificationId}/{channel}/templates',
  pathParameters: channelPath,
  body: NewTemplate,
  idempotent: true,
  answer: { kind: 'json', body: Template },
  grants: WRITE_GRANTS,
  summary: 'Create a template',
  description: `The first template of a channel becomes the default of every delivery mode. Without templateId, the template gets a generated ID. With locale, a language tag such as de or pt-BR, it is the variant of that template in that language, chosen for users by their locale. ${CONTENT_TEXT}`,
  example: { request: { templateId: 'default', ...exampleContent }, answer: exampleTemplate },
  errors: [...CONTENT_ERRORS, 'DUPLICATE_RESOURCE'],
});

export const getTemplateRoute = route({
  ...row,
  id: 'getTemplate',
  method: 'GET',
  path: '/notifications/{notificationId}/{channel}/templates/{templateId}',
  pathParameters: templatePath,
  query: VariantQuery,
  answer: { kind: 'json', body: TemplateWithContent },
  grants: { table: ['get', 'update'] },
  summary: 'Get a template with its content',
  description: VARIANT_TEXT,
  example: { answer: { ...exampleTemplate, ...exampleContent } },
  errors: ERRORS,
});

export const updateTemplateRoute = route({
  ...row,
  id: 'updateTemplate',
  method: 'PATCH',
  path: '/notifications/{notificationId}/{channel}/templates/{templateId}',
  pathParameters: templatePath,
  query: VariantQuery,
  body: TemplateChange,
  answer: { kind: 'json', body: Template },
  grants: WRITE_GRANTS,
  summary: "Change a template's properties",
  description: `Absent fields stay unchanged, null clears. ${VARIANT_TEXT} ${CONTENT_TEXT}`,
  example: { request: { subject: '{{ author }} answered you' }, answer: exampleTemplate },
  errors: CONTENT_ERRORS,
});

export const deleteTemplateRoute = route({
  ...row,
  id: 'deleteTemplate',
  method: 'DELETE',
  path: '/notifications/{notificationId}/{channel}/templates/{templateId}',
  pathParameters: templatePath,
  query: VariantQuery,
  answer: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: DELETE_GRANTS,
  summary: 'Delete a template',
  description: `${VARIANT_TEXT} The other variants remain. If the last one is deleted, its delivery modes get the channel's oldest remaining template as default. Notifications that were accepted with the deleted variant and are not delivered yet are sent with the variant without a locale, or else with their inline content only.`,
  example: { answer: { message: 'The template is deleted.' } },
  errors: ERRORS,
});

export const selectDefaultTemplateRoute = route({
  ...row,
  id: 'selectDefaultTemplate',
  method: 'PATCH',
  path: '/notifications/{notificationId}/{channel}/templates/default-selection',
  pathParameters: channelPath,
  body: DefaultSelection,
  answer: { kind: 'json', body: Template },
  grants: { table: ['get', 'put', 'update'] },
  summary: 'Make a template the default of delivery modes',
  description:
    'Each mode has one default; the variants of a template share it. Modes: instant, hourly, daily, weekly, monthly; for INAPP_WEB instant and batch.',
  example: {
    request: { templateId: 'digest', modes: ['daily', 'weekly'] },
    answer: {
      ...exampleTemplate,
      templateId: 'digest',
      default: false,
      isDefaultFor: { instant: false, hourly: false, daily: true, weekly: true, monthly: false },
    },
  },
  errors: ERRORS,
});

export const previewTemplateRoute = route({
  ...row,
  id: 'previewTemplate',
  readOnly: true,
  method: 'POST',
  path: '/notifications/{notificationId}/{channel}/templates/preview',
  pathParameters: channelPath,
  body: TemplatePreview,
  answer: {
    kind: 'json',
    body: v.object({
      content: v.record(v.string(), v.unknown()),
      missing: v.array(v.string()),
      missingTranslations: v.optional(v.array(MissingTranslation)),
      notes: v.optional(v.array(v.string())),
      ...v.partial(TextFacts).entries,
    }),
  },
  grants: { table: ['get', 'batchGet', 'query', 'update'] },
  settings: ['PHONE_PRICE_ESTIMATE_CENTS'],
  summary: 'Render a template that is not saved',
  description: `Stores nothing. content has the fields as they would be sent. missing lists the variables in the template for which there is no value, missingTranslations the keys that the language lacks. locale is the language to render in, by default the account's. items are the parameters of the collected notifications, for _items of a digest. Without parameters, the samples of the template are used, its _items as items unless mode is instant. mode is one of the channel's delivery modes, by default instant, or daily if there are items. missing has _items[].name for a field that items lack. ${CONTENT_TEXT}`,
  example: {
    request: {
      template: { subject: '{{ author }} commented', html: '<p>{{ comment }} {{ link }}</p>' },
      parameters: { author: 'Ada', comment: 'Looks good.' },
    },
    answer: {
      content: { subject: 'Ada commented', html: '<p>Looks good. </p>' },
      missing: ['link'],
    },
  },
  errors: CONTENT_ERRORS,
});

/** Fixed paths come before the one with a parameter in the same position. */
export const templateRoutes = [
  listTemplatesRoute,
  createTemplateRoute,
  selectDefaultTemplateRoute,
  previewTemplateRoute,
  getTemplateRoute,
  updateTemplateRoute,
  deleteTemplateRoute,
];
