import { styleText } from 'node:util';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { coloured } from '../../terminal.ts';
import { offsetText } from '../clock/local-clock.ts';
import type { LocalAccount } from './first-run.ts';

/** Returns the text that `npm start` prints once the service responds. */
export function introduction(
  baseUrl: string,
  account: Omit<LocalAccount, 'isNew'>,
  clock: { nowMs: number; offsetMs: number },
): string {
  const authorization = `-H "Authorization: Bearer ${account.secretKey}"`;
  const offset = offsetText(clock.offsetMs);
  return `
Studio  ${baseUrl}/
Guide   ${baseUrl}/guide
Docs    ${baseUrl}/docs

The service is ready at ${baseUrl}
${offset === '' ? '' : coloured('waiting', `\nIts clock shows ${isoOf(clock.nowMs)}, ${offset} real time.\n`)}
  secret key   ${account.secretKey}
  public key   ${account.publicKey}
  environment  ${account.environmentId}

Send an email:
  curl -s ${baseUrl}/send ${authorization} -d '{"type":"hello","to":{"id":"ada","email":"ada@example.com"},"email":{"subject":"Hello {{ user.id }}","html":"<p>It works.</p>"}}'

Read the last logs:
  curl -s ${baseUrl}/logs/tail ${authorization}

See what the sandbox providers received:
  curl -s "${baseUrl}/_sandbox/messages?channel=EMAIL"

Stop with Ctrl-C.`;
}

/** Printed at the start where email is sent over SMTP. */
export const RELAY_NOTE =
  'Email of MAIL_DOMAIN is sent without a DKIM signature: the relay at SMTP_URL must sign it. Senders on verified domains are signed here.';

export function exposedWarning(host: string, baseUrl: string, token: string): string {
  return [
    styleText(['red', 'bold'], `The service listens on ${host}: other machines can reach it.`),
    styleText('red', 'Everything except the API itself needs this token, as the header x-sandbox-token:'),
    `  ${token}`,
    `In a browser: ${baseUrl}/_sandbox/clock?token=${token}`,
  ].join('\n');
}
