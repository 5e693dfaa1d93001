import { requestParameters } from '../../../shared/rendering/checks/variables.ts';
import { hasTags } from '../../../shared/rendering/syntax/tags.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';

/**
 * Returns what the items of one message must share in addition to their bucket: sender, reply-to and copies
 * of an email, the number of a text message, the thread of a chat message. Empty if the request sets none of
 * them. `atMs` is the value of `now` in their Liquid.
 */
export async function findEnvelope(channel: Channel, request: SendRequest, atMs: number): Promise<string> {
  const parts = await Promise.all(
    partsOf(channel, request).map((part) =>
      typeof part === 'string' ? rendered(part, request, atMs) : [...(part ?? [])].sort(),
    ),
  );
  return parts.every(({ length }) => length === 0) ? '' : JSON.stringify(parts);
}

function partsOf(
  channel: Channel,
  { options, email, sms, chat }: SendRequest,
): (string | readonly string[] | undefined)[] {
  switch (channel) {
    case 'EMAIL':
      return [
        options?.email?.fromAddress ?? email?.senderEmail,
        options?.email?.fromName ?? email?.senderName,
        options?.email?.replyToAddresses,
        options?.email?.ccAddresses,
        options?.email?.bccAddresses,
      ];
    case 'SMS':
      return [sms?.from];
    case 'CHAT':
      return [chat?.thread_ts];
    default:
      return [];
  }
}

/** Loads Liquid only for text that has tags. */
async function rendered(text: string, request: SendRequest, atMs: number): Promise<string> {
  if (!hasTags(text)) return text.trim();
  const { renderLiquid } = await import('../../../shared/rendering/liquid/liquid.ts');
  const result = renderLiquid(text, requestParameters(request), { as: 'plain', atMs });
  return result.ok ? result.text.trim() : text;
}
