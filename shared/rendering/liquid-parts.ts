import { findUnmetCondition } from './condition.ts';
import { renderContent } from './content.ts';
import { componentIdsOf } from './liquid.ts';
import { rehearseContent } from './rehearsal.ts';
import { inlineProblems } from './template-check.ts';

/** What sending needs of Liquid, in one file of each bundle: the first content with tags loads it for all. */
export const liquid = { findUnmetCondition, renderContent, componentIdsOf, rehearseContent, inlineProblems };
