import { chatProvider } from '../../../shared/providers/chat.ts';
import { previewOf } from '../../../shared/rendering/preview.ts';
import { deliveryBase } from './base.ts';
import { renderFor, templateOf } from './content.ts';
import { type Build, deliverer } from './deliver.ts';

const build: Build<'CHAT'> = async (context) => {
  const { head, user } = context;
  const rendered = await renderFor('CHAT', { head, user }, await templateOf(head, 'CHAT'));
  if (!rendered.ok) return { kind: 'rejected', code: 'UNKNOWN', internal: rendered.problem };
  if (!rendered.content.text)
    return { kind: 'rejected', code: 'NO_TEXT', internal: 'the rendered text is empty' };
  return {
    kind: 'ready',
    preview: previewOf('CHAT', rendered.content),
    delivery: {
      ...deliveryBase(context),
      ...(user.chatChannel ? { chatChannel: user.chatChannel } : {}),
      ...(user.chatToken ? { chatToken: user.chatToken } : {}),
      content: rendered.content,
    },
  };
};

export const handler = deliverer('CHAT', chatProvider, build);
