import type { Channel } from '../../schemas/channel.ts';
import { type RenderInput, type RenderResult, renderContent } from '../content.ts';
import { ANY_LANGUAGE, type MissingTranslation } from '../language/language.ts';
import { openBudget } from '../liquid/limits.ts';
import { missingVariables, type Source } from './missing.ts';
import { variablesOf } from './variables.ts';

/** A content as it would be sent, and its variables without a value. */
export type Rehearsal<C extends Channel> = RenderResult<C> & Missing;

/** Variables without a value, and translations that the reader's language lacks. */
type Missing = { missing: string[]; missingTranslations: MissingTranslation[] };

/** Renders a content as for sending, and lists its missing variables, both within one budget. */
export function rehearseContent<C extends Channel>(input: RenderInput<C>): Rehearsal<C> {
  const sources: Source[] = [];
  const untranslated = new Map<string, MissingTranslation>();
  const onMissing = (each: MissingTranslation) => untranslated.set(each.key, each);
  const language = { ...(input.language ?? ANY_LANGUAGE), onMissing };
  const budget = openBudget();
  const onSource = (text: Source['text'], as: Source['as']) => sources.push({ text, as });
  const rendered = renderContent({ ...input, language }, { budget, onSource });
  const { components, layout } = input;
  const variables = { ...variablesOf(input), _more: 0 };
  const known = layout === undefined ? variables : { ...variables, content: '' };
  return {
    ...rendered,
    missing: missingVariables(sources, known, { components, budget }),
    missingTranslations: [...untranslated.values()],
  };
}
