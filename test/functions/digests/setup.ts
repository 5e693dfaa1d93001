import { handler as savePreferences } from '../../../functions/preferences/save-preferences.ts';
import { handler as send } from '../../../functions/sending/send.ts';
import { handler as createTemplate } from '../../../functions/templates/create-template.ts';
import { handler as selectDefault } from '../../../functions/templates/select-default-template.ts';
import { handler as createType } from '../../../functions/types/create-type.ts';
import { handler as saveUser } from '../../../functions/users/save-user.ts';
import { logs } from '../../../shared/database/entities/logs/logs.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { newTrackingId } from '../../../shared/runtime/values/ids.ts';
import { call, createTestAccount } from '../../support/app.ts';
import { inLanes } from '../../support/lanes.ts';
import type { Pipeline } from '../../support/pipeline.ts';
import { recordOf } from '../../support/workers.ts';

export const HOUR_MS = 3_600_000;

/** A message that went out, of any channel. */
export type Sent = {
  userId: string;
  trackingId: string;
  atMs: number;
  message: {
    message: string;
    html: string;
    subject: string;
    ccAddresses: string[];
    attachments: unknown[];
  };
};

const enabled = { enabled: true };

/** A fresh account whose type `comment` collects on the given channels, hourly unless `mode` is given. */
export async function digestAccount(pipeline: Pipeline, channels: string[] = ['SMS'], mode = 'hourly') {
  const account = await createTestAccount(pipeline);
  const { key } = account.secret;
  const { environmentId } = account.environment;
  const choice = {
    defaultDeliveryOption: mode,
    off: enabled,
    instant: enabled,
    hourly: enabled,
    daily: enabled,
    weekly: enabled,
    monthly: enabled,
  };
  const options = Object.fromEntries(channels.map((channel) => [channel, choice]));
  const type = { notificationId: 'comment', title: 'Comment', channels, options };
  await succeed(call(createType, { key, body: type }));
  const path = { userId: 'ada' };
  return {
    ...account,
    async send(text: string, body: object = {}): Promise<string> {
      const to = { id: 'ada', number: '+15005551234', email: 'ada@example.com' };
      const request = { type: 'comment', to, parameters: { text }, ...contentOf(channels), ...body };
      return (await succeed(call(send, { key, body: request }))).trackingId;
    },
    /** Accepts one notification for each text: the first by the endpoint, the others as copies of what it stored. */
    async acceptAll([firstText = '', ...texts]: readonly string[]): Promise<void> {
      const { nowMs } = pipeline.clock;
      const head = await resolve(logs).findHead(await this.send(firstText), nowMs);
      if (!head) throw new Error('the first notification is not stored');
      await inLanes(texts, (text) => {
        const request = { ...head.request, parameters: { text } };
        const copy = { ...head, trackingId: newTrackingId(nowMs), request };
        return resolve(logs).accept(copy, { feedShards: 1, ...head });
      });
    },
    saveUser: (body: object) => succeed(call(saveUser, { key, path, body })),
    prefer: (channel: string, delivery: string) =>
      succeed(call(savePreferences, { key, path, body: [{ notificationId: 'comment', channel, delivery }] })),
    async addTemplate(channel: string, content: object, modes: string[]): Promise<void> {
      const at = { notificationId: 'comment', channel };
      const template = { templateId: 'digest', ...content };
      const { templateId } = await succeed(call(createTemplate, { key, path: at, body: template }));
      await succeed(call(selectDefault, { key, path: at, body: { templateId, modes } }));
    },
    log: (trackingId: string) => recordOf(account, trackingId),
    /** Messages sent to this account's users. */
    sent: (): Sent[] =>
      pipeline.outbox
        .map((each) => ({ ...each, message: each.message as Sent['message'] & { environmentId: string } }))
        .filter(({ message }) => message.environmentId === environmentId),
  };
}

function contentOf(channels: readonly string[]): object {
  return {
    ...(channels.includes('SMS') ? { sms: { message: '{{ text }}' } } : {}),
    ...(channels.includes('EMAIL')
      ? { email: { subject: 'About {{ text }}', html: '<p>{{ text }}</p>' } }
      : {}),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses freely
async function succeed(calling: ReturnType<typeof call>): Promise<any> {
  const { status, json } = await calling;
  if (status !== 200) throw new Error(`the call was refused: ${JSON.stringify(json)}`);
  return json;
}

/** The next full hour after the test clock. */
export const nextHour = (pipeline: Pipeline) => (Math.floor(pipeline.clock.nowMs / HOUR_MS) + 1) * HOUR_MS;
