import { users } from '../../shared/database/entities/users/users.ts';
import { deviceTokensOf, withoutDeviceTokens } from '../../shared/domain/users/device-tokens.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { removeDeviceRoute } from './routes.ts';
import { unknownUser } from './unknown-user.ts';

export const handler = endpoint(
  removeDeviceRoute,
  { users },
  async ({ users, caller, path: { userId, device }, request }) => {
    const named = deviceTokensOf({
      pushTokens: [
        { type: 'FCM', token: device },
        { type: 'APN', token: device },
      ],
      webPushTokens: [{ sub: { endpoint: device, keys: { p256dh: '', auth: '' } } }],
    });
    const isKnown = await users.edit(caller, userId, request.receivedAtMs, (stored) => {
      const has = new Set(deviceTokensOf(stored));
      return named.some((name) => has.has(name)) ? withoutDeviceTokens(stored, new Set(named)) : undefined;
    });
    if (!isKnown) throw unknownUser();
    return undefined;
  },
);
