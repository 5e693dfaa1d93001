import { organizations } from '../../shared/database/entities/accounts/organizations.ts';
import { usageCounters } from '../../shared/database/entities/usage/usage-counters.ts';
import { billingPeriodOf, monthOf } from '../../shared/domain/costs/usage-months.ts';
import { endpoint } from '../../shared/http/endpoint/endpoint.ts';
import { defined } from '../../shared/runtime/values/defined.ts';
import { getUsageRoute } from './routes.ts';

export const handler = endpoint(
  getUsageRoute,
  { organizations, usageCounters },
  async ({ organizations, usageCounters, caller, request }) => {
    const { accountId } = caller;
    const { anchorDate, messagesCap, smsCap, callCap, costCap, allowOverage } =
      await organizations.get(accountId);
    const yearMonth = monthOf(request.receivedAtMs);
    const period = billingPeriodOf(anchorDate, request.receivedAtMs);
    const [month, billed] = await Promise.all([
      usageCounters.ofMonth(accountId, yearMonth),
      usageCounters.ofPeriod(accountId, period),
    ]);
    return {
      yearMonth,
      ...month,
      billingPeriod: { ...period, ...billed },
      caps: {
        messagesCap,
        ...defined({ smsCap, callCap }),
        costCap,
        allowOverage,
      },
    };
  },
);
