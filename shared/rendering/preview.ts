import type { Channel } from '../schemas/channel.ts';
import type { Rendered, RenderResult } from './content.ts';

/** What a log says of a rendered content: its preview, what was omitted from it, and its variables without a value. */
export function loggedOf<C extends Channel>(
  channel: C,
  { content, notes, missing }: Extract<RenderResult<C>, { ok: true }>,
) {
  return { preview: previewOf(channel, content), notes, missing };
}

/**
 * The preview of a content in the delivery log (`<prefix>_preview`): the html of an email, the message of a
 * text message or call, and for the other channels the content's fields as JSON.
 */
export function previewOf<C extends Channel>(channel: C, content: Rendered[C]): string {
  return PREVIEWS[channel](content);
}

const PREVIEWS: { [C in Channel]: (content: Rendered[C]) => string } = {
  EMAIL: ({ html }) => html,
  SMS: ({ message }) => message,
  CALL: ({ message }) => message,
  INAPP_WEB: (content) => JSON.stringify(content),
  PUSH: (content) => JSON.stringify(content),
  WEB_PUSH: (content) => JSON.stringify(content),
  CHAT: (content) => JSON.stringify(content),
};
