import type { ChatPostponement, ChatRefusal, ChatResult } from '../../shared/channels/chat/chat-api.ts';
import { AppError } from '../../shared/runtime/errors.ts';

/** What the chat product answered; throws PROVIDER_ERROR with its own code when it refused or could not. */
export function chatValue<T>(result: ChatResult<T>): T {
  if (result.kind === 'ok') return result.value;
  throw chatFailure(result);
}

/** The error of a call that the chat product refused, or could not take for now. */
export function chatFailure(result: ChatRefusal | ChatPostponement): AppError {
  if (result.kind === 'postponed') {
    return new AppError('PROVIDER_ERROR', {
      message: 'The chat product could not answer for now.',
      fix: 'Try again in a minute.',
      provider: 'chat',
    });
  }
  return new AppError('PROVIDER_ERROR', {
    message: 'The chat product refused the request.',
    fix: 'Connect the user again, with a new authorization code and the same redirect_uri.',
    provider: 'chat',
    providerCode: result.error,
  });
}
