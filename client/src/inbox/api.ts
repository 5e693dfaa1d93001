import type { OperationRow } from '../generated/operations.ts';
import type { Client } from '../generated/types.ts';
import { methodsOf } from '../methods.ts';
import type { ClientOptions } from '../request.ts';

/** The operations of the inbox and the preferences. */
export type InboxClient = Pick<Client, 'inapp' | 'preferences'>;

/** An in-app notification. */
export type InboxItem = Awaited<ReturnType<Client['inapp']['list']>>['notifications'][number];

/** The rows of the operations that the inbox calls, so that its bundle has no others. */
export const INBOX_OPERATIONS = {
  'inapp.list': ['GET', '/user/inapp', 'q'],
  'inapp.mark': ['PATCH', '/user/inapp', 'b'],
  'inapp.countUnread': ['GET', '/user/inapp/unread', ''],
  'inapp.openAll': ['PATCH', '/user/inapp/unread', ''],
  'preferences.get': ['GET', '/users/{userId}/preferences', ''],
  'preferences.save': ['POST', '/users/{userId}/preferences', 'br'],
} satisfies Record<string, OperationRow>;

/** A client with the inbox's operations only. The rows and the type name the same operations. */
export function inboxClient(options: ClientOptions): InboxClient {
  return methodsOf(options, INBOX_OPERATIONS) as unknown as InboxClient;
}
