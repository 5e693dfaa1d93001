import * as v from 'valibot';
import { defined } from '../../../runtime/values/defined.ts';
import type { CallbackTags } from '../callback-url.ts';
import { LenientText } from '../lenient.ts';
import { findAcceptedJson } from '../outcome/provider-failure.ts';
import { ignored, type PhoneReceipt } from '../outcome/receipt.ts';
import { resourceUrl, type TwilioOptions, twilioAuthorization } from './twilio.ts';
import { parseTwilioStatus } from './twilio-callback.ts';

/** A code is a number in JSON and text in a callback. */
const Code = v.fallback(
  v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(String))),
  undefined,
);
const Resource = v.object({
  status: LenientText,
  from: LenientText,
  error_code: Code,
  error_message: LenientText,
  date_updated: LenientText,
  end_time: LenientText,
});

type Asked = { channel: 'SMS' | 'CALL'; providerMessageId: string } & Required<CallbackTags>;

/**
 * The status of a text message or call, as its callback would state it; `ignored` while it is not final, and if Twilio
 * does not answer.
 */
export async function findTwilioStatus(
  options: TwilioOptions,
  { channel, providerMessageId: sid, trackingId, accountId, environmentId }: Asked,
  nowMs: number,
): Promise<PhoneReceipt> {
  const url = resourceUrl(options, channel, sid);
  const response = await options.http.request({
    url,
    headers: { authorization: twilioAuthorization(options) },
  });
  const found = v.safeParse(Resource, findAcceptedJson(response));
  if (!found.success) return ignored('no answer');
  const { status, from, error_code, error_message, date_updated, end_time } = found.output;
  const changedAtMs = Date.parse((channel === 'CALL' ? end_time : undefined) ?? date_updated ?? '');
  const params = defined({
    ...(channel === 'SMS'
      ? { MessageSid: sid, MessageStatus: status }
      : { CallSid: sid, CallStatus: status }),
    From: from,
    ErrorCode: error_code,
    ErrorMessage: error_message,
  });
  const tags = { trackingId, accountId, environmentId };
  return parseTwilioStatus({ channel, params, tags, nowMs: Number.isNaN(changedAtMs) ? nowMs : changedAtMs });
}
