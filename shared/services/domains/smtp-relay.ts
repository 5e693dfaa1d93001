import { createHmac } from 'node:crypto';
import type { Secrets } from '../../providers/settings/secrets.ts';
import { findSetting, setting } from '../../runtime/config.ts';

/** The SMTP server through which projects of the backend platform send. */
export type SmtpRelay = { host: string; port: string; user: string; password: string };

/**
 * The relay of this deployment; undefined if it has none. `BACKEND_SMTP_USER` and `BACKEND_SMTP_PASSWORD` are
 * used unchanged; otherwise the key pair `BACKEND_SMTP_ACCESS_KEY_ID` and `BACKEND_SMTP_SECRET_ACCESS_KEY` of
 * an IAM user that may send through SES. `BACKEND_SMTP_HOST` and `BACKEND_SMTP_PORT` default to SES of the
 * region, port 587.
 */
export async function findSmtpRelay(secrets: Secrets): Promise<SmtpRelay | undefined> {
  const region = findSetting('AWS_REGION');
  const host = findSetting('BACKEND_SMTP_HOST') ?? (region && `email-smtp.${region}.amazonaws.com`);
  if (!host) return undefined;
  const port = setting('BACKEND_SMTP_PORT');
  const [user, password] = await Promise.all([
    secrets.find('BACKEND_SMTP_USER'),
    secrets.find('BACKEND_SMTP_PASSWORD'),
  ]);
  if (user && password) return { host, port, user, password };
  const [keyId, secretKey] = await Promise.all([
    secrets.find('BACKEND_SMTP_ACCESS_KEY_ID'),
    secrets.find('BACKEND_SMTP_SECRET_ACCESS_KEY'),
  ]);
  if (!keyId || !secretKey || !region) return undefined;
  return { host, port, user: keyId, password: sesSmtpPassword(secretKey, region) };
}

/** SES's SMTP password of an IAM secret key in a region (SES developer guide, "SMTP credentials"). */
export function sesSmtpPassword(secretKey: string, region: string): string {
  const steps = ['11111111', region, 'ses', 'aws4_request', 'SendRawEmail'];
  const mac = steps.reduce<Buffer>(
    (key, text) => createHmac('sha256', key).update(text).digest(),
    Buffer.from(`AWS4${secretKey}`),
  );
  return Buffer.concat([Buffer.from([0x04]), mac]).toString('base64');
}
