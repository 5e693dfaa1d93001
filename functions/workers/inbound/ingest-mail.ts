import { isReport, readReport } from '../../../shared/channels/email/inbound/delivery-report.ts';
import { type InboundMail, readMail } from '../../../shared/channels/email/inbound/read-mail.ts';
import { findMailDomain } from '../../../shared/channels/email/mail-domain.ts';
import { isErasedHead } from '../../../shared/database/entities/logs/log-head.ts';
import { addressHash } from '../../../shared/database/entities/users/suppressions.ts';
import { queueWorker } from '../../../shared/http/workers/queue-worker.ts';
import { INBOUND_MAIL_QUEUE } from '../../../shared/messaging/queue-names.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { readSignedAddress } from '../../../shared/tokens/signed-address.ts';
import { readUnsubscribeToken, type Unsubscription } from '../../../shared/tokens/unsubscribe-token.ts';
import { isErasedLink, readFacts } from '../../unsubscribe/read-link.ts';
import { turnOff } from '../../unsubscribe/turn-off.ts';
import { type MailDependencies, mailDependencies } from './mail-dependencies.ts';
import { findMailNotice, type MailNotice } from './mail-notices.ts';
import { recordReport } from './record-report.ts';
import { ENDED_TOO, findHead, routeMail } from './route-mail.ts';
import { storeMail } from './store-mail.ts';

const WORKER = { worker: INBOUND_MAIL_QUEUE } as const;
const INFECTED = 'fail';

/**
 * Records received email in the logs of its recipients, and bounces and opt-outs that arrive as email. It never replies,
 * drops email that this service sent and raises no event for automatic replies, so it cannot start or sustain
 * a loop. A faulty email is not an error. An error is one of this service, and the receipt is then
 * redelivered.
 */
export const handler = queueWorker(
  { name: INBOUND_MAIL_QUEUE, read: findMailNotice, failed: 'an email was not recorded' },
  mailDependencies,
  async ({ body: notice, clock, ...deps }) => {
    if (!notice) return 'done';
    await ingest(deps, notice, clock.now());
    // The logs have the original with the rest, which goes with its person.
    await deps.blobs.delete(notice.objectName);
    return 'done';
  },
);

async function ingest(deps: MailDependencies, notice: MailNotice, receivedAtMs: number): Promise<void> {
  const { recipients, objectName } = notice;
  const raw = await deps.blobs.get(objectName);
  if (!raw) return log.info('the received email was recorded before, or has expired', WORKER);
  const mail = await readMail(raw);
  const verdicts = worstOf(mail.verdicts, notice.verdicts);
  if (verdicts.virus === INFECTED) return log.warn('an email with a virus was dropped', WORKER);
  const name = mail.fingerprint ?? objectName;
  const { isFromNobody: mayBeInWords } = notice;
  const read = () => readReport(mail, { mayBeInWords });
  if (mayBeInWords || isReport(mail)) {
    if (await recordReport(deps, read, { recipients, name, receivedAtMs })) return;
  }
  if (mail.ownMark && (await findHead(deps, mail.ownMark, receivedAtMs)))
    return log.info('an email of this service came back', WORKER);
  const isAutomatic = mail.isAutomatic || mail.hasNoSender || notice.hasNoSender || isReport(mail);
  if (!mail.hasNoSender && !mayBeInWords && !isReport(mail))
    await unsubscribeByMail(deps, { ...mail, isAutomatic }, recipients, receivedAtMs);
  const { destinations, cut } = await routeMail(deps, mail, recipients, receivedAtMs);
  if (destinations.length === 0) return log.info('an email had no recipient here', WORKER);
  const received = {
    mail,
    raw,
    name,
    objectName,
    receivedAtMs,
    verdicts,
    isAutomatic,
    cut: [...mail.cut, ...cut],
  };
  await storeMail(deps, received, destinations);
}

function worstOf(headers: Record<string, string>, receipt: Record<string, string>): Record<string, string> {
  const failed = Object.entries(headers).filter(([, verdict]) => verdict === INFECTED);
  return { ...headers, ...receipt, ...Object.fromEntries(failed) };
}

/**
 * Has the effect of one click for the signed addresses of List-Unsubscribe among the recipients of the envelope. Some mail
 * programs mark such an email as automatic: it counts with the token of the header in its subject.
 */
async function unsubscribeByMail(
  deps: MailDependencies,
  { subject = '', isAutomatic }: Pick<InboundMail, 'subject' | 'isAutomatic'>,
  recipients: readonly string[],
  atMs: number,
): Promise<void> {
  for (const recipient of recipients) {
    const address = recipient.toLowerCase();
    const trackingId = await readSignedAddress(deps.signer, 'unsubscribe-address', address, findMailDomain());
    const link = trackingId && (await findLink(deps, trackingId, { subject, isAutomatic }));
    if (!link || !(await readFacts(deps, link)).canBeOff) continue;
    const isErased = await isErasedLink(deps, link, atMs);
    await turnOff(
      deps,
      { ...link, isErased },
      { source: 'email', actor: 'person', atMs, address: link.address },
    );
  }
}

/** The log identifies the person; when it is erased or gone, the token in the subject does. */
async function findLink(
  { logs, signer }: MailDependencies,
  trackingId: string,
  { subject, isAutomatic }: { subject: string; isAutomatic: boolean },
): Promise<Unsubscription | undefined> {
  const head = await logs.findHead(trackingId, ENDED_TOO);
  const [token = ''] = /(?<![\w-])[\w-]+\.[\w-]+/.exec(subject) ?? [];
  const link = await readUnsubscribeToken(signer, token);
  const named = link?.trackingId === trackingId ? link : undefined;
  if (!head || isErasedHead(head) || (isAutomatic && !named)) return named;
  const { accountId, environmentId, userId, notificationId, subNotificationId = '', email } = head;
  return {
    ...{ accountId, environmentId, userId, notificationId, subNotificationId, trackingId },
    channel: 'EMAIL',
    address: email === undefined ? undefined : await addressHash(signer, accountId, email),
  };
}
