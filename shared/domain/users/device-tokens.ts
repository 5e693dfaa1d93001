import { defined } from '../../runtime/values/defined.ts';
import type { PushToken, WebPushToken } from '../../schemas/users/user.ts';

/** Addresses of a user's devices: push tokens and web push subscriptions. */
type Devices = { pushTokens?: PushToken[] | undefined; webPushTokens?: WebPushToken[] | undefined };

const APN_HEX = /^[0-9a-f]{64,}$/i;

/** The stored form of a token: APNs reads hex in either case, so that each device has one spelling. */
export function canonicalToken<T extends PushToken>(token: T): T {
  return token.type === 'APN' && APN_HEX.test(token.token)
    ? { ...token, token: token.token.toLowerCase() }
    : token;
}

export const pushName = (token: PushToken) => `PUSH ${canonicalToken(token).token}`;
const webPushName = ({ sub }: WebPushToken) => `WEB_PUSH ${sub.endpoint}`;

/** The names of the tokens: each belongs to one user of an environment at a time. */
export function deviceTokensOf({ pushTokens = [], webPushTokens = [] }: Devices): string[] {
  return [...pushTokens.map(pushName), ...webPushTokens.map(webPushName)];
}

/** The same object without the tokens of these names. */
export function withoutDeviceTokens<T extends Devices>(devices: T, names: ReadonlySet<string>): T {
  const { pushTokens, webPushTokens } = devices;
  return {
    ...devices,
    ...defined({
      pushTokens: pushTokens ? pushTokens.filter((token) => !names.has(pushName(token))) : undefined,
    }),
    ...(webPushTokens
      ? { webPushTokens: webPushTokens.filter((token) => !names.has(webPushName(token))) }
      : {}),
  };
}

/** `after`, with its changes to the tokens of `before` reduced to the tokens in `names`. */
export function withDeviceTokenChanges<T extends Devices>(
  before: Devices,
  after: T,
  names: ReadonlySet<string>,
): T {
  const remaining = withoutDeviceTokens(before, names);
  const isChosen = (name: string) => names.has(name);
  return {
    ...after,
    pushTokens: [
      ...(remaining.pushTokens ?? []),
      ...(after.pushTokens ?? []).filter((token) => isChosen(pushName(token))),
    ],
    webPushTokens: [
      ...(remaining.webPushTokens ?? []),
      ...(after.webPushTokens ?? []).filter((token) => isChosen(webPushName(token))),
    ],
  };
}
