import type { Methods } from '../generated/methods.ts';
import type { OperationRow } from '../generated/operations.ts';
import { methodsOf } from '../methods.ts';
import type { ClientOptions } from '../request.ts';

/** The operations of the inbox and the preferences. */
export type InboxClient = Pick<Methods, 'inapp' | 'preferences'>;

/** The operations of the preferences component: quiet hours and the pause belong to the user. */
export type PreferencesClient = InboxClient & Pick<Methods, 'users'>;

export type InboxItem = Awaited<ReturnType<Methods['inapp']['list']>>['notifications'][number];

/** The rows of the operations that the inbox calls, so that its bundle has no others. */
export const INBOX_OPERATIONS = {
  'inapp.list': ['GET', '/user/inapp', 'q'],
  'inapp.mark': ['PATCH', '/user/inapp', 'b'],
  'inapp.countUnread': ['GET', '/user/inapp/unread', 'q'],
  'inapp.openAll': ['PATCH', '/user/inapp/unread', 'q'],
  'preferences.get': ['GET', '/users/{userId}/preferences', 'q'],
  'preferences.save': ['POST', '/users/{userId}/preferences', 'br'],
  'preferences.reset': ['DELETE', '/users/{userId}/preferences', 'q'],
  'users.get': ['GET', '/users/{userId}', ''],
  'users.save': ['POST', '/users/{userId}', 'br'],
} satisfies Record<string, OperationRow>;

/** A client with the inbox's operations only. The rows and the type name the same operations. */
export function inboxClient(options: ClientOptions): PreferencesClient {
  return methodsOf(options, INBOX_OPERATIONS) as unknown as PreferencesClient;
}
