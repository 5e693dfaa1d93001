import * as v from 'valibot';
import { LOG_FOLDERS } from '../../shared/blobs/blob-folders.ts';
import { route } from '../../shared/http/rows/route.ts';
import { FOLLOW_UP_QUEUE } from '../../shared/messaging/queue-names.ts';

const PathParameters = v.object({ channel: v.picklist(['sms', 'call'], 'must be sms or call') });
const Query = v.record(v.string(), v.string());

const row = {
  method: 'POST',
  access: 'none',
  pathParameters: PathParameters,
  query: Query,
  bodyBytesMax: 64 * 1024,
  grants: {
    table: ['get', 'query', 'put'],
    keyring: ['decrypt'],
    blobs: { read: LOG_FOLDERS },
    services: ['secrets'],
  },
  settings: ['PHONE_NUMBERS'],
} as const;

export const receiveTwilioCallbackRoute = route({
  ...row,
  id: 'receiveTwilioCallback',
  signedBy: ['x-twilio-signature'],
  path: '/callbacks/twilio/{channel}',
  response: { kind: 'html' },
  grants: { ...row.grants, sendsTo: [FOLLOW_UP_QUEUE] },
  settings: ['PUBLIC_BASE_URL', 'PHONE_NUMBERS'],
  summary: 'Receive a status or an inbound message of Twilio',
  description:
    'Authenticated by X-Twilio-Signature, which signs the public URL and the form. Duplicate, late and unknown callbacks change nothing. The form may have at most 64 KB and 200 fields. Returns TwiML.',
});

export const receiveTelnyxCallbackRoute = route({
  ...row,
  id: 'receiveTelnyxCallback',
  signedBy: ['telnyx-signature-ed25519', 'telnyx-timestamp'],
  path: '/callbacks/telnyx/{channel}',
  response: { kind: 'json', body: v.object({ received: v.boolean() }) },
  grants: { ...row.grants, keyring: ['encrypt', 'decrypt'] },
  summary: 'Receive an event of Telnyx',
  description:
    'The headers telnyx-signature-ed25519 and telnyx-timestamp over the raw body are the credential; a signature is valid for five minutes. Duplicate, late and unknown events change nothing. The body may have at most 64 KB.',
  example: { response: { received: true } },
});
