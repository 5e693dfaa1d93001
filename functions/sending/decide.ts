import { countriesOf } from '../../shared/channels/phone/phone-number.ts';
import type { Account } from '../../shared/database/entities/accounts.ts';
import type { StoredType } from '../../shared/database/entities/notification-types.ts';
import { deliveryFor, hasConsent, preferenceFor } from '../../shared/database/entities/preferences.ts';
import type { SendingContext } from '../../shared/database/entities/sending-context.ts';
import { channelsOff } from '../../shared/domain/deployed-channels.ts';
import { isOptedOut } from '../../shared/domain/opt-outs.ts';
import type { Profile } from '../../shared/domain/profile.ts';
import { type QuietInput, quietAt, windowsFor } from '../../shared/domain/quiet-hours.ts';
import { type RoutingInput, type RoutingResult, routeNotification } from '../../shared/domain/routing.ts';
import { firstTimezone, outerZones } from '../../shared/domain/timezone.ts';
import type { Channel } from '../../shared/schemas/channel.ts';
import type { DeliveryOption } from '../../shared/schemas/delivery-mode.ts';
import type { QuietWindow } from '../../shared/schemas/quiet-hours.ts';
import type { SendRequest } from '../../shared/schemas/send-request.ts';
import type { Intake } from './intake.ts';

/** Decides every channel by the data stored now. */
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

/** Languages in which to look for content: the user's, then the account's. */
export function localesOf({ account }: SendingContext, user: Partial<Profile>): (string | undefined)[] {
  return [user.locale, account.locale];
}

/** Determines whether a user may be disturbed. What is urgent heeds no pause, and a floor unless its type is exempt. */
export function quietInputOf(
  { account, type }: Pick<SendingContext, 'account' | 'type'>,
  user: Partial<Profile>,
  { userId, request, nowMs }: { userId: string; request?: Pick<SendRequest, 'urgent'>; nowMs: number },
): QuietInput {
  const isUrgent = request?.urgent ?? type?.urgent ?? false;
  const settings = { type: type?.quietHours, account: account.quietHours, isUrgent };
  const windows = isUrgent && type?.exemptFromFloor ? [] : windowsFor(user.quietHours, settings);
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
