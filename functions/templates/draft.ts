import * as v from 'valibot';
import type { TemplateDraft } from '../../shared/database/entities/template-changes.ts';
import { parsePart } from '../../shared/http/parse.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import type { Channel } from '../../shared/schemas/channel.ts';
import { fieldsOfOtherChannels, TEMPLATE_CONTENT } from '../../shared/schemas/template-content.ts';
import { Id } from '../../shared/schemas/text.ts';
import { assertTemplate } from './invalid-template.ts';

/** The maximum number of distinct components that one template or component may embed directly. */
export const COMPONENTS_MAX = 20;

/**
 * The check of Liquid, loaded before the first template is saved: it is a quarter of the function's bundle.
 */
export const loadTemplateCheck = () => import('../../shared/rendering/template-check.ts');
export type TemplateCheck = Awaited<ReturnType<typeof loadTemplateCheck>>;

/**
 * Content fields of a request, by the channel of its path. Throws INVALID_FIELD_FOR_CHANNEL for a field of
 * another channel.
 */
export function ownFields(channel: Channel, body: Record<string, unknown>): Record<string, unknown> {
  const own = Object.keys(TEMPLATE_CONTENT[channel].entries);
  const foreign = fieldsOfOtherChannels(channel, body);
  if (foreign.length > 0) {
    throw new AppError('INVALID_FIELD_FOR_CHANNEL', {
      message: `Fields that do not apply to ${channel}: ${foreign.join(', ')}.`,
      fix: `Templates of ${channel} accept ${own.join(', ')}.`,
    });
  }
  return Object.fromEntries(own.flatMap((field) => (field in body ? [[field, body[field]]] : [])));
}

/** `content` with the changed fields; null clears one. */
export function changedContent(content: object, fields: Record<string, unknown>): Record<string, unknown> {
  const changed = { ...content, ...fields };
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
}

/**
 * Returns the content as it can be stored. Throws INVALID_REQUEST for its shape, INVALID_TEMPLATE for its
 * Liquid.
 */
export function draftOf(
  check: TemplateCheck,
  channel: Channel,
  fields: Record<string, unknown>,
  linkSchemes: readonly string[],
): TemplateDraft {
  const problems: Problem[] = [];
  const parsed = parsePart('body', TEMPLATE_CONTENT[channel], fields, problems);
  assertNoProblems(problems);
  const content = v.parse(v.record(v.string(), v.unknown()), parsed);
  return { content, components: embeddedComponents(check, channel, content, linkSchemes) };
}

/**
 * Returns the distinct components that the html embeds. Throws INVALID_TEMPLATE with every invalid field.
 */
export function embeddedComponents(
  check: TemplateCheck,
  channel: Channel,
  content: Record<string, unknown>,
  linkSchemes: readonly string[] = [],
): string[] {
  const problems = check.templateProblems(channel, content, linkSchemes);
  const embedded = check.embeddedIdsOf(content);
  if (embedded.length > COMPONENTS_MAX) {
    problems.push(`html: more than ${COMPONENTS_MAX} components are embedded`);
  }
  if (embedded.some((id) => !v.is(Id, id))) {
    problems.push('html: an embedded component has an invalid ID');
  }
  assertTemplate(problems);
  return embedded;
}
