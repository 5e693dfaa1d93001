import type { Rendered } from '../../../../shared/rendering/content.ts';
import { defined } from '../../../../shared/runtime/values/defined.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import { spokenWords } from '../../../../shared/schemas/fields/ssml.ts';

/** `total` counts the contents that do not fit, too; `more` says how many those are, if any. */
type Rest = { total: number; more: string };
type Combine = {
  [C in Channel]: (contents: readonly Rendered[C][], last: Rendered[C], rest: Rest) => Rendered[C];
};

const joined = (texts: string[]) => texts.filter((text) => text !== '').join('\n');
const andMore = (text: string, count: number) => (count > 1 ? `${text} (+${count - 1} more)` : text);

const COMBINE: Combine = {
  EMAIL: (contents, { text: _, ...last }, { total, more }) => ({
    ...last,
    subject: andMore(last.subject, total),
    html: [...contents.map((content) => content.html), ...(more ? [`<p>${more}</p>`] : [])].join('\n<hr>\n'),
  }),
  INAPP_WEB: (_, last) => last,
  SMS: (contents, last, { more }) => ({
    ...last,
    message: joined([...contents.map((content) => content.message), more]),
    mediaUrls: contents.flatMap((content) => content.mediaUrls).slice(0, 10),
  }),
  CALL: (contents, last, { more }) => ({
    ...last,
    message: joined([...contents.map((content) => spokenWords(content.message)), more]),
  }),
  PUSH: (contents, last, { total }) => ({
    ...last,
    title: andMore(last.title, total),
    message: joined(contents.map((content) => content.message)),
  }),
  WEB_PUSH: (contents, last, { total }) => ({
    ...last,
    title: andMore(last.title, total),
    message: joined(contents.map((content) => content.message)),
  }),
  CHAT: (contents, last, { more }) => {
    const own = contents.flatMap((content) => content.blocks ?? []);
    const blocks =
      own.length > 0 && more ? [...own, { type: 'section', text: { type: 'plain_text', text: more } }] : own;
    return {
      ...last,
      text: joined([...contents.map((content) => content.text), more]),
      ...defined({ blocks: blocks.length > 0 ? blocks : undefined }),
    };
  },
};

/**
 * Combines several messages into one, for a digest whose type has no template for the mode: the messages that fit, in the frame
 * of the last message, with the number of the others.
 */
export function combineContents<C extends Channel>(
  channel: C,
  fitting: readonly Rendered[C][],
  { last, total }: { last: Rendered[C]; total: number },
): Rendered[C] {
  const left = total - fitting.length;
  return COMBINE[channel](fitting, last, { total, more: left > 0 ? `(+${left} more)` : '' });
}
