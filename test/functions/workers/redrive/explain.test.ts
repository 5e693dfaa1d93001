import { expect, it } from 'vitest';
import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as explain } from '../../../../functions/workers/redrive/explain.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { iso } from './setup.ts';

const pipeline = usePipeline();
const MINUTE_MS = 60_000;

const explained = (accountId: string, fromMs: number, toMs = pipeline.clock.nowMs + 1) =>
  explain({ accountId, from: iso(fromMs), to: iso(toMs) });

it('counts what became of what an account sent, by channel, outcome and reason, and by minute', async () => {
  const account = await createTestAccount(pipeline);
  const other = await createTestAccount(pipeline);
  const { accountId } = account.account;
  pipeline.clock.nowMs = Math.ceil(pipeline.clock.nowMs / MINUTE_MS) * MINUTE_MS;
  const fromMs = pipeline.clock.nowMs;
  const to = (email: string, by = account) =>
    call(send, {
      key: by.secret.key,
      body: { type: 'news', to: { id: email, email }, email: { subject: 's', html: 'h' } },
    });
  await to('ada@example.com');
  await to('bounced@sandbox.notifications.example');
  await to('other@example.com', other);
  pipeline.clock.nowMs += MINUTE_MS;
  await to('bob@example.com');
  const key = account.secret.key;
  const nobody = {
    type: 'news',
    to: { id: 'eve' },
    forceChannels: ['EMAIL'],
    email: { subject: 's', html: 'h' },
  };
  await call(send, { key, body: nobody });
  await pipeline.settle();
  const { counts, isKnown } = (await explained(accountId, fromMs)) as never as {
    isKnown: boolean;
    counts: Record<string, Record<string, number>>;
  };
  expect(isKnown).toBe(true);
  const [first = '', second = ''] = Object.keys(counts).sort();
  expect([first, second]).toEqual([iso(fromMs).slice(0, 16), iso(fromMs + MINUTE_MS).slice(0, 16)]);
  expect(counts[first]).toMatchObject({ accepted: 2 });
  expect(counts[second]).toMatchObject({ accepted: 2, 'EMAIL sent': 1 });
  const reasons = Object.keys(counts[second] ?? {}).filter((name) => name.startsWith('EMAIL IGNORE '));
  expect(reasons).toHaveLength(1);
  expect(await explained(accountId, fromMs - MINUTE_MS, fromMs)).toEqual({ isKnown: true, counts: {} });
});

it('says that an account does not exist', async () => {
  expect(await explained('nobody', pipeline.clock.nowMs - MINUTE_MS)).toEqual({ isKnown: false, counts: {} });
});
