import { chatProvider } from '../../../shared/providers/chat/chat.ts';
import { loggedOf } from '../../../shared/rendering/preview.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { deliveryBase } from './base.ts';
import type { Build } from './content/built.ts';
import { contentDependencies, loadContent } from './content/content.ts';
import { deliverer } from './deliver.ts';

const build: Build<'CHAT', Resolved<typeof contentDependencies>> = async (deps, context) => {
  const { user } = context;
  const { rendered } = await loadContent(deps, 'CHAT', context);
  if (!rendered.ok) return { kind: 'rejected', code: 'UNKNOWN', internal: rendered.problem };
  const { text = '', blocks } = rendered.content;
  if (!(blocks?.length ? text : text.trim()))
    return { kind: 'rejected', code: 'NO_TEXT', internal: 'the rendered text is empty' };
  return {
    kind: 'ready',
    ...loggedOf('CHAT', rendered),
    delivery: {
      ...deliveryBase(context),
      ...defined({ chatChannel: user.chatChannel || undefined, chatToken: user.chatToken }),
      content: rendered.content,
    },
  };
};

export const handler = deliverer('CHAT', chatProvider, contentDependencies, build);
