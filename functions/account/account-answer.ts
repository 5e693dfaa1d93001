import { type Account, retentionDaysOf } from '../../shared/database/entities/accounts.ts';
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
    linkSchemes,
    quietHours,
    createdAt,
  } = account;
  return {
    accountId,
    name,
    defaultEnvironmentId,
    ...(logo === undefined ? {} : { logo }),
    retentionInDays: retentionDaysOf(account),
    ...(timezone === undefined ? {} : { timezone }),
    ...(locale === undefined ? {} : { locale }),
    ...(defaultSender === undefined ? {} : { defaultSender }),
    linkSchemes: [...(linkSchemes ?? [])],
    ...(quietHours === undefined ? {} : { quietHours }),
    createdAt,
  };
}
