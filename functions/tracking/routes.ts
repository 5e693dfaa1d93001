import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { route } from '../../shared/http/route.ts';
import { textUpTo } from '../../shared/schemas/text.ts';
import { TRACKING_TOKEN_LENGTH_MAX } from '../../shared/tokens/tracking-token.ts';

const row = {
  method: 'GET',
  resource: 'tracking',
  access: 'none',
  pathParameters: v.object({ token: textUpTo(TRACKING_TOKEN_LENGTH_MAX) }),
  grants: { table: ['get', 'put'], keyring: ['encrypt', 'decrypt'], blobs: { read: LOG_FOLDERS } },
} as const;

export const trackOpenRoute = route({
  ...row,
  id: 'trackOpen',
  path: '/track/open/{token}',
  answer: { status: 200, image: 'image/gif' },
  summary: 'The pixel of a message sent over SMTP',
  description:
    'Records the first time that the message is opened, while its log is kept. Answers an image of one transparent pixel either way.',
});

export const trackClickRoute = route({
  ...row,
  id: 'trackClick',
  path: '/track/click/{token}',
  answer: { status: 302 },
  summary: 'A link of a message sent over SMTP',
  description:
    'Records the first time that the link is followed, while the log of the message is kept. Leads on to the link either way: it is in the signed token, so that no other can be put in its place.',
});

/** What a message over SMTP asks for when it is opened or a link in it is followed; the signed token is the credential. */
export const trackingRoutes = [trackOpenRoute, trackClickRoute];
