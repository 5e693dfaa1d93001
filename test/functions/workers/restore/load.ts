import { handler as send } from '../../../../functions/sending/send.ts';
import { handler as addUsers } from '../../../../functions/topics/add-topic-users.ts';
import { handler as createType } from '../../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../../functions/users/save-user.ts';
import { call, createTestAccount } from '../../../support/app.ts';
import { inLanes } from '../../../support/lanes.ts';
import type { Pipeline } from '../../../support/pipeline.ts';

const MINUTE_MS = 60_000;
const enabled = { enabled: true };
const HOURLY = {
  defaultDeliveryOption: 'hourly',
  off: enabled,
  instant: enabled,
  hourly: enabled,
  daily: enabled,
  weekly: enabled,
  monthly: enabled,
};

/** An accepted notification, and the messages it must cause: by channel, or by its text within a digest. */
type Accepted = { trackingId: string; text: string; channels: readonly string[]; isTopic: boolean };

/** More than the first page of a fan-out has. */
const MEMBERS = Array.from({ length: 12 }, (_, index) => `member-${index}`);

/** An account with a load of notifications of every kind: some due before the deployment is paused, some after. */
export async function loadedAccount(pipeline: Pipeline) {
  const { secret } = await createTestAccount(pipeline);
  const { key } = secret;
  const isoAt = (minutes: number) => new Date(pipeline.clock.nowMs + minutes * MINUTE_MS).toISOString();
  const accepted: Accepted[] = [];
  let texts = 0;
  const types = [
    { notificationId: 'plain', channels: ['SMS', 'EMAIL'] },
    { notificationId: 'comment', channels: ['SMS'], options: { SMS: HOURLY } },
    ...[20, 180].map((minutes) => ({
      notificationId: `steps-${minutes}`,
      channels: ['INAPP_WEB', 'SMS'],
      steps: [{ channels: ['INAPP_WEB'] }, { channels: ['SMS'], after: `PT${minutes}M`, when: 'unseen' }],
    })),
  ];
  for (const type of types)
    await succeed(call(createType, { key, body: { title: type.notificationId, ...type } }));
  for (const [userId, minutes] of Object.entries({ soon: 25, later: 200 }))
    await succeed(
      call(saveUser, {
        key,
        path: { userId },
        body: { number: '+15005551234', pausedUntil: isoAt(minutes) },
      }),
    );
  await inLanes(MEMBERS, (userId) =>
    succeed(call(saveUser, { key, path: { userId }, body: { number: '+15005551234' } })),
  );
  await succeed(call(addUsers, { key, path: { topicId: 'team' }, body: { userIds: MEMBERS } }));

  return {
    accepted,
    /** Sends notifications of every kind, `count` of each. */
    async send(count: number): Promise<void> {
      const bodies = Array.from({ length: count }, () => kindsAt(pipeline.clock.nowMs)).flat();
      await inLanes(bodies, async ({ body, channels, isTopic = false }) => {
        texts += 1;
        const text = `number ${texts}`;
        const content = { sms: { message: text }, email: { subject: text, html: '<p>Hello</p>' } };
        const inapp = channels.includes('INAPP_WEB') ? { inapp: { title: text } } : {};
        const { trackingId } = await succeed(call(send, { key, body: { ...content, ...inapp, ...body } }));
        accepted.push({ trackingId, text, channels, isTopic });
      });
    },
    /** The notifications that went out more or less often than once, and how often. */
    wrong(): string[] {
      return accepted.flatMap((each) => {
        const names = each.channels.length === 0 ? ['digest'] : each.channels;
        return names.flatMap((name) => {
          const times = each.isTopic ? timesToMembers(pipeline, each) : timesSent(pipeline, each, name);
          return times === 1 ? [] : [`${each.text} ${each.trackingId} ${name}: ${times}`];
        });
      });
    },
    /** Messages that went out more than once. */
    doubled(): string[] {
      return this.wrong().filter((line) => !line.endsWith(': 0'));
    },
  };
}

const ADA = { id: 'ada', number: '+15005551234', email: 'ada@example.com' };

/** One of every kind. */
function kindsAt(nowMs: number): { body: object; channels: string[]; isTopic?: boolean }[] {
  const inMinutes = (minutes: number) => new Date(nowMs + minutes * MINUTE_MS).toISOString();
  return [
    { body: { type: 'plain', to: ADA }, channels: ['SMS', 'EMAIL'] },
    { body: { type: 'comment', to: ADA }, channels: [] },
    ...[6, 20, 180].map((minutes) => ({
      body: { type: 'plain', to: ADA, schedule: inMinutes(minutes) },
      channels: ['SMS', 'EMAIL'],
    })),
    ...[20, 180].map((minutes) => ({
      body: { type: `steps-${minutes}`, to: ADA },
      channels: ['INAPP_WEB', 'SMS'],
    })),
    { body: { type: 'plain', to: { topic: 'team' } }, channels: ['SMS'], isTopic: true },
    ...['soon', 'later'].map((id) => ({ body: { type: 'plain', to: { id } }, channels: ['SMS'] })),
  ];
}

function timesSent({ outbox }: Pipeline, { trackingId, text }: Accepted, channel: string): number {
  const sent = outbox.filter(({ outcome }) => outcome === 'sent');
  if (channel !== 'digest')
    return sent.filter((each) => each.trackingId === trackingId && each.channel === channel).length;
  const lines = sent.flatMap(({ message }) => String(Object(message).message).split('\n'));
  return lines.filter((line) => line === text).length;
}

/** 1 when every member got it once, 0 when one lacks it. */
function timesToMembers({ outbox }: Pipeline, { text }: Accepted): number {
  const theirs = outbox.filter(
    ({ outcome, channel, message }) =>
      outcome === 'sent' && channel === 'SMS' && Object(message).message === text,
  );
  const times = MEMBERS.map((id) => theirs.filter(({ userId }) => userId === id).length);
  return Math.max(...times) > 1 ? Math.max(...times) : Math.min(...times);
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
async function succeed(calling: ReturnType<typeof call>): Promise<any> {
  const { status, json } = await calling;
  if (status !== 200) throw new Error(`the call was refused: ${JSON.stringify(json)}`);
  return json;
}
