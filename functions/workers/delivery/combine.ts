import type { Rendered } from '../../../shared/rendering/content.ts';
import { defined } from '../../../shared/runtime/defined.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';

type Combine = { [C in Channel]: (contents: Rendered[C][], last: Rendered[C]) => Rendered[C] };

const joined = (texts: string[]) => texts.filter((text) => text !== '').join('\n');
const andMore = (text: string, count: number) => (count > 1 ? `${text} (+${count - 1} more)` : text);

const COMBINE: Combine = {
  EMAIL: (contents, last) => ({
    ...last,
    subject: andMore(last.subject, contents.length),
    html: contents.map((content) => content.html).join('\n<hr>\n'),
  }),
  INAPP_WEB: (_, last) => last,
  SMS: (contents, last) => ({
    ...last,
    message: joined(contents.map((content) => content.message)),
    mediaUrls: contents.flatMap((content) => content.mediaUrls).slice(0, 10),
  }),
  CALL: (contents) => ({ message: joined(contents.map((content) => content.message)) }),
  PUSH: (contents, last) => ({
    title: andMore(last.title, contents.length),
    message: joined(contents.map((content) => content.message)),
  }),
  WEB_PUSH: (contents, last) => ({
    ...last,
    title: andMore(last.title, contents.length),
    message: joined(contents.map((content) => content.message)),
  }),
  CHAT: (contents, last) => {
    const blocks = contents.flatMap((content) => content.blocks ?? []).slice(0, 50);
    return {
      ...last,
      text: joined(contents.map((content) => content.text)),
      ...defined({ blocks: blocks.length > 0 ? blocks : undefined }),
    };
  },
};

/**
 * Combines several messages into one, for a digest whose type has no template for the mode. Undefined for
 * none.
 */
export function combineContents<C extends Channel>(
  channel: C,
  contents: Rendered[C][],
): Rendered[C] | undefined {
  const last = contents.at(-1);
  return last && COMBINE[channel](contents, last);
}
