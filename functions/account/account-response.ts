import {
  type Account,
  contentDaysOf,
  editedParts,
  retentionDaysOf,
} from '../../shared/database/entities/accounts/accounts.ts';
import { datesOf, noteState } from '../../shared/database/items/edition.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import type { AccountResponse } from '../../shared/schemas/account/account.ts';

export function accountResponse(account: Account): AccountResponse {
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
    phoneNumbers,
    postalAddress,
    trackingNeedsConsent,
    createdAt,
    updatedAtMs = Date.parse(createdAt),
    updatedBy,
  } = account;
  noteState('account', editedParts(account).account);
  return {
    accountId,
    name,
    defaultEnvironmentId,
    ...defined({ logo }),
    retentionInDays: retentionDaysOf(account),
    contentDays: contentDaysOf(account),
    ...defined({ timezone, locale, defaultSender, defaultLayout }),
    linkSchemes: [...(linkSchemes ?? [])],
    ...defined({ quietHours, smsAnswers, phoneNumbers, postalAddress, trackingNeedsConsent }),
    createdAt,
    ...datesOf({ updatedAtMs, updatedBy }),
  };
}
