import { isSafeLinkStart } from '../../domain/content/links.ts';
import { CHANNELS, type Channel, CONTENT_BLOCK } from '../../schemas/channel.ts';
import type { TemplateContent } from '../../schemas/content/template-content.ts';
import { mapStrings } from '../fields.ts';
import { checkCondition } from '../liquid/condition.ts';
import { type Budget, openBudget, RenderProblem } from '../liquid/limits.ts';
import { checkSyntax, componentIdsOf } from '../liquid/liquid.ts';
import { outsideVariables, type Path } from './missing.ts';
import { samplesFor } from './samples.ts';

/**
 * Returns the Liquid problems of a template to be saved, each with its field; none if it can be rendered.
 * `internal` of an email belongs to the editor and is not rendered.
 */
export function templateProblems<C extends Channel>(
  channel: C,
  content: Partial<TemplateContent[C]>,
  linkSchemes: readonly string[],
): string[] {
  const budget = openBudget();
  const syntax = Object.entries(content).flatMap(([field, value]) =>
    channel === 'EMAIL' && field === 'internal' ? [] : fieldProblems(channel, field, value, budget),
  );
  const isLinked = channel === 'INAPP_WEB' || channel === 'WEB_PUSH';
  return isLinked ? [...syntax, ...linkProblems(content, linkSchemes, '')] : syntax;
}

const LINK_FIELDS = ['redirectURL', 'imageURL', 'url', 'image', 'icon'];

/** Finds links that could only be omitted when they are sent, in the variants of a template too. */
function linkProblems(content: object, linkSchemes: readonly string[], path: string): string[] {
  return Object.entries(content).flatMap(([field, value]) => {
    if (typeof value === 'object' && value !== null)
      return linkProblems(value, linkSchemes, `${path}${field}.`);
    if (!LINK_FIELDS.includes(field) || typeof value !== 'string') return [];
    return isSafeLinkStart(value, linkSchemes)
      ? []
      : [`${path}${field}: a link must be http, https, relative or of one of the account's linkSchemes`];
  });
}

/** Returns the Liquid problems of a request's content and condition, each with its channel, field, line and column. */
export function inlineProblems(content: Readonly<Record<string, object>>, condition?: string): string[] {
  const budget = openBudget();
  const problems = CHANNELS.flatMap((channel) =>
    Object.entries(content[CONTENT_BLOCK[channel]] ?? {}).flatMap(([field, value]) =>
      fieldProblems(channel, field, value, budget).map((problem) => `${channel} ${problem}`),
    ),
  );
  const unclear = condition === undefined ? undefined : checkCondition(condition);
  return unclear === undefined ? problems : [...problems, `EMAIL options.email.condition: ${unclear}`];
}

function fieldProblems(channel: Channel, field: string, value: unknown, budget: Budget): string[] {
  const markup = channel === 'EMAIL' && field === 'html' ? 'html' : 'plain';
  const problems = new Set<string>();
  try {
    mapStrings(value, (text) => {
      const problem = checkSyntax(text, markup, { budget });
      if (problem) problems.add(`${field}: ${problem}`);
      return text;
    });
  } catch (error) {
    if (!(error instanceof RenderProblem)) throw error;
    problems.add(`${field}: ${error.message}`);
  }
  return [...problems];
}

/** Returns a sample of every variable in a content; undefined if it has no variables. */
export function samplesOf(channel: Channel, content: object): Record<string, unknown> | undefined {
  const paths: Path[] = [];
  const { internal: _, ...rendered } = { internal: undefined, ...content };
  for (const [field, value] of Object.entries(rendered)) {
    const as = channel === 'EMAIL' && field === 'html' ? 'html' : 'plain';
    mapStrings(value, (text) => {
      paths.push(...outsideVariables(text, as));
      return text;
    });
  }
  return samplesFor(paths);
}

/** Returns the IDs of the components that the html of a content names directly, each once. */
export function embeddedIdsOf(content: { html?: unknown }): string[] {
  return typeof content.html === 'string' ? componentIdsOf(content.html) : [];
}
