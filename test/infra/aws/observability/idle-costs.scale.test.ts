import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { idleCosts } from '../../../../infra/aws/observability/idle-costs.ts';
import { synthesize } from '../synthesized.ts';

/** A few routes are enough: they cost nothing while idle. */
const billOf = (context: Record<string, unknown>) => {
  const { resources } = synthesize({ routes: ROUTES.slice(0, 2), context, isReviewed: false });
  const rows = idleCosts(
    resources.map(({ id, type, properties }) => ({ id, Type: type, Properties: properties })),
  );
  return rows.reduce((sum, { dollars }) => sum + dollars, 0);
};

describe('the idle bill', () => {
  it('stays under 3 dollars per month with two channels, and grows with every enabled channel', () => {
    const two = billOf({ channels: 'EMAIL,INAPP_WEB' });
    expect(two).toBeLessThan(3);
    expect(billOf({})).toBeGreaterThan(two);
  });

  it('contains only the key while everything is paused', () => {
    expect(billOf({ paused: true })).toBeLessThan(1.2);
  });
});
