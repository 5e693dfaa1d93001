import { handler as send } from '../../../functions/sending/send.ts';
import { handler as sendBulk } from '../../../functions/sending/send-bulk.ts';
import { handler as saveWebhook } from '../../../functions/webhooks/save-event-webhook.ts';
import { handler as websocketConnect } from '../../../functions/workers/websocket/websocket-connect.ts';
import type { DeliveryOutcome } from '../../../shared/channels/channel.ts';
import { accountSwitch } from '../../../shared/database/entities/accounts/account-switch.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import type { LogEvent } from '../../../shared/domain/logs/log.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { OUR_NUMBER } from '../providers.ts';
import type { Scenario } from '../run.ts';
import { type Story, toChannels } from '../story.ts';

const BUSY: DeliveryOutcome = { kind: 'retry', code: 'UNKNOWN', internal: 'busy' };
const LARGE = Array.from({ length: 6000 }, (_, index) => ((index * 7919) % 65_521).toString(36)).join('');

const ZONES = ['Europe/London', 'Asia/Tokyo'] as const;

const pushEventsOf = async ({ tracked }: Story): Promise<LogEvent[]> =>
  (await Promise.all(tracked.map(({ trackingId }) => resolve(logs).listEvents(trackingId, 'PUSH')))).flat();

/** Requests from their acceptance to their outcome. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'a provider that is busy at first',
    async act(story) {
      let refused = 0;
      story.world.script.deliver = () => {
        refused += 1;
        return refused <= 2 ? BUSY : undefined;
      };
      await story.send(toChannels(['SMS']), { SMS: 'sent' });
    },
  },
  {
    name: 'a message whose turn comes later, twice, and then is refused once',
    async act(story) {
      let calls = 0;
      story.world.script.deliver = () => {
        calls += 1;
        if (calls <= 2) return { kind: 'postponed', afterSeconds: 20 };
        return calls === 3 ? BUSY : undefined;
      };
      await story.send(toChannels(['SMS']), { SMS: 'sent' });
    },
  },
  {
    name: 'a message whose turn does not come before its host has rested for too long',
    hours: 3,
    async act(story) {
      const failure = { code: 'UNKNOWN', internal: 'the host does not respond' } as const;
      story.world.script.deliver = () => ({ kind: 'postponed', afterSeconds: 600, failure });
      await story.send(toChannels(['WEB_PUSH']), { WEB_PUSH: 'failed' });
    },
  },
  {
    name: 'a provider that is down, and another that takes over',
    // An email that stays with the first is tried for a day.
    hours: 26,
    async act(story) {
      story.world.script.isOrdered = true;
      story.world.script.deliver = ({ provider }) =>
        provider === 'first' ? { ...BUSY, notAccepted: 'unavailable' } : undefined;
      // An unrecorded receive possibly gave the message to the first provider: the message then stays with that provider.
      const ends = ['sent', 'failed'] as const;
      await story.send(toChannels(['SMS', 'EMAIL']), { SMS: ends, EMAIL: ends });
    },
    check: ({ world: { accepted, faulted, outage } }) =>
      accepted.every(({ provider }) => provider === 'second') && (accepted.length === 2 || faulted || outage)
        ? []
        : ['the second provider did not take over'],
  },
  {
    name: 'a provider that rejects',
    async act(story) {
      story.world.script.deliver = () => ({ kind: 'rejected', code: '30006', internal: 'no' });
      await story.send(toChannels(['SMS']), { SMS: 'failed' });
    },
  },
  {
    name: 'a token that is dead',
    async act(story) {
      story.world.script.deliver = () => ({
        ...{ kind: 'rejected', code: 'UNKNOWN', internal: 'gone' },
        deadTokens: ['token'],
      });
      // If the token could not be removed, at most three times in a row, the next message finds it dead again. One that is
      // late is decided again: `withheld` only by what another has found, as `check` asks.
      for (let times = 0; times < 4; times += 1) {
        await story.send(toChannels(['PUSH']), { PUSH: ['failed', 'none', 'withheld'] });
        await story.pass(20);
      }
    },
    async check(story) {
      const { world } = story;
      const isThere = world.table
        .list('USER#')
        .some(({ pushTokens }) => JSON.stringify(pushTokens ?? '').includes('token'));
      const events = await pushEventsOf(story);
      const failedAtMs = Math.min(
        ...events.filter(({ stage }) => stage === 'failed').map(({ atMs }) => atMs),
      );
      const isByOther = ({ atMs, fields }: LogEvent) =>
        (world.faulted !== undefined || world.outage !== undefined) &&
        failedAtMs <= atMs &&
        fields.mobile_push_failed_internal === 'PUSH is not sent: the user has no push token.';
      const withheld = events.filter(({ stage }) => stage === 'withheld');
      return [
        ...(isThere ? ['the dead token is still there'] : []),
        ...(withheld.every(isByOther) ? [] : ['a message was withheld that no other had found a reason for']),
      ];
    },
  },
  {
    name: 'an account that is disabled before anything is delivered',
    async act(story) {
      await story.send(toChannels(['SMS']), { SMS: ['withheld', 'sent'] });
      await resolve(accountSwitch).setDisabled(story.account.accountId, true);
      Object.assign(story, { sentBefore: story.world.accepted.length });
    },
    check: (story) =>
      story.world.accepted.length > (story as Story & { sentBefore: number }).sentBefore
        ? ['a disabled account has sent something']
        : [],
  },
  {
    name: 'one request twice concurrently',
    async act(story) {
      const asked = { body: toChannels(['SMS']), headers: { 'idempotency-key': 'twice' } };
      const responses = await Promise.all([story.request(send, asked), story.request(send, asked)]);
      const ids = new Set(responses.map(({ json }) => json.trackingId));
      if (ids.size > 1) throw new Error('one idempotency key has two notifications');
      story.tracked = [...ids].map((trackingId) => ({ trackingId, ends: { SMS: 'sent' } }));
    },
  },
  {
    name: 'two concurrent requests under one key',
    async act(story) {
      const asked = ZONES.map((timezone) => ({
        body: toChannels(['SMS'], { to: { id: 'ada', timezone } }),
        headers: { 'idempotency-key': 'one' },
      }));
      const responses = await Promise.all(asked.map((each) => story.request(send, each, 'any')));
      const accepted = ZONES.filter((_, index) => responses[index]?.status === 200);
      if (accepted.length !== 1) throw new Error(`${accepted.length} requests are accepted under one key`);
      const { json } = responses.find(({ status }) => status === 200) ?? { json: {} };
      story.tracked = [{ trackingId: json.trackingId, ends: { SMS: 'sent' } }];
      Object.assign(story, { zone: accepted[0] });
    },
    check(story) {
      const { zone } = story as Story & { zone?: string };
      const profiles = story.world.table.list('USER#').filter(({ sk }) => sk === 'PROFILE');
      return profiles.some(({ timezone }) => timezone === zone)
        ? []
        : ['the contact data is of the other request'];
    },
  },
  {
    name: 'a text whose cost the provider reports with its response',
    async act(story) {
      story.world.script.deliver = () => ({
        kind: 'sent',
        fields: { sms_sent_from: OUR_NUMBER, sms_sent_messageId: 'm1', sms_sent_cost: 0.005 },
      });
      await story.send(toChannels(['SMS']), { SMS: 'sent' });
    },
    check: ({ world }) => {
      const costs = world.table.list('LOG#').filter(({ sk }) => String(sk).startsWith('EVENT#sms#cost'));
      return costs.length === 1 ? [] : [`${costs.length} costs are recorded`];
    },
  },
  {
    name: 'a large request',
    act: (story) => story.send(toChannels(['SMS'], { parameters: { LARGE } }), { SMS: 'sent' }),
  },
  {
    name: 'in bulk',
    async act(story) {
      await sendThree(story);
    },
    check: (story) =>
      new Set(story.tracked.map(({ trackingId }) => trackingId)).size === 3
        ? []
        : ['not three notifications'],
  },
  {
    name: 'an open socket',
    before: (story) => story.invoke(() => connect(story)),
    act: (story) => story.send(toChannels(['INAPP_WEB']), { INAPP_WEB: 'sent' }),
    check: ({ world }) =>
      world.pushes.length > 0 || world.faulted || world.outage ? [] : ['nothing was pushed'],
  },
  {
    name: 'a webhook',
    before: (story) => hook(story, ['SMS_FAILED']),
    async act(story) {
      story.world.script.deliver = () => ({ kind: 'rejected', code: '30006', internal: 'no' });
      await story.send(toChannels(['SMS']), { SMS: 'failed' });
    },
    check: ({ world }) => called(world.posts, 1),
  },
  {
    name: 'a webhook that fails to the last retry',
    hours: 24 * 5,
    before: (story) => hook(story, ['SMS_FAILED']),
    async act(story) {
      story.world.script.deliver = () => ({ kind: 'rejected', code: '30006', internal: 'no' });
      story.world.script.receive = () => 500;
      await story.send(toChannels(['SMS']), { SMS: 'failed' });
    },
    check: ({ world }) => called(world.posts, 10, world.faulted ? 14 : 10),
  },
];

/** Sends three texts with one request, until each is accepted. */
export async function sendThree(story: Story, to: readonly object[] = []): Promise<void> {
  const notifications = [1, 2, 3].map((index, position) =>
    toChannels(['SMS'], { parameters: { index }, to: to[position] ?? { id: 'ada' } }),
  );
  const asked = { body: { notifications }, headers: { 'idempotency-key': 'bulk' } };
  let { json } = await story.request(sendBulk, asked);
  for (let tries = 0; tries < 5 && json.results.some(isRefused); tries += 1) {
    await story.pass(15);
    ({ json } = await story.request(sendBulk, asked));
  }
  for (const { trackingId } of json.results) story.tracked.push({ trackingId, ends: { SMS: 'sent' } });
}

const isRefused = ({ error }: { error?: unknown }) => error !== undefined;

const connect = ({ environment }: Story) =>
  websocketConnect({
    queryStringParameters: { userId: 'ada', envId: environment.environmentId },
    requestContext: { connectionId: 'socket-1' },
  } as never);

/** Registers a webhook for these events. */
export const hook = (story: Story, events: readonly string[]) =>
  story.request(saveWebhook, { body: { webhook: 'https://hook.example.com/', events } });

/** Returns what is wrong with the calls: every attempt was made, all of them with the same id; those whose outcome a fault kept from being recorded again. */
export function called(
  posts: readonly { id: string }[],
  timesMin: number,
  timesMax = timesMin + 4,
): string[] {
  const ids = new Set(posts.map(({ id }) => id));
  if (ids.size !== 1) return [`${ids.size} webhook calls, wanted one`];
  if (posts.length > timesMax) return [`${posts.length} attempts, wanted ${timesMax} at most`];
  return posts.length < timesMin ? [`${posts.length} attempts, wanted ${timesMin}`] : [];
}
