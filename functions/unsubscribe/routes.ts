import * as v from 'valibot';
import { route } from '../../shared/http/route.ts';
import { textUpTo } from '../../shared/schemas/text.ts';

const row = {
  resource: 'unsubscribe',
  path: '/unsubscribe/{token}',
  access: 'none',
  pathParameters: v.object({ token: textUpTo(8192) }),
  answer: { status: 200, html: true },
} as const;

export const showUnsubscribeRoute = route({
  ...row,
  id: 'showUnsubscribe',
  method: 'GET',
  grants: { table: ['get', 'put'], keyring: ['encrypt', 'decrypt'] },
  summary: 'The page behind an unsubscribe link',
  description: 'Shows what would be turned off and a button. Changes nothing: mail scanners open links.',
});

export const unsubscribeRoute = route({
  ...row,
  id: 'unsubscribe',
  method: 'POST',
  grants: { table: ['get', 'put', 'update'], keyring: ['encrypt', 'decrypt'] },
  summary: 'Unsubscribe by the link of a message',
  description:
    'Turns the type, or its sub-notification, off for that user on the channel of the message: at once, without login, as often as it is called (RFC 8058). The body is not read.',
});

/** The unsubscribe link's two endpoints; the signed token is the credential. */
export const unsubscribeRoutes = [showUnsubscribeRoute, unsubscribeRoute];
