import type { Channel } from '../schemas/channel.ts';
import type { TemplateContent } from '../schemas/template-content.ts';
import { mapStrings } from './fields.ts';
import { RenderProblem } from './limits.ts';
import { checkSyntax, componentIdsOf } from './liquid.ts';

/**
 * What is wrong with the Liquid of a template that is to be saved (INVALID_TEMPLATE), each problem with its field; empty
 * when it can be rendered. An e-mail's `internal` is the editor's own and not looked at.
 */
export function templateProblems<C extends Channel>(
  channel: C,
  content: Partial<TemplateContent[C]>,
): string[] {
  return Object.entries(content).flatMap(([field, value]) => {
    if (channel === 'EMAIL' && field === 'internal') return [];
    const markup = channel === 'EMAIL' && field === 'html' ? 'html' : 'plain';
    const problems = new Set<string>();
    try {
      mapStrings(value, (text) => {
        const problem = checkSyntax(text, markup);
        if (problem) problems.add(`${field}: ${problem}`);
        return text;
      });
    } catch (error) {
      if (!(error instanceof RenderProblem)) throw error;
      problems.add(`${field}: ${error.message}`);
    }
    return [...problems];
  });
}

/** Ids of the components that the html of a content names itself, each once. */
export function embeddedIdsOf(content: { html?: unknown }): string[] {
  return typeof content.html === 'string' ? componentIdsOf(content.html) : [];
}
