import {
  AssignTag,
  CaptureTag,
  CommentTag,
  ForTag,
  IfTag,
  InlineCommentTag,
  type Template,
  toValueSync,
  UnlessTag,
} from 'liquidjs';
import { DocTag, LiquidCaseTag } from './block-tags.ts';

const PRINTING_NOTHING = [AssignTag, CaptureTag, CommentTag, InlineCommentTag, DocTag];
const BLOCKS = [IfTag, UnlessTag, ForTag, LiquidCaseTag];

/**
 * Removes the white space of blocks that print nothing else, as Liquid does: between assignments, comments and other
 * such blocks.
 */
export function clearBlankBlocks(templates: readonly Template[]): void {
  templates.forEach(isBlank);
}

/** True if a template prints white space at most. Clears the blocks inside it. */
function isBlank(template: Template): boolean {
  if (isText(template)) return template.str.trim() === '';
  const children: Template[] = template.children ? toValueSync(template.children(false, true)) : [];
  const isEmpty = children.map(isBlank).every(Boolean);
  if (PRINTING_NOTHING.some((each) => template instanceof each)) return true;
  if (!isEmpty || !BLOCKS.some((each) => template instanceof each)) return false;
  for (const child of children) if (isText(child)) child.str = '';
  return true;
}

/** liquidjs does not export its class of plain text. */
function isText(template: Template): template is Template & { str: string } {
  return 'str' in template && typeof template.str === 'string';
}
