import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../../../functions/routes.ts';
import { costsOfUse, idleCosts } from '../../../../infra/aws/observability/idle-costs.ts';
import { synthesize } from '../synthesized.ts';

/** A few routes are enough: they cost nothing while idle. */
const resourcesWith = (context: Record<string, unknown>) =>
  synthesize({ routes: ROUTES.slice(0, 2), context, isReviewed: false }).resources.map(
    ({ id, type, properties }) => ({ id, Type: type, Properties: properties }),
  );
const billOf = (context: Record<string, unknown>) =>
  idleCosts(resourcesWith(context)).reduce((sum, { dollars }) => sum + dollars, 0);

describe('the idle bill', () => {
  it('stays under 3 dollars per month with two channels, and grows with every enabled channel', () => {
    const two = billOf({ channels: 'EMAIL,INAPP_WEB' });
    expect(two).toBeLessThan(3);
    expect(billOf({})).toBeGreaterThan(two);
  });

  it('has the dollars that docs/scale.md states', () => {
    const page = readFileSync(new URL('../../../../docs/scale.md', import.meta.url), 'utf8').replaceAll(
      /\s+/g,
      ' ',
    );
    expect(page).toContain(
      `costs about **$${billOf({ channels: 'EMAIL,INAPP_WEB' }).toFixed(2)} per month**`,
    );
    expect(page).toContain(`costs about **$${Math.round(billOf({}))} per month** without alarms`);
    const [, least, most] = /\| Alarms \| \$(\d+) to \$(\d+) \|/.exec(page) ?? [];
    for (const context of [{}, { channels: 'EMAIL,INAPP_WEB', emailReceipts: 'failures' }]) {
      const alarms = idleCosts(resourcesWith({ stage: 'prod', ...context })).find(({ item }) =>
        item.includes('alarms'),
      );
      expect(alarms?.dollars).toBeGreaterThanOrEqual(Number(least));
      expect(alarms?.dollars).toBeLessThanOrEqual(Number(most));
    }
    expect(page).toContain(
      `about $${5 * Math.round(billOf({ stage: 'prod' }) / 5)} with alarms and dashboard`,
    );
    const minutes = 10_000 * 60 * 24 * 30;
    expect(page).toContain(`cost $${(minutes * 0.25) / 1e6} per month`);
    expect(page).toContain(`answers itself, cost $${minutes / 9 / 1e6}`);
  });

  it('contains only the key while everything is paused', () => {
    expect(billOf({ paused: true })).toBeLessThan(1.2);
  });
});

describe('the costs of use', () => {
  it('are those of open WebSockets with a ping every nine minutes, and of the data of email', () => {
    const costs = costsOfUse(resourcesWith({}));
    expect(costs.map(({ dollars }) => Math.round(100 * dollars) / 100)).toEqual([156, 0.12]);
    expect(costsOfUse(resourcesWith({ settings: { EMAIL_PROVIDER: 'smtp' } }))).toHaveLength(1);
  });

  it('count the pings that the client sends', () => {
    const client = readFileSync(new URL('../../../../client/src/inbox/live.ts', import.meta.url), 'utf8');
    expect(client).toContain('const PING_MS = 520_000;');
  });
});
