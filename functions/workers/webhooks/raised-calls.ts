import type { DynamoDBRecord } from 'aws-lambda';
import { COPY_FAILED } from '../../../shared/domain/log-record.ts';
import {
  channelOfPrefix,
  type WebhookFacts,
  webhookBody,
  webhookEventOf,
} from '../../../shared/domain/webhook-event.ts';
import { WEBHOOK_ATTEMPTS_MAX } from '../../../shared/domain/webhook-retry.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { trackingIdOf } from '../../../shared/runtime/ids.ts';
import { CHANNELS, type Channel, LOG_PREFIX } from '../../../shared/schemas/channel.ts';
import type { InboundMessage } from '../../../shared/schemas/inbound-message.ts';
import type { WebhookCall } from '../../../shared/schemas/webhook.ts';
import { type Image, plain } from '../delivery/stream-image.ts';

type Stage = { channel: Channel; stage: string; seq?: string | undefined };
type Details = Pick<
  WebhookFacts,
  'failureCode' | 'recipient' | 'clickedLink' | 'clickedLinkTags' | 'inbound'
>;

const LISTS = ['to', 'cc', 'bcc'];

/**
 * The webhook calls that a stream record gives rise to, whether or not there is a webhook: those of an appended event,
 * and of the channels that an accepted notification fails at once. The same record gives the same calls.
 */
export function raisedCallsOf(record: DynamoDBRecord): WebhookCall[] {
  const image = imageOf(record);
  const sk = image?.sk?.S ?? '';
  if (!image || record.eventName === 'REMOVE') return [];
  if (sk === 'HEAD') return image.state?.S === 'accepted' ? failedAtOnce(image) : [];
  if (record.eventName !== 'INSERT' || !sk.startsWith('EVENT#')) return [];
  const [, prefix, stage = '', seq] = sk.split('#');
  const channel = channelOfPrefix(prefix);
  if (!channel || image.isAutomatic?.BOOL) return [];
  return [
    ...callOf(image, { channel, stage, seq }, () => detailsOf(image, channel, stage)),
    ...(image.d ? callOf(image, { channel, stage: 'delivered' }, () => ({})) : []),
  ];
}

/** Stream records carry the same attribute values as the SDK's, under another name. */
function imageOf(record: DynamoDBRecord): Image | undefined {
  return record.dynamodb?.NewImage;
}

function failedAtOnce(image: Image): WebhookCall[] {
  return CHANNELS.flatMap((channel) => {
    const failureCode = image.routes?.M?.[channel]?.M?.code?.S;
    return failureCode === undefined
      ? []
      : callOf(image, { channel, stage: 'failed' }, () => ({ failureCode }));
  });
}

function callOf(image: Image, { channel, stage, seq }: Stage, details: () => Details): WebhookCall[] {
  const eventType = webhookEventOf(channel, stage);
  const trackingId = (image.pk?.S ?? '').slice('LOG#'.length);
  const [accountId, environmentId, userId, notificationId] = [image.a, image.e, image.u, image.n].map(
    (value) => value?.S ?? '',
  );
  if (!eventType || !accountId || !environmentId) return [];
  const named = { userId: userId ?? '', notificationId: notificationId ?? '', trackingId };
  const prefix = LOG_PREFIX[channel];
  return [
    {
      id: `msg_${trackingIdOf([environmentId, trackingId, prefix, stage, seq ?? ''])}`,
      accountId,
      environmentId,
      eventType,
      body: webhookBody({ eventType, channel, ...named, ...details() }),
      attempt: 1,
      attemptsMax: WEBHOOK_ATTEMPTS_MAX,
      log: {
        ...named,
        prefix,
        stage,
        ...(seq === undefined ? {} : { seq }),
        expiresAtSeconds: Number(image.expiresAt?.N ?? 0),
      },
    },
  ];
}

function detailsOf(image: Image, channel: Channel, stage: string): Details {
  const fields: Record<string, unknown> = plain(image.f?.M);
  const textOf = (name: string) => (typeof fields[name] === 'string' ? fields[name] : undefined);
  if (stage === 'failed' || stage === COPY_FAILED) {
    return {
      failureCode: textOf(`${LOG_PREFIX[channel]}_failed_code`),
      recipient: textOf('email_failed_recipient'),
    };
  }
  if (stage === 'clicked') {
    return {
      clickedLink: textOf('email_clicked_link'),
      clickedLinkTags: textOf('email_clicked_link_tags'),
    };
  }
  if (stage !== 'inbound') return {};
  const receivedAt = isoOf(Number(image.at?.N ?? 0));
  const message = image.record?.M ? plain(image.record.M) : messageOf(fields, LOG_PREFIX[channel]);
  return { inbound: { message, receivedAt } };
}

/** The names of SPEC 2.6 for the inbound fields of a log: `email_inbound_body_text` is `bodyText`. */
function messageOf(fields: Record<string, unknown>, prefix: string): Partial<InboundMessage> {
  const start = `${prefix}_inbound_`;
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => name.startsWith(start) && !name.endsWith('_at'))
      .map(([name, value]) => {
        const short = name.slice(start.length).replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());
        const named = short === 'text' ? 'bodyText' : short;
        return [named, LISTS.includes(named) && typeof value === 'string' ? value.split(',') : value];
      }),
  );
}
