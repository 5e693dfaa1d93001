import { rehearseContent } from '../checks/rehearsal.ts';
import { inlineProblems } from '../checks/template-check.ts';
import { renderContent } from '../content.ts';
import { findUnmetCondition } from './condition.ts';
import { componentIdsOf } from './liquid.ts';

/** What sending needs of Liquid, in one file of each bundle: the first content with tags loads it for all. */
export const liquid = { findUnmetCondition, renderContent, componentIdsOf, rehearseContent, inlineProblems };
