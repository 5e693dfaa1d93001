import { describe, expect, it } from 'vitest';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as listTypes } from '../../../functions/types/list-types.ts';
import { call, createTestAccount, type TestAccount } from '../../support/app.ts';
import { useApp } from '../../support/use-app.ts';
import { recordOf } from '../../support/workers.ts';
import { MINIMAL_BODY } from './full-body.ts';

const app = useApp();

const typesOf = async (account: TestAccount) => (await call(listTypes, { key: account.secret.key })).json;

describe('a schedule', () => {
  it.each([
    ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T10:00:00+02:00', undefined],
    ['2026-11-21T12:00:00+02:00', '2026-11-21T10:00:00.000Z'],
    ['2026-11-21T11:00:00', '2026-11-21T10:00:00.000Z'],
    ['2020-01-01T00:00:00Z', undefined],
  ])('parses %s for a user in Berlin as %s, or as now when it is past', async (schedule, due) => {
    const account = await createTestAccount(app);
    const to = { ...MINIMAL_BODY.to, timezone: 'Europe/Berlin' };
    const { json } = await call(send, { key: account.secret.key, body: { ...MINIMAL_BODY, to, schedule } });
    const log = await recordOf(account, json.trackingId);
    expect([log.scheduled_for, log.email_routing]).toEqual([due, due ? 'SCHEDULE' : 'SEND']);
  });

  it.each(['tomorrow', '', '2026-13-01T00:00:00Z', '2027-11-21T08:30:01Z', '1795250000'])(
    'rejects %s',
    async (schedule) => {
      const account = await createTestAccount(app);
      const { status, json } = await call(send, {
        key: account.secret.key,
        body: { ...MINIMAL_BODY, schedule },
      });
      expect([status, json.error.code]).toEqual([400, 'INVALID_SCHEDULE_FORMAT']);
      expect(await typesOf(account)).toEqual([]);
    },
  );
});
