import { type Account, retentionDaysOf } from '../../shared/database/entities/accounts.ts';
import { defined } from '../../shared/runtime/defined.ts';
import type { AccountAnswer } from '../../shared/schemas/account.ts';

/** An account as returned. */
export function accountAnswer(account: Account): AccountAnswer {
  const {
    accountId,
    name,
    defaultEnvironmentId,
    logo,
    timezone,
    locale,
    defaultSender,
    defaultLayout,
    linkSchemes,
    quietHours,
    smsAnswers,
    postalAddress,
    createdAt,
  } = account;
  return {
    accountId,
    name,
    defaultEnvironmentId,
    ...defined({ logo }),
    retentionInDays: retentionDaysOf(account),
    ...defined({ timezone, locale, defaultSender, defaultLayout }),
    linkSchemes: [...(linkSchemes ?? [])],
    ...defined({ quietHours, smsAnswers, postalAddress }),
    createdAt,
  };
}
