import type { Channel } from '../schemas/channel.ts';
import { type Rendered, type RenderInput, renderContent } from './content.ts';
import { missingVariables, type Source } from './missing.ts';
import { variablesOf } from './variables.ts';

/** A content as it would be sent, and the variables that it names but nothing supplies. */
export type Rehearsal<C extends Channel> =
  | { ok: true; content: Rendered[C]; missing: string[] }
  | { ok: false; problem: string; missing: string[] };

/** Renders a content as for sending, and lists its missing variables. */
export function rehearseContent<C extends Channel>(input: RenderInput<C>): Rehearsal<C> {
  const sources: Source[] = [];
  const rendered = renderContent(input, (text, as) => sources.push({ text, as }));
  const missing = missingVariables(sources, variablesOf(input), input.components);
  return rendered.ok
    ? { ok: true, content: rendered.content, missing }
    : { ok: false, problem: rendered.problem, missing };
}
