import { blobs } from '../../../shared/blobs/blobs.ts';
import { findDeliveryReport } from '../../../shared/channels/email/delivery-report.ts';
import { readMail } from '../../../shared/channels/email/read-mail.ts';
import { clock, resolve } from '../../../shared/runtime/dependency.ts';
import { log } from '../../../shared/runtime/logger.ts';
import { type MailNotice, mailNoticesOf } from './mail-notices.ts';
import { findHeadOf, routeMail } from './route-mail.ts';
import { storeMail } from './store-mail.ts';
import { takeReport } from './take-report.ts';

const WORKER = { worker: 'ingest-mail' } as const;
const INFECTED = 'fail';

/**
 * Takes mail that was stored into the logs, and bounces that come as mail. No mail is ever answered, mail of our own is
 * not taken and automatic replies raise no event, so that nothing of ours can start or feed a loop. What is
 * wrong with a mail is no error; an error is one of ours, and the event then comes again, which stores nothing twice.
 */
export async function handler(event: { Records?: readonly unknown[] }): Promise<void> {
  const outcomes = await Promise.allSettled(mailNoticesOf(event).map(ingest));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

async function ingest(notice: MailNotice): Promise<void> {
  const raw = await resolve(blobs).get(notice.objectName);
  if (!raw) return log.warn('the mail is not there any more', WORKER);
  const mail = await readMail(raw);
  const verdicts = worstOf(mail.verdicts, notice.verdicts);
  if (verdicts.virus === INFECTED) return log.warn('a mail with a virus was dropped', WORKER);
  const receivedAtMs = resolve(clock).now();
  const recipients = notice.recipients ?? mail.recipients;
  const name = mail.fingerprint ?? notice.objectName;
  const report = findDeliveryReport(mail);
  if (report && (await takeReport(report, { recipients, name, receivedAtMs }))) return;
  if (mail.ownMark && (await findHeadOf(mail.ownMark, receivedAtMs)))
    return log.info('a mail of our own came back', WORKER);
  const destinations = await routeMail(mail, recipients, receivedAtMs);
  if (destinations.length === 0) return log.info('a mail was for nobody', WORKER);
  const received = { mail, name, receivedAtMs, verdicts };
  for (const destination of destinations) await storeMail(received, destination);
}

function worstOf(headers: Record<string, string>, receipt: Record<string, string>): Record<string, string> {
  const failed = Object.entries(headers).filter(([, verdict]) => verdict === INFECTED);
  return { ...headers, ...receipt, ...Object.fromEntries(failed) };
}
