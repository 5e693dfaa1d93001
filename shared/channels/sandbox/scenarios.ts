import { defined } from '../../runtime/values/defined.ts';
import type { Channel } from '../../schemas/channel.ts';
import { FAILURE_CODES, type FailureCode } from '../../schemas/logs/failure-codes.ts';
import type { LogFields } from '../../schemas/logs/log-record.ts';
import type { Stage } from '../../schemas/logs/stage.ts';
import type { TrackedLink } from '../email/content/tracked-html.ts';
import type { NotAccepted } from '../failure/not-accepted.ts';
import type { ReceiptMessage } from '../receipt.ts';

/** How the sandbox delivers a message, by its recipient (docs/sandbox.md). */
export type Scenario<C extends Channel = Channel> =
  | Delivered
  /** The provider rejects it immediately. */
  | { kind: 'reject'; code: FailureCode<C>; isTokenDead?: boolean }
  /** Accepted first, then rejected by a later event. */
  | { kind: 'fail-later'; code: FailureCode<C>; suppress?: 'Bounce' | 'Complaint' }
  /** The provider certainly has not accepted it: the next one in the order gets it. */
  | { kind: 'refuse'; notAccepted: NotAccepted }
  | Flaky;

/** The place of a sandbox in an order of several: its name, and its position from 1. */
export type SandboxPlace = { name: string; position: number };

/** Accepted. `isPushed`: an in-app item reached an open connection, which is reported immediately. */
type Delivered = { kind: 'deliver'; receipts: SandboxReceipt[]; isPushed?: boolean };

/** The first attempt fails temporarily; the second has the outcome `second`. */
type Flaky = { kind: 'flaky'; internal: string; afterSeconds?: number; second: Delivered };

/** An event that follows a message, as from a provider. */
type SandboxReceipt = {
  stage: Stage;
  afterMs: number;
  fields: LogFields;
  transientBounce?: ReceiptMessage['transientBounce'];
};

const RATE_LIMITED = { kind: 'flaky', internal: 'sandbox: 429 too many requests', afterSeconds: 1 } as const;
const TIMED_OUT = { kind: 'flaky', internal: 'sandbox: no response in time' } as const;
const deliveredWith = (...receipts: SandboxReceipt[]): Delivered => ({ kind: 'deliver', receipts });
const DELIVERED = (fields: LogFields): SandboxReceipt => ({ stage: 'delivered', afterMs: 300, fields });

/** `PERMANENT_NO_EMAIL_BOUNCE` -> `permanent-no-email-bounce` */
const slugOf = (code: string) => code.toLowerCase().replaceAll('_', '-');

export const SANDBOX_DOMAIN = 'sandbox.test';

const AT_ONCE = new Set<FailureCode<'EMAIL'>>([
  'UNVERIFIED_SENDER',
  'SUPPRESSED_BOUNCE',
  'SUPPRESSED_COMPLAINT',
]);

/** Names of certain refusals in email addresses. */
export const REFUSALS = [
  'unreachable',
  'busy',
  'unavailable',
  'account',
  'sender',
] as const satisfies NotAccepted[];

/**
 * Email: `<scenario>@sandbox.test`, a `+tag` allowed; every other address is delivered. `<scenario>.<name>` applies to the
 * entry of that name in the order only. `findClickedLink` finds the link that is clicked.
 */
export function emailScenario(
  to: string,
  findClickedLink: () => TrackedLink | undefined = () => undefined,
  place?: SandboxPlace,
): Scenario<'EMAIL'> {
  const delivered = DELIVERED({ email_delivered_recipients: to });
  const [local = '', domain] = to.toLowerCase().split('@');
  const [scenario = '', only] = domain === SANDBOX_DOMAIN ? (local.split('+')[0] ?? '').split('.') : [];
  const name = only === undefined || only === place?.name ? scenario : 'delivered';
  const notAccepted = REFUSALS.find((each) => each === name);
  if (notAccepted) return { kind: 'refuse', notAccepted };
  const opened: SandboxReceipt = {
    stage: 'opened',
    afterMs: 600,
    fields: { email_opened_user_agent: 'Sandbox Mail/1.0', email_opened_ip: '192.0.2.1' },
  };
  if (name === 'opened') return deliveredWith(delivered, opened);
  if (name === 'clicked') return deliveredWith(delivered, opened, clickOn(findClickedLink()));
  if (name === 'ooto') return deliveredWith(delivered, absence(to));
  if (name === 'no-receipt') return deliveredWith();
  if (name === 'provider-error') return { kind: 'reject', code: 'UNDETERMINED_BOUNCE' };
  const flaky = flakyScenario(name, deliveredWith(delivered));
  if (flaky) return flaky;
  const code = FAILURE_CODES.EMAIL.find((each) => slugOf(each) === name);
  if (!code) return deliveredWith(delivered);
  if (AT_ONCE.has(code) || code.startsWith('MISSING_')) return { kind: 'reject', code };
  const suppress = suppressionOf(code);
  return { kind: 'fail-later', code, ...defined({ suppress }) };
}

/** SES reports an out-of-office note as a bounce. */
function absence(to: string): SandboxReceipt {
  const said = { bounceType: 'Transient', bounceSubType: 'General' };
  return {
    stage: 'failed',
    afterMs: 600,
    fields: {
      email_failed_code: 'TRANSIENT_GENERAL_BOUNCE',
      email_failed_recipient: to,
      email_failed_internal: JSON.stringify(said),
    },
    transientBounce: { reason: 'Bounce', details: said },
  };
}

function clickOn({ link, tags }: TrackedLink = { link: 'https://example.com/', tags: {} }): SandboxReceipt {
  return {
    stage: 'clicked',
    // Sooner, it would count as a machine.
    afterMs: 3000,
    fields: {
      email_clicked_link: link,
      email_clicked_link_tags: JSON.stringify(tags),
      email_clicked_user_agent: 'Sandbox Mail/1.0',
      email_clicked_ip: '192.0.2.1',
    },
  };
}

function suppressionOf(code: FailureCode<'EMAIL'>): 'Bounce' | 'Complaint' | undefined {
  if (code.startsWith('COMPLAINT_')) return code === 'COMPLAINT_NOT_SPAM' ? undefined : 'Complaint';
  return code.startsWith('PERMANENT_') ? 'Bounce' : undefined;
}

/** `rate-limited` and `timeout` fail the first attempt and succeed on the second. */
function flakyScenario(name: string, second: Delivered): Flaky | undefined {
  if (name === 'rate-limited') return { ...RATE_LIMITED, second };
  return name === 'timeout' ? { ...TIMED_OUT, second } : undefined;
}

/**
 * Numbers `+1 500 555 xxxx` name phone scenarios by their last four digits; with 556, 557 or 558, they apply to the first,
 * second or third entry of the order only.
 */
const PHONE = /^\+150055([5-8])(\d{4})$/;
const PHONE_REFUSALS: Record<string, NotAccepted> = { '0503': 'unavailable', '0401': 'account' };
const LATER_CODES = new Set<string>(['30005', '30006', '30007', '30008', '30453', '40002']);
/** A machine answers: reported only where it was asked for. */
const MACHINE = '0485';
const CALL_ENDINGS = { '0486': 'BUSY', '0480': 'NO_ANSWER', '0487': 'UNKNOWN' } as const;
const FLAKY_NUMBERS: Record<string, string> = { '0429': 'rate-limited', '0504': 'timeout' };

/** SMS and CALL: the last four digits of `PHONE` are a failure code or a special value. */
export function phoneScenario(
  channel: 'SMS' | 'CALL',
  to: string,
  place?: SandboxPlace,
  machineDetection?: boolean,
): Scenario<'SMS' | 'CALL'> {
  const [, which, named = ''] = PHONE.exec(to) ?? [];
  const digits = which === '5' || Number(which) - 5 === place?.position ? named : '';
  const notAccepted = PHONE_REFUSALS[digits];
  if (notAccepted) return { kind: 'refuse', notAccepted };
  const delivered = channel === 'SMS' ? TEXT_DELIVERED : callEnding(digits, machineDetection);
  const flaky = flakyScenario(FLAKY_NUMBERS[digits] ?? '', delivered);
  if (flaky) return flaky;
  if (digits === '0500') return { kind: 'reject', code: 'Unknown' };
  if (digits === '0202') return deliveredWith();
  const code = FAILURE_CODES.SMS.find((each) => /^\d{5}$/.test(each) && each.slice(1) === digits);
  if (code) return LATER_CODES.has(code) ? { kind: 'fail-later', code } : { kind: 'reject', code };
  return delivered;
}

const TEXT_DELIVERED = deliveredWith(DELIVERED({ sms_delivered_cost_internal: 0.0079 }));

function callEnding(digits: string, machineDetection = false): Delivered {
  const ending = Object.entries(CALL_ENDINGS).find(([each]) => each === digits)?.[1] ?? 'COMPLETED';
  const cost = ending === 'COMPLETED' ? 0.013 : 0;
  return deliveredWith(
    DELIVERED({
      call_delivered_code: ending,
      ...(machineDetection ? { call_answered_by: digits === MACHINE ? 'machine' : 'human' } : {}),
      call_delivered_cost: cost,
      call_delivered_cost_internal: cost,
    }),
  );
}

/** PUSH: a token `sandbox-<scenario>`; every other token is accepted. */
export function pushScenario(token: string, type: 'FCM' | 'APN'): Scenario<'PUSH'> {
  // A token belongs to one user: the suffix after a colon distinguishes the tokens of several users.
  const [scenario = ''] = token.split(':');
  const name = scenario.startsWith('sandbox-') ? scenario.slice('sandbox-'.length) : '';
  const flaky = flakyScenario(name, deliveredWith(DELIVERED({})));
  if (flaky) return flaky;
  const invalid = type === 'FCM' ? 'INVALID_FCM_TOKEN' : 'INVALID_APN_TOKEN';
  if (name === 'invalid' || name === 'expired') return { kind: 'reject', code: invalid, isTokenDead: true };
  if (name === 'no-config')
    return { kind: 'reject', code: type === 'FCM' ? 'NO_FCM_CONFIG' : 'NO_APN_CONFIG' };
  if (name === 'provider-error') return { kind: 'reject', code: 'UNKNOWN' };
  return deliveredWith(...(name === 'no-receipt' ? [] : [DELIVERED({})]));
}

/** WEB_PUSH: an endpoint `https://<any host>/sandbox-<scenario>`; every other endpoint is accepted. */
export function webPushScenario(endpoint: string): Scenario<'WEB_PUSH'> {
  const name = /\/sandbox-([a-z-]+)$/.exec(endpoint)?.[1] ?? '';
  const delivered = DELIVERED({ web_push_delivered_token: endpoint });
  const flaky = flakyScenario(name, deliveredWith(delivered));
  if (flaky) return flaky;
  if (name === 'expired') return { kind: 'reject', code: 'UNSUBSCIRBED_OR_EXPIRED', isTokenDead: true };
  if (name === 'provider-error') return { kind: 'reject', code: 'UNKNOWN' };
  return deliveredWith(...(name === 'no-receipt' ? [] : [delivered]));
}

/**
 * CHAT: a channel `#sandbox-<failure code in lower case with dashes>`; every other destination is accepted.
 */
export function chatScenario(destination: string): Scenario<'CHAT'> {
  const name = /^#?sandbox-([a-z-]+)$/.exec(destination)?.[1] ?? '';
  const flaky = flakyScenario(name, deliveredWith());
  if (flaky) return flaky;
  if (name === 'provider-error') return { kind: 'reject', code: 'UNKNOWN' };
  const code = FAILURE_CODES.CHAT.find((each) => slugOf(each) === name);
  return code ? { kind: 'reject', code } : deliveredWith();
}

/**
 * INAPP_WEB: a user ID `sandbox-<scenario>`; every other user has an open connection that accepts the item.
 */
export function inappScenario(userId: string): Scenario<'INAPP_WEB'> {
  const name = userId.startsWith('sandbox-') ? userId.slice('sandbox-'.length) : '';
  const delivered: Delivered = { ...deliveredWith(), isPushed: true };
  const flaky = flakyScenario(name, delivered);
  if (flaky) return flaky;
  if (name === 'in-app-web-failed') return { kind: 'reject', code: 'IN_APP_WEB_FAILED' };
  if (name === 'provider-error') return { kind: 'reject', code: 'UNKNOWN' };
  return name === 'no-receipt' ? deliveredWith() : delivered;
}
