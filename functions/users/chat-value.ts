import type { ChatRejection, ChatResult, ChatRetry } from '../../shared/channels/chat/chat-api.ts';
import { AppError } from '../../shared/runtime/errors.ts';

/**
 * Returns the chat provider's response; throws PROVIDER_ERROR with the provider's code if it failed or was
 * rejected.
 */
export function chatValue<T>(result: ChatResult<T>): T {
  if (result.kind === 'ok') return result.value;
  throw chatFailure(result);
}

/** The error for a call that the chat provider rejected, or could not accept for now. */
export function chatFailure(result: ChatRejection | ChatRetry): AppError {
  if (result.kind === 'retry') {
    return new AppError('PROVIDER_ERROR', {
      message: 'The chat provider did not respond.',
      fix: 'Try again in a minute.',
      provider: 'chat',
    });
  }
  return new AppError('PROVIDER_ERROR', {
    message: 'The chat provider rejected the request.',
    fix: 'Connect the user again, with a new authorization code and the same redirect_uri.',
    provider: 'chat',
    providerCode: result.error,
  });
}
