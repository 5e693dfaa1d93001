import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { route } from '../../shared/http/rows/route.ts';
import { textUpTo } from '../../shared/schemas/fields/text.ts';

const row = {
  path: '/unsubscribe/{token}',
  access: 'none',
  pathParameters: v.object({ token: textUpTo(8192) }),
  response: { kind: 'html' },
} as const;

const READING = { blobs: { read: LOG_FOLDERS }, keyring: ['encrypt', 'decrypt'] } as const;

export const showUnsubscribeRoute = route({
  ...row,
  id: 'showUnsubscribe',
  method: 'GET',
  grants: { ...READING, table: ['get', 'batchGet', 'put'] },
  summary: 'Show the page behind an unsubscribe link',
  description:
    'Shows what would be turned off, with a button. Changes nothing, because mail scanners open links. In a browser, an invalid link returns a page.',
});

export const unsubscribeRoute = route({
  ...row,
  id: 'unsubscribe',
  method: 'POST',
  query: v.object({ undo: v.optional(v.string()), all: v.optional(v.string()) }),
  grants: { ...READING, table: ['get', 'batchGet', 'query', 'put', 'update'] },
  summary: 'Unsubscribe with the link of a message',
  description:
    'Turns the type, or its sub-notification, off for that user on the channel of the message, without a login and repeatably (RFC 8058). The body is ignored. If off is not allowed, the page shows that and nothing changes.',
});

const preferencesRow = { ...row, path: '/preferences/{token}' } as const;

export const showPreferencesPageRoute = route({
  ...preferencesRow,
  id: 'showPreferencesPage',
  method: 'GET',
  grants: { ...READING, table: ['get', 'batchGet', 'query', 'put'] },
  summary: 'Show the page where a recipient chooses their notifications',
  description:
    "Shows every type with a choice per channel, the quiet hours and the pause, and changes nothing. The link is {{ preferences_url }} in templates. It works for 90 days, for the address that it was sent to; after that, the page offers a new one. Pages are in the user's language.",
});

export const savePreferencesPageRoute = route({
  ...preferencesRow,
  id: 'savePreferencesPage',
  method: 'POST',
  query: v.object({ renew: v.optional(v.string()) }),
  bodyBytesMax: 256 * 1024,
  grants: { ...READING, table: ['get', 'batchGet', 'query', 'put', 'update'] },
  summary: 'Save the choices of that page',
  description:
    'Changes only what differs from what the page showed. Fields: choices, quiet-from, quiet-to, quiet-days and quiet-channels (one field per choice, and one that is empty), pause (keep, none, hour, day, week, month). At most 256 KB.',
});
