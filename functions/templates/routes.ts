import * as v from 'valibot';
import { SERVER_ACCESS } from '../../shared/http/access/access.ts';
import { type Route, route } from '../../shared/http/rows/route.ts';
import { ChannelText } from '../../shared/schemas/channel.ts';
import {
  DefaultSelection,
  NewTemplate,
  Template,
  TemplateChange,
  TemplatePreview,
  TemplateVersion,
  TemplateVersionWithContent,
  TemplateWithContent,
  VariantQuery,
} from '../../shared/schemas/content/template.ts';
import { MissingTranslation } from '../../shared/schemas/content/translations.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import { TextFacts } from '../../shared/schemas/sending/phone-settings.ts';

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

const CONTENT_TEXT = 'Each channel accepts only its own fields. Every text is Liquid and is checked.';

const VARIANT_TEXT =
  'The query locale selects the variant in that language; without it, the variant without a locale.';

const DELETE_GRANTS = { table: ['get', 'put', 'update', 'delete', 'query'] } as const;
const WRITE_GRANTS = { table: [...DELETE_GRANTS.table, 'batchGet'] } as const;
const ERRORS = ['INVALID_CHANNEL', 'RESOURCE_NOT_FOUND'] as const;
const CONTENT_ERRORS = [...ERRORS, 'INVALID_FIELD_FOR_CHANNEL', 'INVALID_TEMPLATE'] as const;

const row = { access: SERVER_ACCESS } as const satisfies Partial<Route>;
/** One template, or its variant in a language. */
const ofVariant = {
  ...row,
  etag: 'template',
  path: '/notifications/{notificationId}/{channel}/templates/{templateId}',
  pathParameters: templatePath,
  query: VariantQuery,
} as const;

export const listTemplatesRoute = route({
  ...row,
  id: 'listTemplates',
  method: 'GET',
  etag: 'list',
  path: '/notifications/{notificationId}/{channel}/templates',
  pathParameters: channelPath,
  response: { kind: 'json', body: v.object({ templates: v.array(Template) }) },
  grants: { table: ['get', 'update'] },
  summary: "List the templates of a notification type's channel",
  description: 'Lists all templates with their variants, oldest first, without their content.',
  example: { response: { templates: [exampleTemplate] } },
  errors: ERRORS,
});

export const createTemplateRoute = route({
  ...row,
  id: 'createTemplate',
  method: 'POST',
  etag: 'template',
  path: '/notifications/{notificationId}/{channel}/templates',
  pathParameters: channelPath,
  body: NewTemplate,
  idempotent: true,
  response: { kind: 'json', body: Template },
  grants: WRITE_GRANTS,
  summary: 'Create a template',
  description: `The first template of a channel becomes the default of every delivery mode. With locale, it is the variant of the template in that language. ${CONTENT_TEXT}`,
  example: { request: { templateId: 'default', ...exampleContent }, response: exampleTemplate },
  errors: [...CONTENT_ERRORS, 'DUPLICATE_RESOURCE'],
});

export const getTemplateRoute = route({
  ...ofVariant,
  id: 'getTemplate',
  method: 'GET',
  response: { kind: 'json', body: TemplateWithContent },
  grants: { table: ['get', 'update'] },
  summary: 'Get a template with its content',
  description: VARIANT_TEXT,
  example: { response: { ...exampleTemplate, ...exampleContent } },
  errors: ERRORS,
});

export const updateTemplateRoute = route({
  ...ofVariant,
  id: 'updateTemplate',
  method: 'PATCH',
  body: TemplateChange,
  response: { kind: 'json', body: Template },
  grants: WRITE_GRANTS,
  summary: "Change a template's properties",
  description: `Absent fields stay unchanged, null clears. ${VARIANT_TEXT} ${CONTENT_TEXT}`,
  example: { request: { subject: '{{ author }} answered you' }, response: exampleTemplate },
  errors: CONTENT_ERRORS,
});

export const deleteTemplateRoute = route({
  ...ofVariant,
  id: 'deleteTemplate',
  method: 'DELETE',
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: DELETE_GRANTS,
  summary: 'Delete a template',
  description: `${VARIANT_TEXT} After the last variant, its delivery modes get the channel's oldest template. Accepted notifications are sent with the variant without a locale, else with inline content only.`,
  example: { response: { message: 'The template is deleted.' } },
  errors: ERRORS,
});

export const selectDefaultTemplateRoute = route({
  ...row,
  id: 'selectDefaultTemplate',
  method: 'PATCH',
  etag: 'template',
  path: '/notifications/{notificationId}/{channel}/templates/default-selection',
  pathParameters: channelPath,
  body: DefaultSelection,
  response: { kind: 'json', body: Template },
  grants: { table: ['get', 'put', 'update'] },
  summary: 'Make a template the default of delivery modes',
  description:
    'Each mode has one default; the variants of a template share it. Modes: instant, hourly, daily, weekly, monthly; for INAPP_WEB instant and batch.',
  example: {
    request: { templateId: 'digest', modes: ['daily', 'weekly'] },
    response: {
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
  response: {
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
  description: `Renders a template with parameters and stores nothing. ${CONTENT_TEXT}`,
  example: {
    request: {
      template: { subject: '{{ author }} commented', html: '<p>{{ comment }} {{ link }}</p>' },
      parameters: { author: 'Ada', comment: 'Looks good.' },
    },
    response: {
      content: { subject: 'Ada commented', html: '<p>Looks good. </p>' },
      missing: ['link'],
    },
  },
  errors: CONTENT_ERRORS,
});

const versionPath = v.object({
  ...templatePath.entries,
  version: v.pipe(v.string(), v.regex(/^\d{1,15}$/, 'must be the number of a version'), v.transform(Number)),
});
const exampleVersion = { version: 1763712000000, createdAt: '2025-11-21T08:00:00.000Z', by: 'k4Vd' };
const READ_GRANTS = { table: ['get', 'query', 'update'] } as const;

export const listTemplateVersionsRoute = route({
  ...ofVariant,
  id: 'listTemplateVersions',
  method: 'GET',
  path: `${ofVariant.path}/versions`,
  response: { kind: 'json', body: v.object({ versions: v.array(TemplateVersion) }) },
  grants: READ_GRANTS,
  summary: "List a template's last ten versions",
  description: `Lists the version that sends first, then earlier versions, with author and time. ${VARIANT_TEXT}`,
  example: { response: { versions: [exampleVersion] } },
  errors: ERRORS,
});

export const getTemplateVersionRoute = route({
  ...ofVariant,
  id: 'getTemplateVersion',
  method: 'GET',
  path: `${ofVariant.path}/versions/{version}`,
  pathParameters: versionPath,
  response: { kind: 'json', body: TemplateVersionWithContent },
  grants: READ_GRANTS,
  summary: 'Get a version of a template with its content',
  description: VARIANT_TEXT,
  example: { response: { ...exampleVersion, ...exampleContent } },
  errors: ERRORS,
});

export const restoreTemplateVersionRoute = route({
  ...ofVariant,
  id: 'restoreTemplateVersion',
  method: 'POST',
  replaces: true,
  path: `${ofVariant.path}/versions/{version}/restore`,
  pathParameters: versionPath,
  response: { kind: 'json', body: Template },
  grants: WRITE_GRANTS,
  summary: 'Send the content of an earlier version again',
  description: `The content becomes a new version; the version that it replaces stays in the list. ${VARIANT_TEXT}`,
  example: { response: exampleTemplate },
  errors: CONTENT_ERRORS,
});

export const getTemplateDraftRoute = route({
  ...ofVariant,
  id: 'getTemplateDraft',
  method: 'GET',
  path: `${ofVariant.path}/draft`,
  response: { kind: 'json', body: TemplateVersionWithContent },
  grants: { table: ['get', 'update'] },
  summary: "Get a template's draft",
  description: `Returns the content that is edited and does not send yet. version is the version that the draft began with. ${VARIANT_TEXT}`,
  example: { response: { ...exampleVersion, ...exampleContent } },
  errors: ERRORS,
});

export const saveTemplateDraftRoute = route({
  ...ofVariant,
  id: 'saveTemplateDraft',
  method: 'PUT',
  path: `${ofVariant.path}/draft`,
  body: TemplateChange,
  response: { kind: 'json', body: TemplateVersion },
  grants: { table: ['get', 'batchGet', 'query', 'put', 'update'] },
  summary: "Save a template's draft",
  description: `Replaces the draft with this content. Nothing sends it until it is published. If-Match is the ETag of the template. ${VARIANT_TEXT} ${CONTENT_TEXT}`,
  example: { request: exampleContent, response: exampleVersion },
  errors: CONTENT_ERRORS,
});

export const deleteTemplateDraftRoute = route({
  ...ofVariant,
  id: 'deleteTemplateDraft',
  method: 'DELETE',
  path: `${ofVariant.path}/draft`,
  response: { kind: 'json', body: v.object({ message: v.string() }) },
  grants: { table: ['get', 'delete', 'update'] },
  summary: "Discard a template's draft",
  description: `The template stays as it is. ${VARIANT_TEXT}`,
  example: { response: { message: 'The draft is discarded.' } },
  errors: ERRORS,
});

export const publishTemplateDraftRoute = route({
  ...ofVariant,
  id: 'publishTemplateDraft',
  method: 'POST',
  replaces: true,
  path: `${ofVariant.path}/draft/publish`,
  response: { kind: 'json', body: Template },
  grants: WRITE_GRANTS,
  summary: "Make a template's draft the version that sends",
  description: `The draft becomes the template's content, and the version that it replaces stays in the list of versions. If the template has changed since the draft began, it needs If-Match. ${VARIANT_TEXT}`,
  example: { response: exampleTemplate },
  errors: CONTENT_ERRORS,
});
