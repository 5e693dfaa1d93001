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
    type,
    forceChannels: intake.request.forceChannels,
    content: intake.content,
    isSilentPush: intake.request.options?.apn?.contentAvailable,
    templateId: intake.request.templateId,
    locales: localesOf(context, user),
    user,
    preferenceOf: (channel) => preferenceOf(by, channel),
    hasConsent: (channel) => hasConsent(context.preferences, intake, channel),
    disableSending: [...context.environment.disableSending, ...channelsOff()],
    isReachable: (channel) => isReachableIn(context.environment, channel, user, intake.request),
    accountDisabled: context.account.disabled,
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

/** The choice of the user, or `off` if the address of the request opted out. */
function preferenceOf(
  { intake: { notificationId, subNotificationId }, context, type }: Parameters<typeof decide>[0],
  channel: Channel,
): DeliveryOption | undefined {
  const { preferences, emailSuppressionStatus, environment } = context;
  const emailOptOuts = emailSuppressionStatus ? undefined : context.emailOptOuts;
  const scope = { environmentId: environment.environmentId, notificationId, subNotificationId };
  const chosen = preferenceFor(preferences, notificationId, subNotificationId, channel);
  const isOut = channel === 'EMAIL' && emailOptOuts && isOptedOut(emailOptOuts, scope, type.purpose, chosen);
  return isOut ? 'off' : deliveryFor(preferences, scope, type.purpose, channel);
}

/** Whether the environment sends a channel of this request to the user. */
export function isReachableIn(
  { onlyTo }: SendingContext['environment'],
  channel: Channel,
  user: Partial<Profile>,
  { options }: Pick<SendRequest, 'options'>,
): boolean {
  const { ccAddresses = [], bccAddresses = [] } = options?.email ?? {};
  return isReachable(onlyTo, channel, user, [...ccAddresses, ...bccAddresses].map(addressIn));
}

/** Languages of the content, in order: the user's, then the account's. */
export function localesOf({ account }: SendingContext, user: Partial<Profile>): (string | undefined)[] {
  return [user.locale, account.locale];
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
