import { createHash } from 'node:crypto';
import type { DeliveryOutcome, EmailDelivery } from '../../../shared/channels/channel.ts';
import { domainOf } from '../../../shared/channels/email/address.ts';
import { marketingProblem } from '../../../shared/channels/email/content/marketing-email.ts';
import { plainTextOf, withPreviewText } from '../../../shared/channels/email/content/plain-text.ts';
import { signer } from '../../../shared/database/entities/access/deployment-secret.ts';
import type { StoredType } from '../../../shared/database/entities/content/notification-types.ts';
import type { StoredLogHead } from '../../../shared/database/entities/logs/log-head.ts';
import { sendingContexts } from '../../../shared/database/entities/sending/sending-context.ts';
import { addresses } from '../../../shared/database/entities/settings/addresses.ts';
import { domains } from '../../../shared/database/entities/settings/domains.ts';
import { isConsented, preferenceFor } from '../../../shared/database/entities/users/preferences.ts';
import { suppressions } from '../../../shared/database/entities/users/suppressions.ts';
import { users } from '../../../shared/database/entities/users/users.ts';
import { mayBeOff } from '../../../shared/domain/timing/delivery-options.ts';
import { EMAIL_RETRY_HOURS } from '../../../shared/domain/timing/retry.ts';
import { mailboxOf } from '../../../shared/domain/users/mailbox.ts';
import { isOptedOut, type OptOuts } from '../../../shared/domain/users/opt-outs.ts';
import { answerableEmail } from '../../../shared/providers/email/answerable-email.ts';
import { attachmentClient } from '../../../shared/providers/email/attachment-client.ts';
import { findEmailSender } from '../../../shared/providers/email/email-sender.ts';
import { bounceStatus } from '../../../shared/receipts/bounce-status.ts';
import { suppressAddresses } from '../../../shared/receipts/receipts.ts';
import type { Rendered } from '../../../shared/rendering/content.ts';
import { findUnmetCondition } from '../../../shared/rendering/liquid/condition.ts';
import { loggedOf } from '../../../shared/rendering/preview.ts';
import { choiceSetting } from '../../../shared/runtime/config.ts';
import type { Resolved } from '../../../shared/runtime/dependency.ts';
import { defined } from '../../../shared/runtime/values/defined.ts';
import { HOUR_MS } from '../../../shared/runtime/values/durations.ts';
import { addressIn } from '../../../shared/schemas/fields/text.ts';
import type { FailureCode } from '../../../shared/schemas/logs/failure-codes.ts';
import type { SendRequest } from '../../../shared/schemas/sending/send-request.ts';
import { deliveryBase } from './base.ts';
import type { Build, BuildContext, Built } from './content/built.ts';
import { contentDependencies, loadContent } from './content/content.ts';
import { deliverer } from './deliver.ts';

const dependencies = {
  ...contentDependencies,
  addresses,
  attachmentClient,
  domains,
  sendingContexts,
  signer,
  suppressions,
  users,
};

type Deps = Resolved<typeof dependencies>;

const build: Build<'EMAIL', Deps> = async (deps, context) => {
  const { head, user } = context;
  if (!user.email) return rejected('MISSING_EMAIL_RECIPIENT', 'the user has no email address');
  const stop =
    (await findSuppression(deps, context, user.email)) ?? (await withheldByCondition(deps, context));
  if (stop) return stop;
  const { rendered, template, type, unsubscribeUrl } = await loadContent(deps, 'EMAIL', context);
  // The address is not at fault, so no bounce code applies.
  if (!rendered.ok) return rejected('MISSING_EMAIL_HTML', rendered.problem);
  const { content } = rendered;
  const missing = findMissingPart(content);
  if (missing) return missing;
  const unlawful = type?.purpose === 'marketing' && (await findUnlawful(deps, head, content, unsubscribeUrl));
  // The closed list has no code for it.
  if (unlawful) return rejected('MISSING_EMAIL_HTML', unlawful);
  const options = head.request.options?.email;
  const settings = { ...type?.options?.email, ...options };
  const sources = { options, content, template };
  const sender = await findEmailSender(deps, head.accountId, sources);
  if (sender.kind === 'rejected') return sender;
  const copies = await findCopies(deps, head, user.email);
  return {
    kind: 'ready',
    ...loggedOf('EMAIL', rendered),
    notes: [...rendered.notes, ...copies.notes],
    enter: () => enterFetches(deps, head),
    triedForMs: (settings.retryHours ?? EMAIL_RETRY_HOURS) * HOUR_MS,
    settled: (outcome) => suppressRejected(deps, context, outcome),
    delivery: {
      ...deliveryBase(context),
      to: user.email,
      from: sender.from,
      ...messageOf(head, content, { ...settings, unsubscribeUrl, from: sender.from.address }),
      ...copies.addresses,
      tracking: await findTracking(deps, head, type),
      ...defined({ dkim: sender.dkim }),
    },
  };
};

async function findUnlawful(
  { accounts }: Deps,
  { accountId }: StoredLogHead,
  { html }: Rendered['EMAIL'],
  unsubscribeUrl: string | undefined,
): Promise<string | undefined> {
  const { postalAddress } = (await accounts.findRecent(accountId)) ?? {};
  return marketingProblem(html, { unsubscribeUrl, postalAddress });
}

/** By default as the deployment has it, except where the recipient cannot turn the type off. The preferences are read only where it needs a consent. */
async function findTracking(
  { accounts, sendingContexts }: Deps,
  head: StoredLogHead,
  type: StoredType | undefined,
) {
  const asked = head.request.options?.email?.tracking;
  const isOn = choiceSetting('EMAIL_TRACKING') === 'on' && mayBeOff(type, 'EMAIL');
  const { opens = isOn, clicks = isOn } = { ...type?.options?.email?.tracking, ...asked };
  const account = opens || clicks ? await accounts.findRecent(head.accountId) : undefined;
  if (!account?.trackingNeedsConsent) return { opens, clicks };
  const { preferences } = await sendingContexts.read(head);
  const isAllowed = isConsented(preferences, head, type?.purpose, 'EMAIL');
  return { opens: opens && isAllowed, clicks: clicks && isAllowed };
}

/** Reserves a place for the account's attachments, which are fetched after the turn. */
function enterFetches({ attachmentClient }: Deps, { accountId, request, digest }: StoredLogHead) {
  const urls = (request.options?.email?.attachments ?? []).map(({ url }) => url);
  // A digest is sent without the attachments that cannot be fetched.
  if (!digest && attachmentClient.rests(accountId, urls)) return { kind: 'idle' } as const;
  return attachmentClient.enter(accountId, urls);
}

function rejected(code: FailureCode<'EMAIL'>, internal: string): Built<'EMAIL'> {
  return { kind: 'rejected', code, internal };
}

/** An email whose condition is unmet or unreadable is withheld. */
async function withheldByCondition(
  deps: Deps,
  { head, user, nowMs }: BuildContext,
): Promise<Built<'EMAIL'> | undefined> {
  const account = await deps.accounts.findRecent(head.accountId);
  const unmet = findUnmetCondition(head.request, user, account, nowMs);
  return (
    unmet && {
      kind: 'withheld',
      fields: {
        email_routing: 'IGNORE',
        email_routing_reason: 'CONDITION',
        email_failed_internal: unmet.because,
      },
    }
  );
}

function findMissingPart(content: Rendered['EMAIL']): Built<'EMAIL'> | undefined {
  if (!content.html.trim()) return rejected('MISSING_EMAIL_HTML', 'the rendered html is empty');
  if (!content.subject.trim()) return rejected('MISSING_EMAIL_SUBJECT', 'the rendered subject is empty');
  return undefined;
}

/** The copies, each mailbox once, without those whose address is suppressed. */
async function findCopies(
  { suppressions }: Deps,
  { accountId, request: { options } }: StoredLogHead,
  to: string,
): Promise<{ addresses: Pick<EmailDelivery, 'ccAddresses' | 'bccAddresses'>; notes: string[] }> {
  const { ccAddresses = [], bccAddresses = [] } = options?.email ?? {};
  const known = new Set([mailboxOf(to)]);
  const unique = [...ccAddresses, ...bccAddresses].filter((each) => {
    const mailbox = mailboxOf(addressIn(each));
    return !known.has(mailbox) && known.add(mailbox);
  });
  const found = unique.length > 0 ? await suppressions.findAll(accountId, unique.map(addressIn)) : [];
  const isSent = (each: string) => unique.includes(each) && !found[unique.indexOf(each)];
  const isRepeated = (each: string) => ccAddresses.includes(each);
  return {
    addresses: {
      ccAddresses: [...new Set(ccAddresses)].filter(isSent),
      bccAddresses: [...new Set(bccAddresses)].filter((each) => isSent(each) && !isRepeated(each)),
    },
    notes: unique.flatMap((each, index) =>
      found[index] ? [`the copy to ${addressIn(each)} is not sent: the address is suppressed`] : [],
    ),
  };
}

/** The message itself, without its sender and recipient. */
function messageOf(
  head: StoredLogHead,
  content: Rendered['EMAIL'],
  {
    unsubscribeUrl,
    thread,
    headers = {},
    from,
  }: Pick<EmailOptions, 'thread' | 'headers'> & { unsubscribeUrl: string | undefined; from: string },
) {
  const options = head.request.options?.email;
  return {
    expiresAtSeconds: head.expiresAtSeconds,
    subject: content.subject,
    html: content.previewText ? withPreviewText(content.html, content.previewText) : content.html,
    text: content.text ?? plainTextOf(content.html),
    replyToAddresses: options?.replyToAddresses ?? [],
    attachments: options?.attachments ?? [],
    ...defined({ isDigest: head.digest ? true : undefined }),
    headers: [
      ...(unsubscribeUrl
        ? [
            { name: 'List-Unsubscribe', value: `<${unsubscribeUrl}>` },
            { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
          ]
        : []),
      ...(thread
        ? ['In-Reply-To', 'References'].map((name) => ({ name, value: rootOf(head, thread, from) }))
        : []),
      ...Object.entries(headers).map(([name, value]) => ({ name, value })),
    ],
  };
}

type EmailOptions = NonNullable<NonNullable<SendRequest['options']>['email']>;

/** The message that all emails of a thread reply to, which nobody has: the same for each, without a read. */
function rootOf({ environmentId, userId }: StoredLogHead, thread: string, from: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([environmentId, userId, thread]))
    .digest('hex');
  return `<thread.${hash.slice(0, 32)}@${domainOf(from)}>`;
}

/**
 * The address decides, even if another user had it when it was suppressed. The mark is copied to the user, so that the next send
 * has it without a read.
 */
async function findSuppression(
  deps: Deps,
  { head, user: { emailSuppressionStatus }, nowMs }: BuildContext,
  email: string,
): Promise<Built<'EMAIL'> | undefined> {
  const { status: record, optOuts } = await deps.suppressions.read(head.accountId, email);
  const status = record ?? emailSuppressionStatus;
  if (!status) return withheldByOptOut(deps, head, optOuts);
  if (!record) await deps.suppressions.adopt(head.accountId, email, status);
  if (!emailSuppressionStatus) {
    await deps.users.edit(head, head.userId, nowMs, (profile) =>
      profile.email === email ? { ...profile, emailSuppressionStatus: status } : undefined,
    );
  }
  const code = status.reason === 'Complaint' ? 'SUPPRESSED_COMPLAINT' : 'SUPPRESSED_BOUNCE';
  return rejected(code, 'the address is suppressed in this account');
}

/** The type and the preferences are read only for an address that opted out of something. */
async function withheldByOptOut(
  { sendingContexts }: Deps,
  head: StoredLogHead,
  optOuts: OptOuts,
): Promise<Built<'EMAIL'> | undefined> {
  if (Object.keys(optOuts).length === 0) return undefined;
  const { type, preferences } = await sendingContexts.read(head);
  if (!mayBeOff(type, 'EMAIL')) return undefined;
  const chosen = preferenceFor(preferences, head.notificationId, head.subNotificationId, 'EMAIL');
  if (!isOptedOut(optOuts, head, type?.purpose, chosen)) return undefined;
  const email_failed_internal = 'EMAIL is not sent: the address opted out.';
  const fields = { email_routing: 'IGNORE', email_routing_reason: 'IGNORE_BY_PREFERENCES' } as const;
  return { kind: 'withheld', fields: { ...fields, email_failed_internal } };
}

/** As a hard bounce does: the server said in the conversation that there is no such mailbox. */
async function suppressRejected(
  deps: Deps,
  { head, nowMs }: BuildContext,
  outcome: DeliveryOutcome<'EMAIL'>,
): Promise<void> {
  if (outcome.kind !== 'rejected' || !outcome.suppresses) return;
  const { code, fields } = outcome;
  const suppress = bounceStatus({ code, diagnosticCode: fields?.email_failed_diagnostic_code }, nowMs);
  await suppressAddresses(deps, head, { suppress, atMs: nowMs }, nowMs);
}

export const handler = deliverer('EMAIL', answerableEmail, dependencies, build);
