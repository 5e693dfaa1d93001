import { type Account, accounts, retentionDaysOf } from '../../shared/database/entities/accounts/accounts.ts';
import { environments } from '../../shared/database/entities/accounts/environments.ts';
import { components } from '../../shared/database/entities/content/components.ts';
import { erasurePasses } from '../../shared/database/entities/erasure/erasure-passes.ts';
import { senderProblem } from '../../shared/domain/phone/sms-senders.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { assertNoProblems, type Problem } from '../../shared/http/problems/problems.ts';
import { AppError } from '../../shared/runtime/errors.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import type { PhoneNumbers } from '../../shared/schemas/account/phone-numbers.ts';
import { assertLayout } from '../templates/known-components.ts';
import { accountResponse } from './account-response.ts';
import { updateAccountRoute } from './routes.ts';

export const handler = endpoint(
  updateAccountRoute,
  { accounts, components, environments, erasurePasses },
  async ({ accounts, components, environments, erasurePasses, caller, body, request }) => {
    const { defaultLayout: layout } = body;
    await assertLayout(components, caller.environmentId, { layout }, { field: 'body.defaultLayout' });
    const { accountId } = caller;
    const stored = await accounts.get(accountId);
    if (body.phoneNumbers) assertNoProblems(await numberProblems(stored, body.phoneNumbers));
    const most = retentionDaysOf({
      ...stored,
      ...defined({ retentionInDays: body.retentionInDays ?? undefined }),
    });
    if (body.contentDays !== undefined && (body.contentDays ?? 0) > most) throw contentTooLong(most);
    const changed = await accounts.update(accountId, body);
    // Also when nothing changes: an interrupted request that is repeated must start what it did not.
    if (body.contentDays !== undefined || body.retentionInDays !== undefined) {
      const all = await environments.listAll(accountId);
      for (const { environmentId } of all)
        await erasurePasses.startRetention({ accountId, environmentId }, request.receivedAtMs);
    }
    return accountResponse(changed);
  },
);

function contentTooLong(days: number): AppError {
  return new AppError('INVALID_REQUEST', {
    message: `body.contentDays must be at most the retention, ${days} days.`,
    path: 'body.contentDays',
    fix: 'Send a smaller number, or a longer retentionInDays with it.',
  });
}

/** An entry that the account certainly cannot send from, or not to one of its countries. */
async function numberProblems(account: Account, numbers: PhoneNumbers): Promise<Problem[]> {
  const { statedSenderProblem } = await import('../../shared/providers/order/stated-sender.ts');
  return numbers.flatMap(({ number, countries = [] }, index) => {
    const must =
      statedSenderProblem(account, number) ??
      countries.map((country) => senderProblem(number, [country])).find(Boolean);
    return must ? [{ where: `body.phoneNumbers[${index}].number`, must }] : [];
  });
}
