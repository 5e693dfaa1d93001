import { defined } from '../../runtime/values/defined.ts';
import { byChannel, CHANNELS, type Channel, CONTENT_BLOCK } from '../../schemas/channel.ts';
import type { TypeOptions } from '../../schemas/content/notification-type.ts';
import type { DeliveryOption, DigestMode } from '../../schemas/delivery/delivery-mode.ts';
import type { FailureCode } from '../../schemas/logs/failure-codes.ts';
import type { Ignored } from '../../schemas/logs/log-record.ts';
import type { ContentBlocks } from '../../schemas/sending/send-request.ts';
import type { ListedTemplate } from '../content/template-list.ts';
import type { ChannelRouting } from '../logs/log.ts';
import { effectiveDelivery, mayBeOff, optionsOn } from '../timing/delivery-options.ts';
import type { Quiet } from '../timing/quiet-hours.ts';
import { chooseVariant } from '../users/locales.ts';
import type { Purpose } from '../users/opt-outs.ts';
import type { Profile } from '../users/profile.ts';
import { CONTACT, CONTENT } from './channel-requirements.ts';
import { type LaterStep, plannedDueAtMs } from './steps.ts';

/** The complete input of routing: the same input gives the same decision. */
export type RoutingInput = {
  type: {
    purpose?: Purpose | undefined;
    channels: readonly Channel[];
    enabled: boolean;
    options?: TypeOptions | undefined;
    templates: readonly ListedTemplate[];
  };
  forceChannels?: readonly Channel[] | undefined;
  content: ContentBlocks;
  /** A push without text wakes the app. */
  isSilentPush?: boolean | undefined;
  templateId?: string | undefined;
  /** Languages of the user, most wanted first: which variant of a template is chosen. */
  locales?: readonly (string | undefined)[] | undefined;
  user: Partial<Profile>;
  /** False where marketing needs a consent that is not recorded. */
  hasConsent?: (channel: Channel) => boolean;
  /** The user's preference for a channel of this type and sub-notification. */
  preferenceOf: (channel: Channel) => DeliveryOption | undefined;
  disableSending: readonly Channel[];
  /** False where the environment does not send to the recipient's address. */
  isReachable?: (channel: Channel) => boolean;
  accountDisabled?: boolean;
  /** Why the email is not sent by its own condition. */
  unmetCondition?: string | undefined;
  /**
   * The notification waits for a later time: channels to be sent are SCHEDULE, and everything is decided
   * again when it is due.
   */
  scheduled: boolean;
  /** Steps after the first, whose channels wait, and when the first starts. */
  later?: { steps: readonly LaterStep[]; startAtMs: number } | undefined;
  /** True if quiet hours or a pause of the user hold or drop a channel now. */
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

/** Decides for each channel of a notification whether it is sent, when, and with which template. */
export function routeNotification(input: RoutingInput): RoutingResult {
  const messages: string[] = [];
  const routing = byChannel((channel) => routeChannel(input, channel, messages));
  if (CHANNELS.some((channel) => isGoing(routing[channel]))) return { routing, messages };
  if (messages.length === 0) messages.push(`Nothing is sent: ${reasonForNothing(input)}.`);
  return {
    routing,
    messages,
    ignored: input.type.enabled ? 'ALL_CHANNELS_IGNORED' : 'DISABLED_NOTIFICATION',
  };
}

function reasonForNothing({ type }: RoutingInput): string {
  return type.enabled ? 'the notification type has no channel enabled' : 'the notification type is disabled';
}

const GOING: readonly unknown[] = ['SEND', 'BATCH', 'SCHEDULE'];

export const isGoing = (decided: ChannelRouting | undefined): boolean => GOING.includes(decided?.routing);

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
  const withhold = ({ because, ...decision }: Withheld): ChannelRouting => {
    messages.push(
      input.scheduled
        ? `${channel} would not be sent now: ${because}. It is evaluated again when the notification is due.`
        : `${channel} is not sent: ${because}.`,
    );
    return decision;
  };
  const enabled = input.forceChannels ?? input.type.channels;
  if (!enabled.includes(channel)) {
    const isRequested = input.content[CONTENT_BLOCK[channel]] !== undefined;
    return isRequested
      ? withhold({ routing: 'OFF', reason: 'NOT_ENABLED', because: reasonOff(input, channel) })
      : { routing: 'OFF' };
  }
  const delivery = deliveryOf(input, channel);
  const unwanted = findUnwanted(input, channel, delivery);
  // What the environment withholds is rendered for the log, so it has a template.
  if (unwanted && unwanted.reason !== 'IGNORE_BY_ENVIRONMENT') return withhold(unwanted);
  const isCollected = delivery !== 'instant' && delivery !== 'off' && channel !== 'INAPP_WEB';
  const mode = input.collectedBy ?? (isCollected ? delivery : undefined);
  const template = chooseTemplate(input, channel, mode ?? 'instant', messages);
  const chosen = {
    ...(template ? { template: `${template.templateId}@${template.version}` } : undefined),
    ...(template?.locale === undefined ? undefined : { locale: template.locale }),
    ...(mode ? { mode } : undefined),
  };
  if (unwanted) return withhold({ ...chosen, ...unwanted });
  const empty = findEmpty(input, channel, template !== undefined);
  if (empty) return withhold(empty);
  const quiet = input.scheduled || mode ? undefined : input.quietOf?.(channel);
  if (quiet?.kind === 'dropped') {
    const because = 'the quiet hours of the user drop it';
    return withhold({ routing: 'IGNORE', reason: 'IGNORE_BY_PREFERENCES', because });
  }
  if (quiet) {
    const { untilMs: heldUntilMs, isPaused } = quiet;
    return { ...chosen, routing: 'SCHEDULE', heldUntilMs, ...(isPaused ? { isPaused } : undefined) };
  }
  return { ...chosen, routing: input.scheduled ? 'SCHEDULE' : mode ? 'BATCH' : 'SEND' };
}

/** A decision against sending, and why, as it ends the sentence "EMAIL is not sent: …". */
type Withheld = ChannelRouting & { because: string };

const deliveryOf = ({ type, preferenceOf }: RoutingInput, channel: Channel) =>
  effectiveDelivery({ options: optionsOn(type, channel), preference: preferenceOf(channel) });

/** Returns why the account, the type, the environment or the user does not want the channel, or cannot get it. */
function findUnwanted(
  input: RoutingInput,
  channel: Channel,
  delivery: ReturnType<typeof deliveryOf>,
): Withheld | undefined {
  const { type } = input;
  if (input.accountDisabled)
    return { routing: 'IGNORE', reason: 'ACCOUNT_DISABLED', because: 'the account is disabled' };
  if (!type.enabled)
    return { routing: 'IGNORE', reason: 'TYPE_DISABLED', because: 'the notification type is disabled' };
  if (input.disableSending.includes(channel)) {
    const because =
      input.disableSending.length === CHANNELS.length
        ? 'the environment has all sending disabled, by its administrators or because a day costs over its limit'
        : 'the environment has sending disabled';
    return { routing: 'IGNORE', reason: 'IGNORE_BY_ENVIRONMENT', because };
  }
  if (input.isReachable?.(channel) === false) {
    const because = 'the environment sends only to the addresses in its onlyTo';
    return { routing: 'IGNORE', reason: 'IGNORE_BY_ENVIRONMENT', because };
  }
  if (delivery === 'off') {
    const isChosen = input.preferenceOf(channel) === 'off' && mayBeOff(type, channel);
    return isChosen
      ? { routing: 'IGNORE', reason: 'IGNORE_BY_PREFERENCES', because: "the user's preference is off" }
      : {
          routing: 'IGNORE',
          reason: 'IGNORE_BY_DEFAULT_DELIVERY',
          because: 'the default delivery option is off',
        };
  }
  if (type.purpose === 'marketing' && !(input.hasConsent?.(channel) ?? true)) {
    const because = 'the user has not consented to marketing on it';
    return { routing: 'IGNORE', reason: 'NO_CONSENT', because };
  }
  const missing = CONTACT[channel](input.user, input.content);
  if (!missing) return undefined;
  const { code, because, reason = 'NO_ADDRESS' } = missing;
  return { ...ignoredFor(code, input), reason, because };
}

/** Returns what the message lacks. A template has its own content. */
function findEmpty(input: RoutingInput, channel: Channel, hasTemplate: boolean): Withheld | undefined {
  const isSilent = channel === 'PUSH' && input.isSilentPush;
  const lacking = hasTemplate || isSilent ? undefined : CONTENT[channel](input.content);
  if (lacking) return { ...ignoredFor(lacking.code, input), reason: 'NO_CONTENT', because: lacking.because };
  if (channel === 'EMAIL' && input.unmetCondition)
    return { routing: 'IGNORE', reason: 'CONDITION', because: input.unmetCondition };
  return undefined;
}

function reasonOff({ forceChannels }: RoutingInput, channel: Channel): string {
  return forceChannels
    ? `the channel is not in forceChannels: add ${channel} to it`
    : `the channel is not enabled on the notification type: add ${channel} to its channels with PATCH /types/{notificationId}`;
}

/** A waiting notification has not failed: missing data may exist when it is due. */
function ignoredFor(code: FailureCode | undefined, { scheduled }: RoutingInput): ChannelRouting {
  return { routing: 'IGNORE', ...defined({ failureCode: scheduled ? undefined : code }) };
}

/**
 * Returns the named template if the channel has it. Falls back to the default of the delivery mode; a missing template is
 * reported.
 */
function chooseTemplate(
  input: RoutingInput,
  channel: Channel,
  mode: string,
  messages: string[],
): ListedTemplate | undefined {
  const own = input.type.templates.filter((each) => each.channel === channel);
  const variantOf = (templateId: string | undefined) =>
    chooseVariant(
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
