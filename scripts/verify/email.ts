import type { Deployed } from './deployed.ts';
import { failed, notConfigured, type Row, works } from './rows.ts';
import { type Log, type Service, withheldReason } from './service.ts';

type Expected = { address: string; event: string; isDone: (log: Log) => boolean };

const isOver = (log: Log) => log.email_failed_at !== undefined || withheldReason(log, 'email') !== undefined;
const OUT_OF_OFFICE = 'out of the office';
const isNoted = (log: Log) =>
  (log.email_delivered_at !== undefined && log.email_delivered_internal !== undefined) ||
  withheldReason(log, 'email') !== undefined;
const at = (name: string) => `${name}@simulator.amazonses.com`;

/** Addresses of SES's mailbox simulator, which count towards no rate of the account, and what each must cause. */
function expectedOf({ settings }: Deployed, hasDeliveries: boolean): Expected[] {
  const isOfSes = settings.EMAIL_PROVIDER.split(',')[0] === 'ses';
  const success = hasDeliveries && isOfSes ? 'delivered' : 'sent';
  const failures = [
    ['bounce', 'bounced'],
    ['complaint', 'complained'],
    ['suppressionlist', 'is suppressed'],
  ] as const;
  return [
    {
      address: at('success'),
      event: success,
      isDone: (log) => log[`email_${success}_at`] !== undefined || isOver(log),
    },
    // SES reports an absence after the delivery as a bounce, which is no failure.
    ...(isOfSes && hasDeliveries ? [{ address: at('ooto'), event: OUT_OF_OFFICE, isDone: isNoted }] : []),
    // Only SES has the simulator's other answers.
    ...(isOfSes ? failures : []).map(([name, event]) => ({ address: at(name), event, isDone: isOver })),
  ];
}

/** Sends to each address of the simulator and waits for its receipt. */
export async function verifyEmail(service: Service, deployed: Deployed): Promise<Row[]> {
  if (!deployed.channels.includes('EMAIL'))
    return [notConfigured('email', 'EMAIL is not one of the channels.')];
  const { EMAIL_RECEIPTS: receipts } = deployed.settings;
  return Promise.all(
    expectedOf(deployed, receipts !== 'failures').map((each) => verifyAddress(service, each)),
  );
}

async function verifyAddress(service: Service, { address, event, isDone }: Expected): Promise<Row> {
  const part = `email: ${event}`;
  const trackingId = await service.send({
    type: 'verification-email',
    to: { id: address, email: address },
    email: { subject: 'Verification', html: '<p>Verification</p>' },
  });
  const log = await service.logged(trackingId, isDone);
  const { email_failed_code: code, email_sent_at: sentAt } = log;
  if (code === 'UNVERIFIED_SENDER')
    return failed(
      part,
      'No sender is verified.',
      'Verify a sender domain: docs/deploy.md, "Send real email".',
    );
  const withheld = withheldReason(log, 'email');
  if (withheld) return failed(part, `It was not sent: ${withheld}.`, `npm run logs -- ${trackingId}`);
  const hasFailed = log.email_failed_at !== undefined;
  const isExpected =
    event === 'sent' || event === 'delivered' || event === OUT_OF_OFFICE
      ? !hasFailed && isDone(log)
      : hasFailed && sentAt !== undefined;
  if (isExpected) return works(part, `${address}${code === undefined ? '' : `: ${String(code)}`}`);
  if (hasFailed)
    return failed(part, `${address}: ${String(code)}.`, 'docs/concepts/delivery-log.md has each code.');
  return sentAt === undefined
    ? failed(
        part,
        `The email to ${address} was not sent in time.`,
        'docs/runbook.md, section oldest-message.',
      )
    : failed(
        part,
        `SES has reported nothing about ${address}.`,
        'Check that the configuration set has its event destination, and the topic its subscription.',
      );
}
