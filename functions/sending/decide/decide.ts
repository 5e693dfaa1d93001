import { countriesOf } from '../../../shared/channels/phone/numbers/phone-number.ts';
import type { Account } from '../../../shared/database/entities/accounts/accounts.ts';
import type { StoredType } from '../../../shared/database/entities/content/notification-types.ts';
import type { SendingContext } from '../../../shared/database/entities/sending/sending-context.ts';
import {
  deliveryFor,
  hasConsent,
  preferenceFor,
} from '../../../shared/database/entities/users/preferences.ts';
import { channelsOff } from '../../../shared/domain/routing/deployed-channels.ts';
import {
  type RoutingInput,
  type RoutingResult,
  routeNotification,
} from '../../../shared/domain/routing/routing.ts';
import { type QuietInput, quietAt, windowsFor } from '../../../shared/domain/timing/quiet-hours.ts';
import { firstTimezone, outerZones } from '../../../shared/domain/timing/timezone.ts';
import { isReachable } from '../../../shared/domain/users/only-to.ts';
import { isOptedOut } from '../../../shared/domain/users/opt-outs.ts';
import type { Profile } from '../../../shared/domain/users/profile.ts';
import type { Channel } from '../../../shared/schemas/channel.ts';
import type { DeliveryOption } from '../../../shared/schemas/delivery/delivery-mode.ts';
import { addressIn } from '../../../shared/schemas/fields/text.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import type { QuietWindow } from '../../../shared/schemas/users/quiet-hours.ts';
import type { Intake } from '../accept/intake.ts';

export function decide(by: {
  intake: Intake;
  context: SendingContext;
  type: StoredType;
  user: Profile | undefined;
  dueAtMs?: number | undefined;
  later?: RoutingInput['later'];
  released?: readonly Channel[] | undefined;
  nowMs: number;
}): RoutingResult {
  const { intake, context, type, user = {}, dueAtMs, later, released, nowMs } = by;
  // One that cannot be evaluated is left to the delivery, which reports the reason in the log.
  const unmet = intake.liquid?.findUnmetCondition(intake.request, user, context.account, nowMs);
  return routeNotification({
    ...rulesFor(intake, context, type, user),
    content: intake.content,
    isSilentPush: intake.request.options?.apn?.contentAvailable,
    templateId: intake.request.templateId,
    unmetCondition: unmet?.kind === 'unmet' ? unmet.because : undefined,
    scheduled: dueAtMs !== undefined,
    later,
    quietOf: (channel) =>
      quietAt(
        quietInputOf({ account: context.account, type }, user, {
          ...intake,
          ...(released?.includes(channel) ? { request: { urgent: true } } : undefined),
          nowMs,
        }),
        channel,
      ),
  });
}

/** What a notification is decided by at every time: at its acceptance, when it is due, and as an item of a digest. */
export function rulesFor(
  notification: Pick<Intake, 'notificationId' | 'subNotificationId' | 'request'>,
  context: SendingContext,
  type: StoredType,
  user: Partial<Profile>,
) {
  const { account, environment, preferences } = context;
  const { forceChannels, options } = notification.request;
  const { ccAddresses = [], bccAddresses = [] } = options?.email ?? {};
  const copies = [...ccAddresses, ...bccAddresses].map(addressIn);
  return {
    type,
    forceChannels,
    // Those of the content: the user's, then the account's.
    locales: [user.locale, account.locale],
    user,
    preferenceOf: (channel: Channel) => preferenceOf(notification, context, type, channel),
    hasConsent: (channel: Channel) => hasConsent(preferences, notification, channel),
    disableSending: [...environment.disableSending, ...channelsOff()],
    isReachable: (channel: Channel) => isReachable(environment.onlyTo, channel, user, copies),
    accountDisabled: account.disabled,
  };
}

/** The choice of the user, or `off` if the address of the request opted out. */
function preferenceOf(
  { notificationId, subNotificationId }: Pick<Intake, 'notificationId' | 'subNotificationId'>,
  context: SendingContext,
  type: StoredType,
  channel: Channel,
): DeliveryOption | undefined {
  const { preferences, emailSuppressionStatus, environment } = context;
  const emailOptOuts = emailSuppressionStatus ? undefined : context.emailOptOuts;
  const scope = { environmentId: environment.environmentId, notificationId, subNotificationId };
  const chosen = preferenceFor(preferences, notificationId, subNotificationId, channel);
  const isOut = channel === 'EMAIL' && emailOptOuts && isOptedOut(emailOptOuts, scope, type.purpose, chosen);
  return isOut ? 'off' : deliveryFor(preferences, scope, type.purpose, channel);
}

/** Determines whether a user can be disturbed. Urgent types ignore pauses, and are exempt from a floor if the type says so. */
export function quietInputOf(
  { account, type }: Pick<SendingContext, 'account' | 'type'>,
  user: Partial<Profile>,
  { userId, request, nowMs }: { userId: string; request?: Pick<SendRequest, 'urgent'>; nowMs: number },
): QuietInput {
  const isUrgent = request?.urgent ?? type?.urgent ?? false;
  const settings = { type: type?.quietHours, account: account.quietHours, isUrgent };
  // People are not woken for marketing.
  const isExempt = isUrgent && type?.exemptFromFloor && type.purpose !== 'marketing';
  const windows = isExempt ? [] : windowsFor(user.quietHours, settings);
  return {
    windows: windows.map((hours) => ({ hours, zones: zonesFor(hours, user, account, nowMs) })),
    pausedUntilMs: isUrgent ? undefined : user.pausedUntilMs,
    userId,
    nowMs,
  };
}

function zonesFor(
  { timezone }: QuietWindow,
  user: Pick<Profile, 'timezone' | 'number'>,
  account: Pick<Account, 'timezone'>,
  nowMs: number,
): string[] {
  const known = firstTimezone([user.timezone, account.timezone]);
  if (timezone !== 'recipient' || user.number === undefined || known === user.timezone) return [known];
  const zones = outerZones(countriesOf(user.number), nowMs);
  return zones.length > 0 ? zones : [known];
}
