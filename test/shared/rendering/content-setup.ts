import { type RenderInput, renderContent } from '../../../shared/rendering/content.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';

export function render<C extends Channel>(channel: C, input: Partial<RenderInput<C>>) {
  return renderContent<C>({ channel, user: {}, parameters: {}, mode: 'instant', atMs: 0, ...input });
}

export function contentOf<C extends Channel>(channel: C, input: Partial<RenderInput<C>>) {
  const rendered = render(channel, input);
  if (!rendered.ok) throw new Error(rendered.problem);
  return rendered.content;
}
