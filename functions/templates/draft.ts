import * as v from 'valibot';
import type { TemplateDraft } from '../../shared/database/entities/content/template-changes.ts';
import { parsePart } from '../../shared/http/endpoint/parse.ts';
import { type Fields, fieldsOf, type RequestParts } from '../../shared/http/problems/check.ts';
import type { Problem } from '../../shared/http/problems/problems.ts';
import { hasTags } from '../../shared/rendering/syntax/tags.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { Channel } from '../../shared/schemas/channel.ts';
import { fieldsOfOtherChannels, TEMPLATE_CONTENT } from '../../shared/schemas/content/template-content.ts';
import { Id } from '../../shared/schemas/fields/text.ts';
import { assertTemplate, templateProblems } from './invalid-template.ts';
import { channelProblems } from './scope.ts';

/** The maximum number of distinct components that a template or component can embed directly. */
export const COMPONENTS_MAX = 20;

/**
 * The check of Liquid, loaded before the first template is saved: it is a quarter of the function's bundle.
 */
export const loadTemplateCheck = () => import('../../shared/rendering/checks/template-check.ts');
export type TemplateCheck = Awaited<ReturnType<typeof loadTemplateCheck>>;

export function ownFields(channel: Channel, body: Fields): Record<string, unknown> {
  const own = ['samples', ...Object.keys(TEMPLATE_CONTENT[channel].entries)];
  return Object.fromEntries(own.flatMap((field) => (field in body ? [[field, body[field]]] : [])));
}

/**
 * The problems of the content in a request: its channel, fields of other channels, the shape of its own and, if there
 * are others, their Liquid. `place` is where the content is.
 */
export async function contentProblems(
  parts: RequestParts,
  place: string,
  content: unknown,
): Promise<Problem[]> {
  const unknown = channelProblems(parts);
  const channel = v.safeParse(Channel, parts.path.channel);
  if (!channel.success) return unknown;
  const foreign = foreignProblems(channel.output, place, fieldsOf(content));
  const fields = changedContent({}, fieldsOf(content));
  const shape: Problem[] = [];
  // The body's own schema has checked the samples.
  const { samples: _, ...own } = ownFields(channel.output, fields);
  parsePart(place, TEMPLATE_CONTENT[channel.output], own, shape);
  const problems = [...foreign, ...shape];
  if (problems.length === 0 && !parts.isInvalid) return [];
  const check = await loadTemplateCheck();
  return [
    ...problems,
    ...templateProblems(check.templateProblems(channel.output, textsOf(own), []), fieldOf(place)),
  ];
}

/** `body.template` -> `template` */
const fieldOf = (place: string) => place.replace(/^body\.?/, '');

function foreignProblems(channel: Channel, place: string, fields: Fields): Problem[] {
  const foreign = fieldsOfOtherChannels(channel, fields);
  if (foreign.length === 0) return [];
  const error = new AppError('INVALID_FIELD_FOR_CHANNEL', {
    message: `Fields that do not apply to ${channel}: ${foreign.join(', ')}.`,
    fix: `Templates of ${channel} accept ${Object.keys(TEMPLATE_CONTENT[channel].entries).join(', ')}.`,
  });
  return foreign.map((field) => ({
    where: `${place}.${field}`,
    must: `does not apply to ${channel}`,
    error,
  }));
}

/** Links are checked with the account's schemes when the content is stored. */
function textsOf(fields: Fields): object {
  const texts = Object.entries(fields).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts.filter(([, value]) => hasTags(String(value))));
}

/** `content` with the changed fields; null clears one. A layout of null is none, and an empty one is the account's. */
export function changedContent(content: object, fields: Record<string, unknown>): Record<string, unknown> {
  const changed = { ...content, ...fields };
  return Object.fromEntries(
    Object.entries(changed).filter(([name, value]) => (name === 'layout' ? value !== '' : value !== null)),
  );
}

/** Returns the content as it can be stored. Throws INVALID_TEMPLATE for its Liquid. */
export function draftOf(
  check: TemplateCheck,
  channel: Channel,
  fields: Record<string, unknown>,
  { linkSchemes, place }: { linkSchemes: readonly string[]; place?: string },
): TemplateDraft {
  const content = v.parse(v.record(v.string(), v.unknown()), v.parse(TEMPLATE_CONTENT[channel], fields));
  const embedded = embeddedComponents(check, channel, content, { linkSchemes, place });
  const { layout } = content;
  const { samples = check.samplesOf(channel, content) } = fields;
  return {
    content: { ...content, ...defined({ samples }) },
    components: typeof layout === 'string' ? [...new Set([...embedded, layout])] : embedded,
  };
}

/** Returns the distinct components that the html embeds. Throws INVALID_TEMPLATE with every invalid field. */
export function embeddedComponents(
  check: TemplateCheck,
  channel: Channel,
  content: Record<string, unknown>,
  { linkSchemes = [], place }: { linkSchemes?: readonly string[]; place?: string | undefined } = {},
): string[] {
  const problems = check.templateProblems(channel, content, linkSchemes);
  const embedded = check.embeddedIdsOf(content);
  if (embedded.length > COMPONENTS_MAX) {
    problems.push(`html: more than ${COMPONENTS_MAX} components are embedded`);
  }
  if (embedded.some((id) => !v.is(Id, id))) {
    problems.push('html: an embedded component has an invalid ID');
  }
  assertTemplate(problems, place);
  return embedded;
}
