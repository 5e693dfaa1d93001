import { users } from '../../shared/database/entities/users/users.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { chatConnector } from '../../shared/providers/chat/chat-connector.ts';
import { chatValue } from './chat-value.ts';
import { connectChatRoute } from './routes.ts';

export const handler = endpoint(
  connectChatRoute,
  { users, chatConnector },
  async ({ users, chatConnector, caller, path, body, request }) => {
    const chatToken = chatValue(await chatConnector.exchange(body.code, body.redirect_uri));
    await users.merge(caller, path.userId, { chatToken }, { nowMs: request.receivedAtMs, seen: true });
    return { success: true, message: 'The user is connected to the chat provider.' };
  },
);
