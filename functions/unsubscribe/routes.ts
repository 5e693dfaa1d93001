import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { route } from '../../shared/http/route.ts';
import { textUpTo } from '../../shared/schemas/text.ts';

const row = {
  resource: 'unsubscribe',
  path: '/unsubscribe/{token}',
  access: 'none',
  pathParameters: v.object({ token: textUpTo(8192) }),
  answer: { kind: 'html' },
} as const;

export const showUnsubscribeRoute = route({
  ...row,
  id: 'showUnsubscribe',
  method: 'GET',
  grants: {
    table: ['get', 'batchGet', 'put'],
    blobs: { read: LOG_FOLDERS },
    keyring: ['encrypt', 'decrypt'],
  },
  summary: 'Show the page behind an unsubscribe link',
  description:
    'Shows what would be turned off, with a button. Changes nothing, because mail scanners open links. In a browser, an invalid link returns a page.',
});

export const unsubscribeRoute = route({
  ...row,
  id: 'unsubscribe',
  method: 'POST',
  query: v.object({ undo: v.optional(v.string()), all: v.optional(v.string()) }),
  grants: {
    table: ['get', 'batchGet', 'query', 'put', 'update'],
    blobs: { read: LOG_FOLDERS },
    keyring: ['encrypt', 'decrypt'],
  },
  summary: 'Unsubscribe with the link of a message',
  description:
    'Turns the type, or its sub-notification, off for that user on the channel of the message: immediately, without a login, and repeatably (RFC 8058). The body is ignored. With undo=true, the choice before the link is restored if the type still offers it, or else its default applies. With all=true on a type of purpose marketing, it is about all marketing on the channel. If off is not allowed, the page shows that and nothing changes.',
});

const preferencesRow = { ...row, path: '/preferences/{token}' } as const;

export const showPreferencesPageRoute = route({
  ...preferencesRow,
  id: 'showPreferencesPage',
  method: 'GET',
  grants: {
    table: ['get', 'batchGet', 'query', 'put'],
    blobs: { read: LOG_FOLDERS },
    keyring: ['encrypt', 'decrypt'],
  },
  summary: 'Show the page where a recipient chooses their notifications',
  description:
    "The link is {{ preferences_url }} in templates; its token is that of the unsubscribe link. Shows every type with a choice per channel, the quiet hours and the pause, and changes nothing. Pages are in the user's language, or else in one that the browser accepts: Arabic, English, French, German, Italian, Japanese, Portuguese or Spanish.",
});

export const savePreferencesPageRoute = route({
  ...preferencesRow,
  id: 'savePreferencesPage',
  method: 'POST',
  bodyBytesMax: 256 * 1024,
  grants: {
    table: ['get', 'batchGet', 'query', 'put', 'update'],
    blobs: { read: LOG_FOLDERS },
    keyring: ['encrypt', 'decrypt'],
  },
  summary: 'Save the choices of that page',
  description:
    'Accepts the form of the page, at most 256 KB: choices, quiet-from and quiet-to (both empty for none), quiet-days and quiet-channels (one field per choice, and one that is empty), pause (keep, none, hour, day, week, month). Changes only what differs from what the page showed. Choices that are not offered are ignored.',
});

/** Endpoints behind the links of messages; the signed token is the credential. */
export const unsubscribeRoutes = [
  showUnsubscribeRoute,
  unsubscribeRoute,
  showPreferencesPageRoute,
  savePreferencesPageRoute,
];
