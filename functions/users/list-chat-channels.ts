import { users } from '../../shared/database/entities/users/users.ts';
import { chatAccessOf } from '../../shared/domain/users/chat-access.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { chatConnector } from '../../shared/providers/chat/chat-connector.ts';
import { refreshChatToken } from '../../shared/providers/chat/chat-refresh.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { chatFailure, chatValue } from './chat-value.ts';
import { listChatChannelsRoute } from './routes.ts';

export const handler = endpoint(
  listChatChannelsRoute,
  { users, chatConnector },
  async ({ users, chatConnector, caller, path }) => {
    const chatToken = (await users.find(caller, path.userId))?.chatToken;
    const accessToken = chatToken && chatAccessOf(chatToken).access_token;
    if (!accessToken) {
      throw new AppError('NOT_CONNECTED', {
        message: 'The user is not connected to the chat provider.',
        fix: 'Connect the user with POST /users/{userId}/chat-oauth.',
      });
    }
    const listed = await chatConnector.listChannels(accessToken);
    if (listed.kind !== 'rejected' || listed.error !== 'token_expired')
      return { channels: chatValue(listed) };
    const { accountId, environmentId } = caller;
    const refreshed = await refreshChatToken({ accountId, environmentId, userId: path.userId, chatToken });
    if (!refreshed) throw chatFailure(listed);
    if ('kind' in refreshed) throw chatFailure(refreshed);
    return {
      channels: chatValue(
        await chatConnector.listChannels(chatAccessOf(refreshed).access_token ?? accessToken),
      ),
    };
  },
);
