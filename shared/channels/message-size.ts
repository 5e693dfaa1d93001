import type { Channel } from '../schemas/channel.ts';
import { catchAllCode, type FailureCode } from '../schemas/logs/failure-codes.ts';
import {
  SMS_LENGTH_MAX,
  SPOKEN_LENGTH_MAX,
  spokenLength,
  textsOfBlock,
} from '../schemas/sending/send-request.ts';
import type { DeliveryByChannel } from './channel.ts';
import { teamsBodyOf } from './chat/chat-bodies.ts';
import { apnsBodyOf, fcmMessageOf, type PushParts } from './push/push-payload.ts';

type WebPushParts = Pick<
  DeliveryByChannel['WEB_PUSH'],
  | 'title'
  | 'message'
  | 'icon'
  | 'url'
  | 'image'
  | 'badge'
  | 'tag'
  | 'actions'
  | 'trackingId'
  | 'notificationId'
>;

export const webPushPayloadOf = (push: WebPushParts) => {
  const { title, message, icon, url, image, badge, tag, actions, trackingId, notificationId } = push;
  return { title, message, icon, url, image, badge, tag, actions, trackingId, notificationId };
};

/** The parts of a message that count towards its provider's limit. */
type Sized = {
  EMAIL: object;
  INAPP_WEB: object;
  SMS: Pick<DeliveryByChannel['SMS'], 'message'>;
  CALL: Pick<DeliveryByChannel['CALL'], 'message'>;
  PUSH: PushParts;
  WEB_PUSH: WebPushParts;
  CHAT: Pick<DeliveryByChannel['CHAT'], 'content' | 'chatToken'>;
};

/** Of the payload that FCM and APNs accept. */
const PUSH_BYTES_MAX = 4096;
/** The remainder of the 4096 bytes that every push service accepts (RFC 8030 §7.2) after header, padding byte and tag. */
const WEB_PUSH_BYTES_MAX = 3993;
/** Slack cuts a longer text off (https://docs.slack.dev/reference/methods/chat.postMessage). */
const CHAT_LENGTH_MAX = 40_000;
const CHAT_BLOCKS_MAX = 50;
/** Discord counts code points (https://github.com/discord/discord-api-docs/issues/1315). */
const DISCORD_LENGTH_MAX = 2000;
const TEAMS_BYTES_MAX = 28 * 1024;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

const SIZES: {
  [C in Channel]: (message: Sized[C]) => readonly (readonly [size: number, max: number, unit: string])[];
} = {
  EMAIL: () => [],
  INAPP_WEB: () => [],
  SMS: ({ message }) => [[message.length, SMS_LENGTH_MAX, 'characters']],
  CALL: ({ message }) => [[spokenLength(message), SPOKEN_LENGTH_MAX, 'characters']],
  PUSH: (push) => [
    [bytesOf(fcmMessageOf(push)), PUSH_BYTES_MAX, 'bytes'],
    [bytesOf(apnsBodyOf(push)), PUSH_BYTES_MAX, 'bytes'],
  ],
  WEB_PUSH: (push) => [[bytesOf(webPushPayloadOf(push)), WEB_PUSH_BYTES_MAX, 'bytes']],
  CHAT: ({ content, chatToken }) => {
    const { text = '', blocks = [] } = content;
    if (chatToken?.provider === 'discord') return [[[...text].length, DISCORD_LENGTH_MAX, 'characters']];
    if (chatToken?.provider === 'teams') return [[bytesOf(teamsBodyOf(content)), TEAMS_BYTES_MAX, 'bytes']];
    return [
      [text.length, CHAT_LENGTH_MAX, 'characters'],
      [blocks.length, CHAT_BLOCKS_MAX, 'blocks'],
      ...blocks
        .flatMap(textsOfBlock)
        .map(([{ length }, max]) => [length, max, 'characters in a block'] as const),
    ];
  },
};

/** Returns why providers reject a message of this size; undefined if they accept it. */
export function findOversize<C extends Channel>(channel: C, message: Sized[C]): string | undefined {
  const over = SIZES[channel](message).find(([size, max]) => size > max);
  if (!over) return undefined;
  const [size, max, unit] = over;
  return `the message has ${size.toLocaleString('en-US')} ${unit}, providers accept ${max.toLocaleString('en-US')}`;
}

/** The channels whose closed list of codes has one for it. */
const OVERSIZE_CODES: { [C in Channel]?: FailureCode<C> } = { CHAT: 'MESSAGE_TOO_LONG' };

export function rejectOversize<C extends Channel>(channel: C, message: Sized[C]) {
  const internal = findOversize(channel, message);
  const code: FailureCode<C> = OVERSIZE_CODES[channel] ?? catchAllCode(channel);
  return internal === undefined ? undefined : ({ kind: 'rejected', code, internal } as const);
}

/** What the size of a message counts beside its content. */
export type Frame = Pick<DeliveryByChannel['PUSH'], 'trackingId' | 'notificationId'> & {
  customData?: Record<string, string> | undefined;
  apn?: DeliveryByChannel['PUSH']['apn'] | undefined;
  chatToken?: DeliveryByChannel['CHAT']['chatToken'] | undefined;
};

/** As `findOversize`, of rendered content: it has the parts that its channel counts. */
export const findLongContent = (channel: Channel, content: object, frame: Frame) =>
  findOversize(channel, { ...frame, ...content, content } as unknown as Sized[typeof channel]);

/** AWS speaks a shorter text than Twilio and Telnyx accept (SendVoiceMessage). */
const DIGEST_CALL_MAX = 3000;
const DIGEST_HTML_MAX = 2 * 1024 * 1024;

/** True if the content of a digest is too long for the channel's providers: it is sent with fewer items. */
export function isDigestOver(channel: Channel, content: object, frame: Frame): boolean {
  const { html = '', message = '' } = content as { html?: string; message?: string };
  if (channel === 'EMAIL') return html.length > DIGEST_HTML_MAX;
  if (channel === 'CALL' && message.length > DIGEST_CALL_MAX) return true;
  return findLongContent(channel, content, frame) !== undefined;
}
