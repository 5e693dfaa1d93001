import { randomUUID } from 'node:crypto';
import { handler } from '../../../../functions/workers/inbound/ingest-mail.ts';
import type { TestApp } from '../../../support/app.ts';
import { deliver } from '../../../support/workers.ts';

type Verdicts = Record<string, { status: string }>;

/** The SNS message of SES's S3 action about a stored email. */
export function receiptBody(
  messageId: string,
  recipients: readonly string[],
  verdicts: Verdicts = {},
  source = 'ada@example.com',
): string {
  const pass = { status: 'PASS' };
  const Message = JSON.stringify({
    notificationType: 'Received',
    mail: { messageId, source, destination: recipients, headersTruncated: false },
    receipt: {
      recipients,
      ...{ spamVerdict: pass, virusVerdict: pass, spfVerdict: pass, dkimVerdict: pass, ...verdicts },
      action: { type: 'S3', bucketName: 'blobs', objectKey: `inbound/${messageId}` },
    },
  });
  return JSON.stringify({ Type: 'Notification', MessageId: randomUUID(), Message });
}

/** Gives the bodies to the worker as one batch, and fails when it wants one of them again. */
export async function ingest(...bodies: string[]): Promise<void> {
  const again = await deliver(handler, ...bodies);
  if (again.length > 0) throw new Error('the worker wants an email again');
}

/** Stores an email as SES does. */
export function storeMail(app: TestApp, raw: string | Uint8Array): string {
  const messageId = randomUUID();
  app.blobs.set(`inbound/${messageId}`, Buffer.from(raw as Uint8Array));
  return messageId;
}

/** Stores an email for these recipients and this sender of its envelope and has the worker take it. */
export function receiveMail(
  app: TestApp,
  raw: string | Uint8Array,
  recipients: readonly string[],
  verdicts?: Verdicts,
  source?: string,
): Promise<void> {
  return ingest(receiptBody(storeMail(app, raw), recipients, verdicts, source));
}
