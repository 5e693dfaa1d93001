import { defined } from '../runtime/defined.ts';
import { byChannel, CHANNELS, type Channel, CONTENT_BLOCK } from '../schemas/channel.ts';
import type { DeliveryOption, DigestMode } from '../schemas/delivery-mode.ts';
import type { FailureCode } from '../schemas/failure-codes.ts';
import type { Ignored } from '../schemas/log-record.ts';
import type { TypeOptions } from '../schemas/notification-type.ts';
import type { ContentBlocks } from '../schemas/send-request.ts';
import { effectiveDelivery } from './delivery-options.ts';
import { chooseVariant } from './locales.ts';
import type { ChannelRouting } from './log-record.ts';
import type { Profile } from './profile.ts';
import type { Quiet } from './quiet-hours.ts';
import { isOptedOutOf } from './sms-opt-outs.ts';
import { type LaterStep, plannedDueAtMs } from './steps.ts';

/** A template of the type, as routing sees it. */
type RoutableTemplate = {
  channel: Channel;
  templateId: string;
  /** Of a variant: its language. */
  locale?: string | undefined;
  version: number;
  /** Delivery modes it is the default for. */
  defaultFor: readonly string[];
};

/** The complete input of routing: the same input gives the same decision. */
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
  /** Languages of the user, most wanted first: which variant of a template is chosen. */
  locales?: readonly (string | undefined)[] | undefined;
  user: Partial<Profile>;
  /** The user's preference for a channel of this type and sub-notification. */
  preferenceOf: (channel: Channel) => DeliveryOption | undefined;
  disableSending: readonly Channel[];
  accountDisabled?: boolean;
  /** Whether `options.email.condition` was evaluated and is not met. */
  isConditionUnmet?: boolean;
  /**
   * The notification waits for a later time: channels to be sent are SCHEDULE, and everything is decided
   * again when it is due.
   */
  scheduled: boolean;
  /** Steps after the first, whose channels wait, and when the first starts. */
  later?: { steps: readonly LaterStep[]; startAtMs: number } | undefined;
  /** Whether quiet hours or a pause of the user hold or drop a channel now. */
  quietOf?: (channel: Channel) => Quiet | undefined;
  /** The mode that collected the notification: it overrides every option except off. */
  collectedBy?: DigestMode | undefined;
};

/** Decisions per channel, OFF included, and a sentence for every channel that will not be sent. */
export type RoutingResult = {
  routing: Record<Channel, ChannelRouting>;
  messages: string[];
  ignored?: Ignored;
};

/** Decides each channel of a notification: whether, when and with which template it is sent. */
export function routeNotification(input: RoutingInput): RoutingResult {
  const messages: string[] = [];
  const routing = byChannel((channel) => routeChannel(input, channel, messages));
  if (CHANNELS.some((channel) => isGoing(routing[channel]))) return { routing, messages };
  if (messages.length === 0) messages.push(`Nothing is sent: ${whyNothing(input)}.`);
  return {
    routing,
    messages,
    ignored: input.type.enabled ? 'ALL_CHANNELS_IGNORED' : 'DISABLED_NOTIFICATION',
  };
}

function whyNothing({ type }: RoutingInput): string {
  return type.enabled ? 'the notification type has no channel enabled' : 'the notification type is disabled';
}

/** Whether a channel is sent, collected or waiting. */
export function isGoing(decided: ChannelRouting | undefined): boolean {
  return decided?.routing === 'SEND' || decided?.routing === 'BATCH' || decided?.routing === 'SCHEDULE';
}

/** The channel of a later step waits in any case: it is evaluated when its step is due. */
function routeChannel(input: RoutingInput, channel: Channel, messages: string[]): ChannelRouting {
  const { later, type } = input;
  const dueAtMs = later && plannedDueAtMs(later.steps, channel, later.startAtMs);
  if (dueAtMs === undefined) return decideChannel(input, channel, messages);
  const now = decideChannel({ ...input, scheduled: true }, channel, messages);
  const canWait = now.routing !== 'OFF' && type.enabled && !input.accountDisabled;
  const { template, locale, mode } = now;
  return canWait ? { ...defined({ template, locale, mode }), routing: 'SCHEDULE', dueAtMs } : now;
}

function decideChannel(input: RoutingInput, channel: Channel, messages: string[]): ChannelRouting {
  const withhold = (decision: ChannelRouting, because: string): ChannelRouting => {
    messages.push(
      input.scheduled
        ? `${channel} would not be sent now: ${because}. It is evaluated again when the notification is due.`
        : `${channel} is not sent: ${because}.`,
    );
    return decision;
  };
  const { type } = input;
  const enabled = input.forceChannels ?? type.channels;
  if (!enabled.includes(channel)) {
    const isAsked = input.content[CONTENT_BLOCK[channel]] !== undefined;
    return isAsked ? withhold({ routing: 'OFF' }, whyOff(input, channel)) : { routing: 'OFF' };
  }
  if (input.accountDisabled) return withhold({ routing: 'IGNORE' }, 'the account is disabled');
  if (!type.enabled) return withhold({ routing: 'IGNORE' }, 'the notification type is disabled');
  if (input.disableSending.includes(channel)) {
    const because = 'the environment has sending disabled';
    return withhold({ routing: 'IGNORE', reason: 'IGNORE_BY_ENVIRONMENT' }, because);
  }
  const preference = input.preferenceOf(channel);
  const delivery = effectiveDelivery({ options: type.options?.[channel], preference });
  if (delivery === 'off') {
    const isChosen = preference === 'off' && type.options?.[channel]?.off?.enabled !== false;
    return isChosen
      ? withhold({ routing: 'IGNORE', reason: 'IGNORE_BY_PREFERENCES' }, "the user's preference is off")
      : withhold(
          { routing: 'IGNORE', reason: 'IGNORE_BY_DEFAULT_DELIVERY' },
          'the default delivery option is off',
        );
  }
  const missing = CONTACT[channel](input.user, input.content);
  if (missing) return withhold(ignoredFor(missing.code, input), missing.because);
  const isCollected = delivery !== 'instant' && channel !== 'INAPP_WEB';
  const mode = input.collectedBy ?? (isCollected ? delivery : undefined);
  const template = chooseTemplate(input, channel, mode ?? 'instant', messages);
  const lacking = template ? undefined : CONTENT[channel](input.content);
  if (lacking) return withhold(ignoredFor(lacking.code, input), lacking.because);
  if (channel === 'EMAIL' && input.isConditionUnmet) {
    return withhold({ routing: 'IGNORE' }, 'options.email.condition is not met');
  }
  const chosen = {
    ...(template ? { template: `${template.templateId}@${template.version}` } : undefined),
    ...(template?.locale === undefined ? undefined : { locale: template.locale }),
    ...(mode ? { mode } : undefined),
  };
  const quiet = input.scheduled || mode ? undefined : input.quietOf?.(channel);
  if (quiet?.kind === 'dropped') {
    return withhold(
      { routing: 'IGNORE', reason: 'IGNORE_BY_PREFERENCES' },
      'the quiet hours of the user drop it',
    );
  }
  if (quiet) return { ...chosen, routing: 'SCHEDULE', heldUntilMs: quiet.untilMs };
  return { ...chosen, routing: input.scheduled ? 'SCHEDULE' : mode ? 'BATCH' : 'SEND' };
}

function whyOff({ forceChannels }: RoutingInput, channel: Channel): string {
  return forceChannels
    ? `the channel is not in forceChannels: add ${channel} to it`
    : `the channel is not enabled on the notification type: add ${channel} to its channels with PATCH /types/{notificationId}`;
}

/** A waiting notification has not failed: missing data may exist when it is due. */
function ignoredFor(code: FailureCode | undefined, { scheduled }: RoutingInput): ChannelRouting {
  return code === undefined || scheduled ? { routing: 'IGNORE' } : { routing: 'IGNORE', failureCode: code };
}

type Missing = { because: string; code?: FailureCode };

const CONTACT: Record<Channel, (user: Partial<Profile>, content: ContentBlocks) => Missing | undefined> = {
  EMAIL: (user) => {
    if (!user.email) return { because: 'the user has no email address', code: 'MISSING_EMAIL_RECIPIENT' };
    const suppressed = user.emailSuppressionStatus?.reason;
    if (!suppressed) return undefined;
    return suppressed === 'Complaint'
      ? { because: "the user's email address is suppressed after a complaint", code: 'SUPPRESSED_COMPLAINT' }
      : { because: "the user's email address is suppressed after a bounce", code: 'SUPPRESSED_BOUNCE' };
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

const NO_CONTENT = 'the request has no content for it and the notification type no template';

/** The parts that a channel's inline content lacks if there is no template. */
const CONTENT: Record<Channel, (content: ContentBlocks) => Missing | undefined> = {
  EMAIL: ({ email }) => {
    if (!email?.html) return { because: email ? 'it has no html' : NO_CONTENT, code: 'MISSING_EMAIL_HTML' };
    return email.subject ? undefined : { because: 'it has no subject', code: 'MISSING_EMAIL_SUBJECT' };
  },
  INAPP_WEB: ({ inapp }) => (inapp?.title ? undefined : { because: inapp ? 'it has no title' : NO_CONTENT }),
  SMS: ({ sms }) =>
    sms?.message || sms?.mediaUrls?.length
      ? undefined
      : { because: sms ? 'it has no message' : NO_CONTENT, code: 'MISSING_SMS_MESSAGE' },
  CALL: ({ call }) =>
    call?.message
      ? undefined
      : { because: call ? 'it has no message' : NO_CONTENT, code: 'MISSING_SMS_MESSAGE' },
  PUSH: ({ mobile_push }) => lacksTitleAndMessage(mobile_push),
  WEB_PUSH: ({ web_push }) => lacksTitleAndMessage(web_push),
  CHAT: ({ chat }) =>
    chat?.text ? undefined : { because: chat ? 'it has no text' : NO_CONTENT, code: 'NO_TEXT' },
};

function lacksTitleAndMessage(
  block: { title?: string | undefined; message?: string | undefined } | undefined,
): Missing | undefined {
  if (block?.title || block?.message) return undefined;
  return { because: block ? 'it has neither title nor message' : NO_CONTENT };
}

/** Returns the named template if the channel has it, else the default of the delivery mode; a missing one is reported. */
function chooseTemplate(
  input: RoutingInput,
  channel: Channel,
  mode: string,
  messages: string[],
): RoutableTemplate | undefined {
  const own = input.type.templates.filter((each) => each.channel === channel);
  const variantOf = (templateId: string | undefined) =>
    templateId === undefined
      ? undefined
      : chooseVariant(
          own.filter((each) => each.templateId === templateId),
          input.locales ?? [],
        );
  const named = variantOf(input.templateId);
  if (named) return named;
  const fallback = variantOf(own.find((each) => each.defaultFor.includes(mode))?.templateId);
  if (input.templateId !== undefined && (fallback || input.content[CONTENT_BLOCK[channel]] === undefined)) {
    messages.push(
      `${channel} has no template with the requested templateId; its default is used when there is one.`,
    );
  }
  return fallback;
}
