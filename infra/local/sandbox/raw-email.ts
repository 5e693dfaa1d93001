import { createTransport } from 'nodemailer';
import type { EmailDelivery } from '../../../shared/channels/channel.ts';
import { buildMessage } from '../../../shared/channels/email/smtp.ts';

/** Writes an email as a mail server would receive it. Attachments are not fetched; a header names each. */
export async function rawEmail(delivery: EmailDelivery): Promise<string> {
  const named = (delivery.attachments ?? []).map(({ filename }) => ({
    name: 'X-Attachment-Not-Fetched',
    value: filename,
  }));
  const message = buildMessage({ ...delivery, headers: [...delivery.headers, ...named] }, []);
  const { message: bytes } = await createTransport({ streamTransport: true, buffer: true }).sendMail(message);
  return bytes.toString();
}
