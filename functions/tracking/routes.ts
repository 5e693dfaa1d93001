import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { route } from '../../shared/http/rows/route.ts';
import { textUpTo } from '../../shared/schemas/fields/text.ts';
import { TRACKING_TOKEN_LENGTH_MAX } from '../../shared/tokens/tracking-token.ts';

const row = {
  method: 'GET',
  access: 'none',
  pathParameters: v.object({ token: textUpTo(TRACKING_TOKEN_LENGTH_MAX) }),
  grants: { table: ['get', 'put', 'query'], keyring: ['encrypt', 'decrypt'], blobs: { read: LOG_FOLDERS } },
} as const;

export const trackOpenRoute = route({
  ...row,
  id: 'trackOpen',
  path: '/track/open/{token}',
  response: { kind: 'gif' },
  summary: 'Show the tracking pixel of a message sent over SMTP',
  description:
    'Records the first time that the message is opened, while its log is kept. Always returns an image of one transparent pixel.',
});

export const trackClickRoute = route({
  ...row,
  id: 'trackClick',
  path: '/track/click/{token}',
  response: { kind: 'redirect' },
  summary: 'Follow a tracked link of a message sent over SMTP',
  description:
    'Records the first time that the link is followed, while the log of the message is kept. Always redirects. The URL is in the signed token and cannot be replaced.',
});

/**
 * Requests from messages sent over SMTP when they are opened or a link is followed; the signed token is the
 * credential.
 */
