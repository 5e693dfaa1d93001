import { CHANNELS, type Channel, CONTENT_BLOCK } from '../schemas/channel.ts';
import type { DeliveryOption } from '../schemas/delivery-mode.ts';
import type { FailureCode } from '../schemas/failure-codes.ts';
import type { Ignored } from '../schemas/log-record.ts';
import type { TypeOptions } from '../schemas/notification-type.ts';
import type { ContentBlocks } from '../schemas/send-request.ts';
import { effectiveDelivery } from './delivery-options.ts';
import type { ChannelRouting } from './log-record.ts';
import type { Profile } from './profile.ts';
import { isOptedOutOf } from './sms-opt-outs.ts';

/** A template of the type, as routing sees it. */
export type RoutableTemplate = {
  channel: Channel;
  templateId: string;
  version: number;
  /** Delivery modes it is the default for. */
  defaultFor: readonly string[];
};

/** What routing decides from. Nothing else matters: same input, same decision. */
export type RoutingInput = {
  type: {
    channels: readonly Channel[];
    enabled: boolean;
    options?: TypeOptions | undefined;
    templates: readonly RoutableTemplate[];
  };
  forceChannels?: readonly Channel[] | undefined;
  content: ContentBlocks;
  templateId?: string | undefined;
  user: Partial<Profile>;
  /** The user's preference for a channel of this type and sub-notification. */
  preferenceOf: (channel: Channel) => DeliveryOption | undefined;
  disableSending: readonly Channel[];
  accountDisabled?: boolean;
  /** The notification waits for a later time: what would be sent is SCHEDULE. */
  scheduled: boolean;
};

/** Decisions per channel, OFF included, and a sentence for every channel that will not be sent. */
export type RoutingResult = {
  routing: Record<Channel, ChannelRouting>;
  messages: string[];
  ignored?: Ignored;
};

/** Decides each channel of a notification: whether, when and with which template it goes (API 3). */
export function routeNotification(input: RoutingInput): RoutingResult {
  const messages: string[] = [];
  const routing = Object.fromEntries(
    CHANNELS.map((channel) => [channel, routeChannel(input, channel, messages)]),
  ) as Record<Channel, ChannelRouting>;
  if (CHANNELS.some((channel) => isGoing(routing[channel]))) return { routing, messages };
  if (messages.length === 0) messages.push(`Nothing is sent: ${whyNothing(input)}.`);
  return {
    routing,
    messages,
    ignored: input.type.enabled ? 'ALL_CHANNELS_IGNORED' : 'DISABLED_NOTIFICATION',
  };
}

function whyNothing({ type, forceChannels }: RoutingInput): string {
  if (forceChannels) return 'forceChannels names no channel';
  return type.enabled ? 'the notification type has no channel enabled' : 'the notification type is disabled';
}

/** Whether a channel is sent, collected or waiting. */
export function isGoing(decided: ChannelRouting | undefined): boolean {
  return decided?.routing === 'SEND' || decided?.routing === 'BATCH' || decided?.routing === 'SCHEDULE';
}

function routeChannel(input: RoutingInput, channel: Channel, messages: string[]): ChannelRouting {
  const refuse = (decision: ChannelRouting, because: string): ChannelRouting => {
    messages.push(`${channel} is not sent: ${because}.`);
    return decision;
  };
  const enabled = input.forceChannels ?? input.type.channels;
  if (!enabled.includes(channel)) {
    const isAsked = input.content[CONTENT_BLOCK[channel]] !== undefined;
    if (isAsked)
      messages.push(`${channel} is not sent: the channel is not enabled on the notification type.`);
    return { routing: 'OFF' };
  }
  if (input.accountDisabled) return refuse({ routing: 'IGNORE' }, 'the account is disabled');
  if (!input.type.enabled) return refuse({ routing: 'IGNORE' }, 'the notification type is disabled');
  if (input.disableSending.includes(channel)) {
    return refuse(
      { routing: 'IGNORE', reason: 'IGNORE_BY_ENVIRONMENT' },
      'the environment has sending disabled',
    );
  }
  const preference = input.preferenceOf(channel);
  const delivery = effectiveDelivery({ options: input.type.options?.[channel], preference });
  if (delivery === 'off') {
    const isChosen = preference === 'off' && input.type.options?.[channel]?.off?.enabled !== false;
    return isChosen
      ? refuse({ routing: 'IGNORE', reason: 'IGNORE_BY_PREFERENCES' }, "the user's preference is off")
      : refuse(
          { routing: 'IGNORE', reason: 'IGNORE_BY_DEFAULT_DELIVERY' },
          'the default delivery option is off',
        );
  }
  const missing = missingContact(channel, input);
  if (missing) return refuse(ignoredFor(missing.code), missing.because);
  const mode = delivery === 'instant' || channel === 'INAPP_WEB' ? undefined : delivery;
  const template = chooseTemplate(input, channel, mode ?? 'instant', messages);
  const lacking = template ? undefined : missingContent(channel, input.content);
  if (lacking) return refuse(ignoredFor(lacking.code), lacking.because);
  return {
    routing: input.scheduled ? 'SCHEDULE' : mode ? 'BATCH' : 'SEND',
    ...(template ? { template: `${template.templateId}@${template.version}` } : {}),
    ...(mode ? { mode } : {}),
  };
}

function ignoredFor(code: FailureCode | undefined): ChannelRouting {
  return code === undefined ? { routing: 'IGNORE' } : { routing: 'IGNORE', failureCode: code };
}

type Missing = { because: string; code?: FailureCode };

const CONTACT: Record<Channel, (user: Partial<Profile>, content: ContentBlocks) => Missing | undefined> = {
  EMAIL: (user) => {
    if (!user.email) return { because: 'the user has no e-mail address', code: 'MISSING_EMAIL_RECIPIENT' };
    const suppressed = user.emailSuppressionStatus?.reason;
    if (!suppressed) return undefined;
    return suppressed === 'Complaint'
      ? { because: "the user's e-mail address is suppressed after a complaint", code: 'SUPPRESSED_COMPLAINT' }
      : { because: "the user's e-mail address is suppressed after a bounce", code: 'SUPPRESSED_BOUNCE' };
  },
  INAPP_WEB: () => undefined,
  SMS: (user, { sms }) => {
    if (!user.number) return { because: 'the user has no phone number', code: 'MISSING_SMS_RECIPIENT' };
    return isOptedOutOf(user, sms?.from)
      ? { because: 'the user opted out of text messages', code: '21610' }
      : undefined;
  },
  CALL: (user) =>
    user.number ? undefined : { because: 'the user has no phone number', code: 'MISSING_SMS_RECIPIENT' },
  PUSH: (user) => (user.pushTokens?.length ? undefined : { because: 'the user has no push token' }),
  WEB_PUSH: (user) =>
    user.webPushTokens?.length ? undefined : { because: 'the user has no web push subscription' },
  CHAT: (user) => {
    const webhook = user.chatToken?.incoming_webhook;
    if (user.chatChannel || webhook?.channel_id || webhook?.url) {
      return user.chatToken ? undefined : { because: 'the user has no chat token', code: 'INVALID_AUTH' };
    }
    return { because: 'the user has no chat destination', code: 'CHANNEL_NOT_FOUND' };
  },
};

function missingContact(channel: Channel, { user, content }: RoutingInput): Missing | undefined {
  return CONTACT[channel](user, content);
}

const NO_CONTENT = 'the request has no content for it and the notification type no template';

/** What a channel's inline content lacks when there is no template to fill it. */
function missingContent(channel: Channel, content: ContentBlocks): Missing | undefined {
  switch (channel) {
    case 'EMAIL':
      if (!content.email?.html)
        return { because: content.email ? 'it has no html' : NO_CONTENT, code: 'MISSING_EMAIL_HTML' };
      return content.email.subject
        ? undefined
        : { because: 'it has no subject', code: 'MISSING_EMAIL_SUBJECT' };
    case 'INAPP_WEB':
      return content.inapp?.title ? undefined : { because: content.inapp ? 'it has no title' : NO_CONTENT };
    case 'SMS':
      if (content.sms?.message || content.sms?.mediaUrls?.length) return undefined;
      return { because: content.sms ? 'it has no message' : NO_CONTENT, code: 'MISSING_SMS_MESSAGE' };
    case 'CALL':
      if (content.call?.message) return undefined;
      return { because: content.call ? 'it has no message' : NO_CONTENT, code: 'MISSING_SMS_MESSAGE' };
    case 'PUSH':
      return hasTitleOrMessage(content.mobile_push);
    case 'WEB_PUSH':
      return hasTitleOrMessage(content.web_push);
    case 'CHAT':
      return content.chat?.text
        ? undefined
        : { because: content.chat ? 'it has no text' : NO_CONTENT, code: 'NO_TEXT' };
  }
}

function hasTitleOrMessage(block: { title?: string | undefined; message?: string | undefined } | undefined) {
  if (block?.title || block?.message) return undefined;
  return { because: block ? 'it has neither title nor message' : NO_CONTENT };
}

/** The named template when the channel has it, else the default of the delivery mode; a missing one is told. */
function chooseTemplate(
  input: RoutingInput,
  channel: Channel,
  mode: string,
  messages: string[],
): RoutableTemplate | undefined {
  const own = input.type.templates.filter((each) => each.channel === channel);
  const named =
    input.templateId === undefined ? undefined : own.find((each) => each.templateId === input.templateId);
  if (named) return named;
  const fallback = own.find((each) => each.defaultFor.includes(mode));
  if (input.templateId !== undefined && (fallback || input.content[CONTENT_BLOCK[channel]] === undefined)) {
    messages.push(
      `${channel} has no template with the requested templateId; its default is used when there is one.`,
    );
  }
  return fallback;
}
