import { type Account, retentionDaysOf } from '../../shared/database/entities/accounts/accounts.ts';
import type { Environment, Environments } from '../../shared/database/entities/accounts/environments.ts';
import type { NotificationTypes } from '../../shared/database/entities/content/notification-types.ts';
import type { Logs } from '../../shared/database/entities/logs/logs.ts';
import { logExpiry } from '../../shared/domain/logs/log-expiry.ts';
import { isReachable } from '../../shared/domain/users/only-to.ts';
import type { Profile } from '../../shared/domain/users/profile.ts';
import { escapeHtml } from '../../shared/http/pages/escape-html.ts';
import { renderPage } from '../../shared/http/pages/page.ts';
import type { PageLanguage } from '../../shared/http/pages/page-language.ts';
import type { AppError } from '../../shared/runtime/errors.ts';
import { DAY_MS } from '../../shared/runtime/values/durations.ts';
import { trackingIdOf } from '../../shared/runtime/values/ids.ts';
import type { Unsubscription } from '../../shared/tokens/unsubscribe-token.ts';

import { outdatedLink } from './read-link.ts';

/** The type of emails with a new link for their recipient. */
const NOTIFICATION_ID = 'preferences-link';

type Facts = { account: Account | undefined; user: Profile | undefined; language: PageLanguage };

/** The error for an outdated link: its page offers to send a new link. */
export function renewalOf({ account, language }: Facts): AppError {
  const { texts } = language;
  const body = `<p role="status">${escapeHtml(texts.renewAsk)}</p>
<form method="post" action="?renew=true">
<button type="submit">${escapeHtml(texts.renew)}</button>
</form>`;
  return outdatedLink(renderPage({ ...brandOf(account), heading: texts.renewHeading, body, language }));
}

const brandOf = (account: Account | undefined) => ({ accountName: account?.name ?? '', logo: account?.logo });

const maySend = (environment: Environment | undefined, user: Profile): boolean =>
  environment !== undefined &&
  !environment.disableSending.includes('EMAIL') &&
  isReachable(environment.onlyTo, 'EMAIL', user, []);

/** Emails a new link to the person's present address, once a day. The response reveals nothing about that address. */
export async function renewLink(
  deps: { environments: Environments; logs: Logs; notificationTypes: NotificationTypes },
  { accountId, environmentId, userId }: Unsubscription,
  { account, user, language }: Facts,
  { receivedAtMs }: { receivedAtMs: number },
): Promise<string> {
  const { texts } = language;
  const day = Math.floor(receivedAtMs / DAY_MS);
  const environment = await deps.environments.find(accountId, environmentId);
  if (account && user?.email && maySend(environment, user)) {
    const type = { notificationId: NOTIFICATION_ID, title: texts.preferences, required: true, urgent: true };
    await deps.notificationTypes.createIfMissing(environmentId, {
      ...{ ...type, channels: ['EMAIL'], enabled: true, templates: [] },
      ...{ revision: 1, createdAtMs: receivedAtMs },
    });
    const html = `<p><a href="{{ preferences_url }}">${escapeHtml(texts.choose)}</a></p>`;
    await deps.logs.accept(
      {
        ...{ accountId, environmentId, userId, notificationId: NOTIFICATION_ID, state: 'accepted' },
        trackingId: trackingIdOf([accountId, environmentId, userId, NOTIFICATION_ID, String(day)]),
        ...{ receivedAtMs, isUrgent: true, email: user.email },
        ...{ routing: { EMAIL: { routing: 'SEND' } }, messages: [] },
        request: {
          ...{ type: NOTIFICATION_ID, to: { id: userId }, forceChannels: ['EMAIL'] },
          email: { subject: texts.preferences, html },
        },
      },
      {
        feedShards: account.feedShards,
        expiresAtSeconds: logExpiry(retentionDaysOf(account), receivedAtMs),
      },
    );
  }
  const body = `<p role="status">${escapeHtml(texts.renewed)}</p>`;
  return renderPage({ ...brandOf(account), heading: texts.renewedHeading, body, language });
}
