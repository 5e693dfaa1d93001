import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import * as v from 'valibot';
import { print, printableJson } from '../infra/terminal.ts';
import { API_OPTIONS, type Api, openApi } from './frame/api.ts';
import { CommandError, EXIT, option, runCommand } from './frame/command.ts';
import { callSandbox } from './frame/local-run.ts';
import { EVENTS, type TriggerEvent } from './trigger/trigger-events.ts';

const OPTIONS = {
  user: option.value(
    '<id>',
    'user of the notification (default: trigger-user, or a new user to unsubscribe)',
  ),
  ...API_OPTIONS,
} as const;

const ABOUT = `Triggers an event in the sandbox of a local run: sends to a recipient that causes the event, or delivers the
inbound message.

npm run trigger -- <event> [options]`;

const NOTES = `Events: ${Object.keys(EVENTS).join(', ')}`;

const POLL_MS = 200;
const WAIT_MS_MAX = 20_000;

const Sent = v.object({
  trackingId: v.string(),
  messages: v.array(v.string()),
  routing: v.array(v.object({ reason: v.optional(v.string()) })),
});
const Logs = v.object({ logs: v.array(v.record(v.string(), v.unknown())) });
const Address = v.object({ fullAddress: v.string(), type: v.string() });
const Addresses = v.object({ addresses: v.array(Address) });
const Created = v.object({ address: Address });
const Facts = v.object({ smtpPort: v.number() });
const Messages = v.object({ messages: v.array(v.object({ message: v.unknown() })) });

function eventOf([name = '', ...more]: string[]): TriggerEvent {
  const found = Object.entries(EVENTS).find(([each]) => each === name.toUpperCase())?.[1];
  if (found && more.length === 0) return found;
  throw new CommandError('Pass one event. --help lists them.', EXIT.usage);
}

async function waitFor(api: Api, trackingId: string, field: string): Promise<Record<string, unknown>> {
  for (const endsAtMs = Date.now() + WAIT_MS_MAX; ; ) {
    const [log] = v.parse(Logs, await api.call('GET', `/logs/${trackingId}`)).logs;
    if (log?.[field] !== undefined) return log;
    if (Date.now() > endsAtMs) throw new CommandError(`${trackingId} has no ${field} after 20 seconds.`);
    await new Promise((resume) => setTimeout(resume, POLL_MS));
  }
}

async function send(api: Api, body: object): Promise<string> {
  const { trackingId, messages, routing } = v.parse(Sent, await api.call('POST', '/send', body));
  if (routing.every(({ reason }) => reason !== undefined))
    throw new CommandError(`${trackingId}: ${messages.join(' ')}`);
  return trackingId;
}

/** Unsubscribes by the link of the email that the provider received. */
async function unsubscribe(api: Api, trackingId: string): Promise<void> {
  const { messages } = v.parse(Messages, await callSandbox(api.url, `messages?trackingId=${trackingId}`));
  const link = /https?:\/\/[^\s"<>\\]{1,300}\/unsubscribe\/[^\s"<>\\?]+/.exec(JSON.stringify(messages))?.[0];
  if (!link) throw new CommandError(`The email of ${trackingId} has no unsubscribe link.`);
  await api.call('POST', new URL(link).pathname);
}

/** Sends an email to the account's built-in address, as anybody could. */
async function sendEmail(api: Api): Promise<void> {
  const { smtpPort } = v.parse(Facts, await callSandbox(api.url, 'account'));
  const { addresses } = v.parse(Addresses, await api.call('GET', '/addresses'));
  const to = addresses.find(({ type }) => type === 'builtin') ?? (await createAddress(api));
  const transport = createTransport({ host: '127.0.0.1', port: smtpPort, secure: false, ignoreTLS: true });
  await transport.sendMail({
    from: 'Ada <ada@example.com>',
    to: to.fullAddress,
    subject: 'Triggered',
    text: 'An inbound email.',
  });
}

async function createAddress(api: Api) {
  return v.parse(Created, await api.call('POST', '/addresses', { prefix: 'trigger' })).address;
}

runCommand(
  { about: ABOUT, options: OPTIONS, notes: NOTES, hasArguments: true },
  async (values, positionals) => {
    const event = eventOf(positionals);
    const api = await openApi(values);
    if (!api.isLocal) throw new CommandError('Only a local run has a sandbox.', EXIT.usage);
    // A user who unsubscribed would get nothing the next time.
    const userId =
      values.user ?? (event.isUnsubscribed || event.request ? `trigger-${randomUUID()}` : 'trigger-user');
    const trackingIds: string[] = [];
    if (event.body) trackingIds.push(await send(api, event.body(userId)));
    const [trackingId] = trackingIds;
    if (trackingId !== undefined && event.until) await waitFor(api, trackingId, event.until);
    if (trackingId !== undefined && event.isUnsubscribed) await unsubscribe(api, trackingId);
    if (event.request) await api.call(event.request.method, `/users/${userId}${event.request.path}`, {});
    if (event.isEmail) await sendEmail(api);
    if (event.inbound) await callSandbox(api.url, `events/${event.inbound.source}`, event.inbound.event());
    if (values.json) print(printableJson({ trackingIds }));
    else print(trackingId ? `Triggered; npm run logs -- ${trackingId}` : 'Triggered; see npm run logs.');
  },
);
