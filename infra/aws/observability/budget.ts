import type { Stack } from 'aws-cdk-lib';
import * as budgets from 'aws-cdk-lib/aws-budgets';
import { alarmNameOf, type Platform } from '../platform.ts';

/**
 * Percent of the budget at which the address is notified: of actual costs, and of the forecast for the month.
 */
const THRESHOLDS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * The monthly budget of this deployment. AWS counts by its tag `stage` only after the tag is activated for cost
 * allocation in the billing console of the account that pays.
 */
export function createBudget(stack: Stack, platform: Platform): void {
  const { name, stage, monthlyBudgetUsd, alarmAddress } = platform.parameters;
  new budgets.CfnBudget(stack, 'Budget', {
    budget: {
      // Budgets have no region: without it, two regions of a stage would need the same name, and count each other's costs.
      budgetName: alarmNameOf(platform, `monthly-${stack.region}`),
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: monthlyBudgetUsd, unit: 'USD' },
      filterExpression: {
        and: [
          { tags: { key: 'application', values: [name], matchOptions: ['EQUALS'] } },
          { tags: { key: 'stage', values: [stage], matchOptions: ['EQUALS'] } },
          { dimensions: { key: 'REGION', values: [stack.region], matchOptions: ['EQUALS'] } },
        ],
      },
      metrics: ['UnblendedCost'],
    },
    notificationsWithSubscribers: THRESHOLDS.map((row) => ({
      notification: { ...row, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address: alarmAddress }],
    })),
  });
}
