import { AppError } from '../../runtime/errors.ts';
import type { FreeForm } from '../../schemas/fields/text.ts';
import {
  ATTRIBUTES_TOO_LARGE,
  type ChatToken,
  isAttributesSize,
  type PushToken,
  type WebPushToken,
} from '../../schemas/users/user.ts';
import { canonicalJson } from '../routing/canonical-json.ts';
import { canonicalToken, pushName } from './device-tokens.ts';
import type { Profile, ProfileChange, StoredPushToken, StoredWebPushToken } from './profile.ts';

/** A user keeps at most this many tokens of a kind; the oldest go first. */
export const TOKENS_MAX = 100;

/**
 * The profile after `change`: push tokens merge by `token` (a device's newer token replaces its older one),
 * web push subscriptions by endpoint, an empty list clears, a changed email drops the former address's suppression status. Returns
 * the same object if nothing changed, so that callers can skip the write. `seen`: the user was active just
 * now, so a repeated token or subscription gets a new date; a request to send only repeats what the caller had stored.
 * Throws INVALID_REQUEST if the attributes would be too large.
 */
export function mergeProfile(
  current: Profile | undefined,
  userId: string,
  change: ProfileChange,
  nowMs: number,
  seen = false,
): Profile {
  const before: Profile = current ?? { userId, createdAtMs: nowMs, updatedAtMs: nowMs };
  const next: Profile = { ...before };
  setOrClear(next, 'email', change.email);
  setOrClear(next, 'number', change.number);
  setOrClear(next, 'timezone', change.timezone);
  setOrClear(next, 'locale', change.locale);
  setOrClear(next, 'chatChannel', change.chatChannel);
  setOrClear(next, 'quietHours', change.quietHours);
  setOrClear(next, 'pausedUntilMs', change.pausedUntilMs);
  if (change.chatToken === null) delete next.chatToken;
  else if (change.chatToken !== undefined && !isSameToken(before.chatToken, change.chatToken)) {
    next.chatToken = { ...change.chatToken, obtainedAtMs: nowMs };
  }
  if (change.pushTokens === null) delete next.pushTokens;
  else if (change.pushTokens !== undefined)
    next.pushTokens = mergePushTokens(before.pushTokens, change.pushTokens, nowMs, seen);
  if (change.webPushTokens === null) delete next.webPushTokens;
  else if (change.webPushTokens !== undefined) {
    next.webPushTokens = mergeWebPushTokens(before.webPushTokens, change.webPushTokens, nowMs, seen);
  }
  if (change.attributes === null) delete next.attributes;
  else if (change.attributes !== undefined)
    next.attributes = mergeAttributes(before.attributes, change.attributes);
  if (next.email !== before.email) delete next.emailSuppressionStatus;
  if (current !== undefined && JSON.stringify(next) === JSON.stringify(before)) return current;
  next.updatedAtMs = nowMs;
  return next;
}

function isSameToken(stored: Profile['chatToken'], newToken: ChatToken): boolean {
  if (!stored) return false;
  const { obtainedAtMs: _, ...token } = stored;
  return JSON.stringify(token) === JSON.stringify(newToken);
}

function setOrClear<
  K extends 'email' | 'number' | 'timezone' | 'locale' | 'chatChannel' | 'quietHours' | 'pausedUntilMs',
>(profile: Profile, field: K, value: Profile[K] | null): void {
  if (value === null) delete profile[field];
  else if (value !== undefined) profile[field] = value;
}

/** The same object if nothing changes; the order of names does not count. */
function mergeAttributes(current: FreeForm = {}, change: FreeForm): FreeForm {
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...change }).filter(([, value]) => value !== null),
  );
  if (canonicalJson(merged) === canonicalJson(current)) return current;
  if (isAttributesSize(merged)) return merged;
  throw new AppError('INVALID_REQUEST', {
    message: `attributes, merged with those stored, ${ATTRIBUTES_TOO_LARGE}.`,
    path: 'attributes',
    fix: 'Send null for attributes that are no longer used, or shorter ones.',
  });
}

function mergePushTokens(
  current: StoredPushToken[] = [],
  added: PushToken[],
  nowMs: number,
  seen: boolean,
): StoredPushToken[] {
  if (added.length === 0) return [];
  let merged = current;
  for (const token of added.map(canonicalToken)) {
    const name = pushName(token);
    const same = merged.find((each) => pushName(each) === name);
    const deviceId = token.device?.device_id;
    const valid = merged.filter(
      (each) =>
        pushName(each) !== name &&
        !(deviceId !== undefined && each.device?.device_id === deviceId && each.type === token.type),
    );
    merged =
      same && valid.length === merged.length - 1
        ? merged.map((each) =>
            each === same ? { ...token, savedAtMs: seen ? nowMs : same.savedAtMs } : each,
          )
        : [...valid, { ...token, savedAtMs: nowMs }];
  }
  return merged.slice(-TOKENS_MAX);
}

function mergeWebPushTokens(
  current: StoredWebPushToken[] = [],
  added: WebPushToken[],
  nowMs: number,
  seen: boolean,
): StoredWebPushToken[] {
  if (added.length === 0) return [];
  let merged = current;
  // If several have the same endpoint, the last counts.
  for (const sub of new Map(added.map((each) => [each.sub.endpoint, each.sub])).values()) {
    const known = merged.find((each) => each.sub.endpoint === sub.endpoint);
    const isRepeated = known !== undefined && canonicalJson(known.sub) === canonicalJson(sub);
    const next = isRepeated && !seen ? known : { sub, savedAtMs: nowMs };
    merged = known ? merged.map((each) => (each === known ? next : each)) : [...merged, next];
  }
  return merged.slice(-TOKENS_MAX);
}
