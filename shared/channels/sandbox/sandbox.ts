import { countSegments } from '../../domain/phone/sms-segments.ts';
import { type AllowedHosts, checkUrl } from '../../http-client/address-guard.ts';
import type { QueueMessage } from '../../messaging/queues-port.ts';
import type { Clock } from '../../runtime/clock.ts';
import { defined } from '../../runtime/values/defined.ts';
import type { Channel } from '../../schemas/channel.ts';
import { catchAllCode } from '../../schemas/logs/failure-codes.ts';
import type { LogFields } from '../../schemas/logs/log-record.ts';
import type {
  ChannelProvider,
  DeliveryByChannel,
  DeliveryOutcome,
  EmailDelivery,
  RemainingTokens,
} from '../channel.ts';
import { omittedField } from '../email/content/attachments.ts';
import { isRefusedFile } from '../email/content/file-types.ts';
import { type TrackedLink, trackedLinks } from '../email/content/tracked-html.ts';
import { countryOf } from '../phone/numbers/phone-number.ts';
import { SANDBOX_NUMBER } from './sandbox-number.ts';
import { receiptsOf, type Target } from './sandbox-receipts.ts';
import {
  chatScenario,
  emailScenario,
  inappScenario,
  phoneScenario,
  pushScenario,
  type SandboxPlace,
  type Scenario,
  webPushScenario,
} from './scenarios.ts';

/** One call as a provider would have received it, with the sandbox's response. */
export type SandboxMessage = {
  channel: Channel;
  /** Addresses, numbers, tokens, endpoints or destinations it went to. */
  to: string[];
  trackingId: string;
  userId: string;
  attempt: number;
  /** `sent`, `rejected` or `retry`. */
  outcome: string;
  /** One of several sandboxes in an order. */
  provider?: string;
  atMs: number;
  /** The whole delivery, as a provider gets it. */
  message: unknown;
};

/** Dependencies of the sandbox: where calls are recorded, and how its receipts are sent. */
export type SandboxDependencies = {
  /** Its entry in the order of providers; `sandbox` by default. */
  name?: string;
  place?: SandboxPlace;
  clock: Clock;
  /** Hosts for attachments, in addition to public hosts. */
  allowedHosts: () => AllowedHosts;
  record: (message: SandboxMessage) => Promise<void>;
  sendReceipts: (messages: QueueMessage[]) => Promise<void>;
};

const TARGETS: {
  [C in Channel]: (delivery: DeliveryByChannel[C], place: SandboxPlace | undefined) => Target<C>[];
} = {
  EMAIL: (delivery, place) => [
    { to: delivery.to, scenario: emailScenario(delivery.to, () => findClickedLink(delivery), place) },
  ],
  INAPP_WEB: (delivery) => [{ to: delivery.userId, scenario: inappScenario(delivery.userId) }],
  SMS: ({ to }, place) => [{ to, scenario: phoneScenario('SMS', to, place) }],
  CALL: ({ to, machineDetection }, place) => [
    { to, scenario: phoneScenario('CALL', to, place, machineDetection) },
  ],
  PUSH: (delivery) =>
    delivery.tokens.map(({ token, type }) => ({ to: token, scenario: pushScenario(token, type) })),
  WEB_PUSH: (delivery) =>
    delivery.subscriptions.map(({ sub }) => ({ to: sub.endpoint, scenario: webPushScenario(sub.endpoint) })),
  CHAT: ({ chatChannel, chatToken }) => {
    const { provider, incoming_webhook: webhook } = chatToken ?? {};
    const place = chatChannel ?? webhook?.channel_id;
    // Anyone with the URL of an incoming webhook can post to it: it is never shown.
    return [{ to: place ?? provider ?? '', scenario: chatScenario(place ?? webhook?.url ?? provider ?? '') }];
  },
};

/** Finds the link that an email's recipient clicks, preferably not the unsubscribe link. */
function findClickedLink({ html, headers }: EmailDelivery): TrackedLink | undefined {
  const unsubscribe = headers.find(({ name }) => name === 'List-Unsubscribe')?.value ?? '';
  const links = [...trackedLinks(html)];
  return links.find(({ link }) => !unsubscribe.includes(`<${link}>`)) ?? links[0];
}

/**
 * The sandbox provider of a channel: records exactly what a provider would receive, responds according to the
 * recipient's scenario, and sends the subsequent events a moment later.
 */
export function createSandboxProvider<C extends Channel>(
  channel: C,
  deps: SandboxDependencies,
): ChannelProvider<C> {
  const { name = 'sandbox', place } = deps;
  return {
    name,
    async deliver(delivery) {
      const targets = TARGETS[channel](delivery, place).map((target) => asTried(target, delivery.attempt));
      const outcome = withAttachments(outcomeOf(channel, delivery, targets), delivery, deps);
      await deps.record({
        channel,
        to: targets.map((target) => target.to),
        trackingId: delivery.trackingId,
        userId: delivery.userId,
        attempt: delivery.attempt,
        outcome: outcome.kind,
        ...defined({ provider: name === 'sandbox' ? undefined : name }),
        atMs: deps.clock.now(),
        message: contentOf(delivery),
      });
      if (outcome.kind === 'sent') {
        const receipts = targets.flatMap((target) => receiptsOf(channel, delivery, target, deps.clock.now()));
        if (receipts.length > 0) await deps.sendReceipts(receipts);
      }
      return outcome;
    },
  };
}

const HIDDEN = '(hidden)';
const SECRET_NAMES = new Set([
  'access_token',
  'refresh_token',
  'privateKey',
  'privateKeyPem',
  'fcmConfig',
  'Key',
  'configuration_url',
  'webhookUrl',
]);

/**
 * The data of a delivery that a provider would receive; credentials are hidden, because everybody who uses
 * the sandbox sees it.
 */
function contentOf<C extends Channel>(delivery: DeliveryByChannel[C]): SandboxMessage['message'] {
  const { timeLeftMs: _, ...content } = delivery;
  return hideSecrets(content);
}

function hideSecrets(value: unknown): unknown {
  const hide = (name: string, each: unknown) => {
    if (SECRET_NAMES.has(name) && typeof each === 'string') return HIDDEN;
    if (name === 'keys' && each instanceof Object && 'auth' in each) return { ...each, auth: HIDDEN };
    return name === 'incoming_webhook' && each instanceof Object ? { ...each, url: HIDDEN } : each;
  };
  return JSON.parse(JSON.stringify(value, hide));
}

/** A second attempt is accepted if the scenario allows it. */
function asTried<C extends Channel>({ to, scenario }: Target<C>, attempt: number): Target<C> {
  return { to, scenario: scenario.kind === 'flaky' && attempt > 1 ? scenario.second : scenario };
}

/**
 * One accepted target makes the message sent; otherwise a retry if one helps; otherwise the last rejection.
 */
function outcomeOf<C extends Channel>(
  channel: C,
  delivery: DeliveryByChannel[C],
  targets: readonly Target<C>[],
): DeliveryOutcome<C> {
  const dead = targets.filter(({ scenario }) => scenario.kind === 'reject' && scenario.isTokenDead);
  const deadTokens = dead.length > 0 ? { deadTokens: dead.map((target) => target.to) } : {};
  const accepted = targets.find(
    ({ scenario }) => scenario.kind === 'deliver' || scenario.kind === 'fail-later',
  );
  if (accepted) {
    const fields = sentFields(channel, delivery, accepted.to);
    const remaining = remainingOf(channel, targets);
    const delivered = deliveredAtOnce(channel, delivery, accepted.scenario);
    return { kind: 'sent', fields, ...delivered, ...deadTokens, ...defined({ remaining }) };
  }
  const last = targets.at(-1)?.scenario;
  if (last?.kind === 'refuse') {
    const { notAccepted } = last;
    return { kind: 'retry', code: catchAllCode(channel), internal: `sandbox: ${notAccepted}`, notAccepted };
  }
  const flaky = targets.find(({ scenario }) => scenario.kind === 'flaky')?.scenario;
  if (flaky?.kind === 'flaky') {
    const after = defined({ afterSeconds: flaky.afterSeconds });
    return { kind: 'retry', code: catchAllCode(channel), internal: flaky.internal, ...after, ...deadTokens };
  }
  const code = last?.kind === 'reject' ? last.code : catchAllCode(channel);
  return {
    kind: 'rejected',
    code,
    internal: `sandbox: ${code}`,
    ...failedToken(channel, targets),
    ...deadTokens,
  };
}

function remainingOf<C extends Channel>(
  channel: C,
  targets: readonly Target<C>[],
): RemainingTokens | undefined {
  const flaky = targets.flatMap(({ to, scenario }) => (scenario.kind === 'flaky' ? [{ to, scenario }] : []));
  if (flaky.length === 0) return undefined;
  const waits = flaky.flatMap(({ scenario }) => scenario.afterSeconds ?? []);
  return {
    tokens: flaky.map(({ to }) => to),
    fields: failedToken(channel, flaky).fields ?? {},
    ...defined({ afterSeconds: waits.length > 0 ? Math.max(...waits) : undefined }),
  };
}

/** An email that is accepted otherwise depends on its attachments. */
function withAttachments<C extends Channel>(
  outcome: DeliveryOutcome<C>,
  delivery: DeliveryByChannel[C],
  { allowedHosts }: SandboxDependencies,
): DeliveryOutcome<C> {
  if (outcome.kind !== 'sent' || !('attachments' in delivery) || delivery.attachments.length === 0)
    return outcome;
  const refused = refusedAttachments(delivery, allowedHosts());
  if (refused?.kind !== 'sent') return refused ?? outcome;
  return { ...outcome, fields: { ...outcome.fields, ...refused.fields } };
}

function failedToken(channel: Channel, targets: readonly { to: string }[]): { fields?: LogFields } {
  const to = targets.at(-1)?.to;
  if (to === undefined) return {};
  if (channel === 'PUSH') return { fields: { mobile_push_failed_token: to } };
  if (channel === 'WEB_PUSH') return { fields: { web_push_failed_token: to } };
  return channel === 'EMAIL' ? { fields: { email_failed_recipient: to } } : {};
}

const SENT_FIELDS: { [C in Channel]: (delivery: DeliveryByChannel[C], to: string) => LogFields } = {
  EMAIL: (delivery) => ({ email_sent_message_id: `${delivery.trackingId}@${'sandbox.test'}` }),
  INAPP_WEB: () => ({}),
  SMS: (delivery, to) => {
    const { encoding, segments } = countSegments(delivery.message);
    const country = countryOf(to);
    return {
      sms_sent_from: delivery.from ?? SANDBOX_NUMBER,
      sms_sent_carrier: 'Sandbox Mobile',
      sms_sent_line_type: 'mobile',
      sms_sent_encoding: encoding,
      sms_sent_segments: segments,
      sms_sent_parts: segments,
      sms_sent_cost: Math.round(79 * segments) / 1e4,
      ...defined({ sms_sent_country: country || undefined }),
      sms_sent_messageId: `sandbox-${delivery.trackingId}`,
      sms_sent_mms: delivery.mediaUrls.length > 0,
    };
  },
  CALL: (delivery) => ({ call_sent_from: delivery.from ?? SANDBOX_NUMBER }),
  PUSH: (_, to) => ({ mobile_push_sent_token: to }),
  WEB_PUSH: (_, to) => ({ web_push_sent_token: to }),
  CHAT: () => ({}),
};

function sentFields<C extends Channel>(channel: C, delivery: DeliveryByChannel[C], to: string): LogFields {
  return SENT_FIELDS[channel](delivery, to);
}

/** Chat has no receipts: the provider's acceptance is the delivery. An in-app item is there when a connection accepted it. */
function deliveredAtOnce<C extends Channel>(
  channel: C,
  delivery: { trackingId: string },
  scenario: Scenario<C>,
): { delivered?: LogFields } {
  if (channel === 'INAPP_WEB' && scenario.kind === 'deliver' && scenario.isPushed) return { delivered: {} };
  if (channel !== 'CHAT') return {};
  return { delivered: { chat_delivered_internal: JSON.stringify({ ts: delivery.trackingId }) } };
}

/**
 * The outcome of an email's attachments, which the sandbox does not fetch. As with a real provider, files that are never fetched
 * fail the email or are omitted from a digest. Undefined if there are none.
 */
function refusedAttachments(
  { attachments, isDigest }: EmailDelivery,
  allowedHosts: AllowedHosts,
): DeliveryOutcome<'EMAIL'> | undefined {
  const refused = attachments.flatMap(({ filename, url }, index) => {
    const because = reasonOf(filename, url, allowedHosts);
    return because ? [{ filename, internal: `attachment ${index + 1}: ${because}` }] : [];
  });
  const [first] = refused;
  if (!first) return undefined;
  if (isDigest) {
    const omitted = refused.map(({ filename, internal }) => `${filename} is omitted: ${internal}`);
    return { kind: 'sent', fields: omittedField(omitted) };
  }
  return { kind: 'rejected', code: 'TRANSIENT_ATTACHMENT_REJECTED_BOUNCE', internal: first.internal };
}

function reasonOf(filename: string, url: string, allowedHosts: AllowedHosts): string | undefined {
  if (isRefusedFile(filename)) return 'file type not allowed';
  const checked = checkUrl(url, allowedHosts);
  return checked.ok ? undefined : `refused ${checked.reason}`;
}
