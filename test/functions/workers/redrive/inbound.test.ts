import { expect, it } from 'vitest';
import { handler as ingestInboundSms } from '../../../../functions/workers/inbound/ingest-inbound-sms.ts';
import { handler as redrive } from '../../../../functions/workers/redrive/redrive.ts';
import { optOutList } from '../../../../shared/providers/phone/opt-out-list.ts';
import { replace } from '../../../../shared/runtime/dependency.ts';
import { createTestAccount } from '../../../support/app.ts';
import { toSnsNotification } from '../../../support/fakes/aws-sms.ts';
import { usePipeline } from '../../../support/pipeline.ts';
import { deliver } from '../../../support/workers.ts';
import { iso, redriving } from './setup.ts';

const pipeline = usePipeline();

it('confirms an opt-out whose stream record was lost, for a text message accepted days before the range', async () => {
  const on = redriving(pipeline);
  const account = await createTestAccount(pipeline);
  const [ours, theirs] = ['+15005550006', '+12025552077'];
  await on.sendSms(account, { to: { id: 'ada', number: theirs } });
  await pipeline.settle();
  on.later(3 * 24 * 60);
  const stop = {
    originationNumber: theirs,
    destinationNumber: ours,
    messageBody: 'STOP',
    inboundMessageId: 'in-1',
  };
  const body = toSnsNotification(stop, iso(pipeline.clock.nowMs));
  await on.whileLost(() => deliver(ingestInboundSms, body));
  const confirmations = () =>
    pipeline.outbox.filter(
      ({ to, message }) => to.includes(theirs) && JSON.stringify(message).includes('unsubscribed'),
    );
  on.later(10);
  expect(confirmations()).toHaveLength(0);
  expect((await redrive(on.last(20))).messages).toEqual({ 'answer-texts': 1 });
  await pipeline.settle();
  expect(confirmations()).toHaveLength(1);
  on.later(10);
  expect((await redrive(on.last(30))).messages).toEqual({});
});

it('repeats a lost opt-in once, and never one that the person has withdrawn', async () => {
  const on = redriving(pipeline);
  const account = await createTestAccount(pipeline);
  const [ours, theirs] = ['+15005550006', '+12025552078'];
  const changes: string[] = [];
  replace(optOutList, () => ({
    put: async (number) => void changes.push(`put ${number}`),
    remove: async (number) => void changes.push(`remove ${number}`),
  }));
  await on.sendSms(account, { to: { id: 'ada', number: theirs } });
  await pipeline.settle();
  let count = 0;
  const text = async (messageBody: string, isLost = false) => {
    count += 1;
    on.later(1);
    const message = {
      originationNumber: theirs,
      destinationNumber: ours,
      messageBody,
      inboundMessageId: `t-${count}`,
    };
    const body = toSnsNotification(message, iso(pipeline.clock.nowMs));
    const receive = () => deliver(ingestInboundSms, body);
    await (isLost ? on.whileLost(receive) : receive());
    await pipeline.settle();
  };
  const run = async () => {
    on.later(10);
    const { messages } = await redrive(on.last(600));
    await pipeline.settle();
    return messages['answer-texts'];
  };
  await text('STOP');
  await text('START', true);
  expect([await run(), await run(), await run()]).toEqual([1, undefined, undefined]);
  expect(changes).toEqual([`put ${theirs}`, `remove ${theirs}`]);
  await text('START');
  await text('START', true);
  await text('STOP');
  expect([await run(), await run()]).toEqual([1, undefined]);
  expect(changes.slice(2)).toEqual([`remove ${theirs}`, `put ${theirs}`]);
});
